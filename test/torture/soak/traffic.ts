import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import type { Reply } from "../../support/radius-client.ts";
import { type Grant, INTERIM, type Verdict } from "./model.ts";
import type { Report } from "./sessions.ts";
import {
  between,
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

const METHODS = ["pap", "chap", "mschap", "mschapv2"] as const;

/** A device tries to log in; what the router is granted must be what the model says. Then its session starts, or not. */
export async function logIn(world: World, device: Device): Promise<void> {
  const { box, model, draw, faults, counts } = world;
  const { subscriber, router, mac, username } = device;
  const isUnknown = draw() < 0.01;
  const password = draw() < 0.04 ? "wrong" : subscriber.password;
  const who = { subscriber: isUnknown ? undefined : subscriber, password, mac, router: router.address };
  const verdict = model.login(who, box.now);
  const reply = await router.client.access({
    name: isUnknown ? `nobody${device.number}` : username,
    password,
    method: pick(draw, METHODS),
    attributes: [
      ["Service-Type", "Framed-User"],
      ["Framed-Protocol", "PPP"],
      ["NAS-Port-Type", "Ethernet"],
      ["Calling-Station-Id", mac],
      ["NAS-Port-Id", `port${device.number}`],
    ],
  });
  counts.logins++;
  const fault = faultOf(verdict, reply);
  note(
    world,
    subscriber.id,
    `login of ${mac} at ${router.address}: ${"reject" in verdict ? verdict.reject : verdict.kind}`,
  );
  if (fault) faults.push(`${fault}; ${historyOf(world, subscriber.id)}`);
  if ("reject" in verdict || !verdict.grant || reply?.code !== "Access-Accept") return;
  if (draw() < 0.05) return; // the device gives up
  const sessionClass = router.echoesClass ? reply.attributes["Class"]?.[0] : undefined;
  await startSession(world, device, verdict.grant, {
    sessionClass: Buffer.isBuffer(sessionClass) ? sessionClass : undefined,
    timeout: Number(reply.attributes["Session-Timeout"]?.[0]),
  });
}

function faultOf(verdict: Verdict, reply: Reply | null): string | undefined {
  if (!reply) return "a login got no answer";
  if (reply.faults.length > 0) return `an answer is wrong: ${reply.faults.join(", ")}`;
  const { attributes } = reply;
  const said = Object.entries(attributes).filter(([name]) => !/^(Message-Auth|Class|MS-)/.test(name));
  const is = { code: reply.code, ...Object.fromEntries(said.map(([name, [value]]) => [name, value])) };
  const shouldBe =
    "reject" in verdict
      ? { code: "Access-Reject", "Reply-Message": verdict.reject }
      : { code: "Access-Accept", ...verdict.accept };
  return Bun.deepEquals(is, shouldBe)
    ? undefined
    : `a login was answered ${JSON.stringify(is)} in place of ${JSON.stringify(shouldBe)}`;
}

export function historyOf(world: World, id: number): string {
  return `user${id}: ${(world.history.get(id) ?? []).slice(-25).join(" | ")}`;
}

async function startSession(
  world: World,
  device: Device,
  grant: Grant,
  { sessionClass, timeout }: { sessionClass: Buffer | undefined; timeout: number },
): Promise<void> {
  const { box, draw, late } = world;
  const { router, subscriber, mac, username } = device;
  const isGarden = grant.kind === "garden";
  const id = sessionIdOf(router, device, box.now);
  const { address } = router;
  const session = {
    key: `${address} ${id} ${username} ${sessionClass?.toString("hex") ?? device.number}`,
    id,
    router: address,
    subscriber,
    username,
    class: sessionClass,
    mac,
    port: `port${device.number}`,
    ip: (isGarden ? null : subscriber.staticIp) ?? router.freeAddress(isGarden),
    start: box.now,
    grant,
  };
  // every second router lets the books end what has run out
  const deadline = isGarden || router.echoesClass ? box.now + timeout : Infinity;
  const nextUpdate = box.now + INTERIM;
  const live: Live = { session, device, input: 0, output: 0, countedAt: box.now, nextUpdate, deadline };
  device.live = live;
  router.live.set(`${username} ${id}`, live);
  const start = reportOf(live, "Start", box.now);
  const luck = draw();
  note(
    world,
    subscriber.id,
    `session ${id} at ${session.ip}, Start ${luck < 0.05 ? "lost" : luck < 0.1 ? "late" : "sent"}`,
  );
  if (luck < 0.05 || router.outUntil > box.now) return;
  if (luck < 0.1) late.push({ report: start, router, due: box.now + between(draw, 30, 1200) });
  else await send(world, router, start);
}

/** Counted from the boot, so that ids come again; without Class a router is at least a quarter of an hour apart. */
function sessionIdOf(router: Router, { number }: Device, now: number): string {
  for (;;) {
    const counted = router.echoesClass ? 0 : number;
    const next = router.counters.get(counted) ?? 0;
    router.counters.set(counted, next + 1);
    const counter = next.toString(16);
    const id = router.echoesClass
      ? `81${counter.padStart(6, "0")}`
      : `81${number.toString(16).padStart(2, "0")}${counter.padStart(4, "0")}`;
    if (router.echoesClass || (router.used.get(id) ?? 0) < now - 900) {
      router.used.set(id, Infinity);
      return id;
    }
  }
}

/** Sends a record, which the model books as well; the product's answer is the proof that it has it. */
export async function send(world: World, router: Router, report: Report): Promise<Buffer> {
  const { box, model, counts, faults } = world;
  const { session } = report;
  const delay = box.now - report.at;
  const prepared = router.client.prepareAccounting(report.kind, attributesOf(report, delay));
  model.report(report);
  counts.records++;
  if (report.kind !== "Interim-Update")
    note(world, session.subscriber.id, `${report.kind} of ${session.id} at ${report.at}`);
  const reply = await router.client.exchange(prepared);
  if (reply?.code !== "Accounting-Response") faults.push(`a record got no answer: ${JSON.stringify(report)}`);
  return prepared.datagram;
}

function attributesOf(
  { session, kind, time, input, output, cause }: Report,
  delay: number,
): NamedAttribute[] {
  const counters: NamedAttribute[] = [
    ["Acct-Session-Time", time],
    ["Acct-Input-Octets", input % 2 ** 32],
    ["Acct-Input-Gigawords", Math.floor(input / 2 ** 32)],
    ["Acct-Output-Octets", output % 2 ** 32],
    ["Acct-Output-Gigawords", Math.floor(output / 2 ** 32)],
  ];
  return [
    ["User-Name", session.username],
    ["Acct-Session-Id", session.id],
    ...(session.class ? [["Class", session.class] as const] : []),
    ["NAS-Port", Number(session.port.slice(4))],
    ["NAS-Port-Id", session.port],
    ["Calling-Station-Id", session.mac],
    ["Framed-IP-Address", session.ip],
    ["NAS-IP-Address", session.router],
    ["Acct-Delay-Time", delay],
    ...(kind === "Start" ? [] : counters),
    ...(cause === undefined ? [] : [["Acct-Terminate-Cause", cause] as const]),
  ];
}

/** Sends the records that were late and are due. */
export async function sendLate(world: World): Promise<void> {
  const { late, box } = world;
  const due = late.filter((one) => one.due <= box.now).sort((a, b) => a.due - b.due);
  late.splice(0, late.length, ...late.filter((one) => one.due > box.now));
  for (const { report, router } of due) if (router.outUntil <= box.now) await send(world, router, report);
}

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

/** One device does something, or nothing. */
export async function live(world: World, device: Device): Promise<void> {
  const { draw, box, routers } = world;
  const luck = draw();
  // times are whole seconds: of a login in the second of a crossing nobody can tell which came first
  const isUnclear = device.subscriber.service?.crossedAt === box.now;
  if (!device.live) {
    if (luck < 0.3 && !isUnclear) await logIn(world, device);
    return;
  }
  const isRoaming = luck < 0.02;
  if (device.live.session.start === box.now) return;
  if (luck < 0.01 || isRoaming) {
    note(world, device.subscriber.id, `session ${device.live.session.id} vanished`);
    leave(device.live);
    if (isRoaming) device.router = pick(draw, routers);
    if (!isUnclear) await logIn(world, device);
  } else if (luck < 0.08) end(world, device.live, "User-Request");
  else if (luck < 0.1) await repeat(world, device.live);
}

/** A router starts anew: its sessions are gone without a word, the next ones get the same ids. */
export async function reboot(world: World, router: Router): Promise<void> {
  const { box, model, late, counts, draw } = world;
  if (router.outUntil > box.now) return;
  for (const one of router.live.values()) {
    note(world, one.session.subscriber.id, `${router.address} rebooted`);
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
