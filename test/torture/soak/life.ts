import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { logInByCard } from "./cards/guests.ts";
import { INTERIM } from "./grants.ts";
import type { Report } from "./sessions.ts";
import { logIn, send } from "./traffic.ts";
import {
  count,
  type Device,
  end,
  leave,
  type Live,
  note,
  pick,
  reportOf,
  type Router,
  type World,
} from "./world.ts";

/** The updates that are due, all at once; some are lost, some come twice, some counters begin again. */
export async function update(world: World): Promise<void> {
  const { box, draw, routers } = world;
  const all: Promise<unknown>[] = [];
  for (const router of routers) {
    for (const live of router.live.values()) {
      if (live.nextUpdate > box.now) continue;
      live.nextUpdate = box.now + INTERIM;
      if (draw() < 0.002) Object.assign(live, { input: 0, output: 0 });
      count(live, box.now, draw);
      if (router.outUntil > box.now || draw() < 0.02) continue;
      const report = reportOf(live, "Interim-Update", box.now);
      all.push(sendUpdate(world, router, live, report));
      if (all.length >= 100) await Promise.all(all.splice(0));
    }
  }
  await Promise.all(all);
}

async function sendUpdate(world: World, router: Router, live: Live, report: Report): Promise<void> {
  live.sent = { datagram: await send(world, router, report), report };
}

/** The same bytes once more, when nobody remembers them as a repetition any longer. */
export async function repeat(world: World, live: Live): Promise<void> {
  const { box, model, faults } = world;
  const { sent, device } = live;
  if (!sent || box.now - sent.report.at < 15) return;
  // the same Acct-Delay-Time, so that it is taken for a record of now
  model.report({ ...sent.report, at: box.now });
  const answer = await device.router.client.raw("acct", sent.datagram);
  if (!answer) faults.push("a record that was sent again got no answer");
}

/** By its subscriber's name, or its guest's card. */
const logInBy = (world: World, device: Device) =>
  device.subscriber ? logIn(world, device) : logInByCard(world, device);

/** One device does something, or nothing. */
export async function live(world: World, device: Device): Promise<void> {
  const { draw, box, routers } = world;
  const luck = draw();
  // times are whole seconds: of a login in the second of a crossing nobody can tell which came first
  const isUnclear = device.subscriber?.service?.crossedAt === box.now;
  if (!device.live) {
    if (luck < 0.3 && !isUnclear) await logInBy(world, device);
    return;
  }
  const isRoaming = luck < 0.02;
  if (device.live.session.start === box.now) return;
  if (luck < 0.01 || isRoaming) {
    note(world, device.live.session.holder, `session ${device.live.session.id} vanished`);
    leave(device.live);
    if (isRoaming) device.router = pick(draw, routers);
    if (!isUnclear) await logInBy(world, device);
  } else if (luck < 0.08) end(world, device.live, "User-Request");
  else if (luck < 0.1) await repeat(world, device.live);
}

/** A router starts anew: its sessions are gone without a word, the next ones get the same ids. */
export async function reboot(world: World, router: Router): Promise<void> {
  const { box, model, late, counts, draw } = world;
  if (router.outUntil > box.now) return;
  for (const one of router.live.values()) {
    note(world, one.session.holder, `${router.address} rebooted`);
    leave(one);
  }
  late.splice(0, late.length, ...late.filter((one) => one.router !== router));
  for (const id of router.used.keys()) if (router.used.get(id) === Infinity) router.used.set(id, box.now);
  router.counters.clear();
  counts.reboots++;
  const times = draw() < 0.3 ? 2 : 1;
  for (let sent = 0; sent < times; sent++) {
    const on: NamedAttribute[] = [
      ["NAS-Identifier", "MikroTik"],
      ["Acct-Delay-Time", 0],
    ];
    model.restarted(router.address, box.now);
    const reply = await router.client.accounting("Accounting-On", on);
    if (reply?.code !== "Accounting-Response") world.faults.push("an Accounting-On got no answer");
  }
}
