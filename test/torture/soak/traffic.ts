import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import type { Reply } from "../../support/radius-client.ts";
import { INTERIM, nameOf } from "./grants.ts";
import type { Grant, Verdict } from "./model.ts";
import type { Report } from "./sessions.ts";
import { between, type Device, type Live, note, pick, reportOf, type Router, type World } from "./world.ts";

const METHODS = ["pap", "chap", "mschap", "mschapv2"] as const;

/** A device tries to log in; what the router is granted must be what the model says. Then its session starts, or not. */
export async function logIn(world: World, device: Device): Promise<void> {
  const { box, model, draw, faults, counts } = world;
  const { subscriber, router, mac, username } = device;
  if (!subscriber) return;
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
    nameOf(subscriber),
    `login of ${mac} at ${router.address}: ${"reject" in verdict ? verdict.reject : verdict.kind}`,
  );
  if (fault) faults.push(`${fault}; ${historyOf(world, nameOf(subscriber))}`);
  if ("reject" in verdict || !verdict.grant || reply?.code !== "Access-Accept") return;
  if (draw() < 0.05) return; // the device gives up
  const sessionClass = router.echoesClass ? reply.attributes["Class"]?.[0] : undefined;
  await startSession(world, device, verdict.grant, {
    sessionClass: Buffer.isBuffer(sessionClass) ? sessionClass : undefined,
    timeout: Number(reply.attributes["Session-Timeout"]?.[0]),
  });
}

export function faultOf(verdict: Verdict, reply: Reply | null): string | undefined {
  if (!reply) return "a login got no answer";
  if (reply.faults.length > 0) return `an answer is wrong: ${reply.faults.join(", ")}`;
  const { attributes } = reply;
  const outcome = Object.entries(attributes).filter(([name]) => !/^(Message-Auth|Class|MS-)/.test(name));
  const is = { code: reply.code, ...Object.fromEntries(outcome.map(([name, [value]]) => [name, value])) };
  const shouldBe =
    "reject" in verdict
      ? { code: "Access-Reject", "Reply-Message": verdict.reject }
      : { code: "Access-Accept", ...verdict.accept };
  return Bun.deepEquals(is, shouldBe)
    ? undefined
    : `a login was answered ${JSON.stringify(is)} in place of ${JSON.stringify(shouldBe)}`;
}

export function historyOf(world: World, holder: string): string {
  return `${holder}: ${(world.history.get(holder) ?? []).slice(-25).join(" | ")}`;
}

export async function startSession(
  world: World,
  device: Device,
  grant: Grant,
  { sessionClass, timeout }: { sessionClass: Buffer | undefined; timeout: number },
): Promise<void> {
  const { box, draw, late } = world;
  const { router, subscriber, card, mac, username } = device;
  const holder = card?.name ?? `user${subscriber?.id}`;
  const isGarden = grant.kind === "garden";
  const id = sessionIdOf(router, device, box.now);
  const { address } = router;
  const session = {
    key: `${address} ${id} ${card?.name ?? username} ${sessionClass?.toString("hex") ?? device.number}`,
    id,
    router: address,
    holder,
    subscriber,
    card,
    username,
    class: sessionClass,
    mac,
    port: `port${device.number}`,
    ip: (isGarden ? null : subscriber?.staticIp) ?? router.freeAddress(isGarden),
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
    holder,
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
    note(world, session.holder, `${report.kind} of ${session.id} at ${report.at}`);
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
  for (const [index, { report, router }] of due.entries()) {
    const { subscriber } = report.session;
    const crossedAt = subscriber?.service?.crossedAt;
    if (router.outUntil <= box.now) await send(world, router, report);
    if (crossedAt === subscriber?.service?.crossedAt) continue;
    // whether what comes next is there already when the sessions are dealt with nobody could tell
    late.push(...due.slice(index + 1));
    return;
  }
}
