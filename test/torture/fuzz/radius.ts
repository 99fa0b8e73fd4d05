import { attributes, parsePacket } from "../../../src/radius/packet/packet.ts";
import { decodeAttributes } from "../../../src/radius/packet/codec.ts";
import { aSubscriber, NAS_SECRET } from "../../support/isp.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { packetDigest, packetMac } from "../../support/radius-proofs.ts";
import { type Dice, mutateBytes } from "../mutate.ts";
import type { Notes } from "../notes.ts";

const SECRET = Buffer.from(NAS_SECRET);

/** Packets as routers send them, of every kind that the product serves. */
export function realPackets({ client }: TestHandlers): Buffer[] {
  const device = [
    ["Service-Type", "Framed-User"],
    ["Framed-Protocol", "PPP"],
    ["NAS-Port-Type", "Ethernet"],
    ["NAS-Port", 15_728_640],
    ["Calling-Station-Id", "02:00:00:00:00:01"],
    ["NAS-Identifier", "MikroTik"],
    ["NAS-IP-Address", "127.0.0.1"],
  ] as const;
  const session = [
    ["User-Name", "user1"],
    ["Acct-Session-Id", "81000001"],
    ["Framed-IP-Address", "10.0.0.7"],
    ["Acct-Session-Time", 300],
    ["Acct-Input-Octets", 1_000_000],
    ["Acct-Output-Octets", 4_000_000_000],
    ["Acct-Output-Gigawords", 3],
    ["Acct-Delay-Time", 1],
    ["Event-Timestamp", 1_800_000_000],
    ["Class", Buffer.alloc(16, 7)],
    ["Acct-Terminate-Cause", "User-Request"],
    ...device,
  ] as const;
  const methods = ["pap", "chap", "mschap", "mschapv2"] as const;
  const user = {
    name: "user1",
    password: "wrong",
    attributes: [...device, ["Proxy-State", Buffer.from("p")]],
  } as const;
  const accounts = ["Start", "Interim-Update", "Stop", "Accounting-On", "Accounting-Off"] as const;
  return [
    ...methods.map((method) => client.prepareAccess({ ...user, method })),
    client.prepareAccess({ ...user, method: "none" }),
    client.prepareAccess({ ...user, messageAuthenticator: false }),
    client.prepareAccess({ name: "DOMAIN\\user1", password: "wrong", attributes: device }),
    ...accounts.map((status) => client.prepareAccounting(status, session)),
    client.prepareAccounting("Stop", session, { messageAuthenticator: true }),
  ].map(({ datagram }) => datagram);
}

/** Changed packets, some signed again with the right secret so that they get to the innermost reader. */
export async function fuzzRadius(notes: Notes, dice: Dice, { until }: { until: number }): Promise<void> {
  await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1), aSubscriber(77)] });
  const originals = realPackets(handlers);
  let rounds = 0;
  for (; performance.now() < until; rounds++) {
    const mutated = mutateBytes(dice.one(originals), dice.one(originals), dice).subarray(0, 65_507);
    const datagram = dice.below(4) === 0 ? mutated : signed(mutated, dice);
    const found = await guarded(() => judge(handlers, datagram));
    if (found !== undefined) notes.fault(`a RADIUS packet: ${found}: ${datagram.toString("hex")}`);
    handlers.clock.uptime += 0.01;
    if (rounds % 1000 !== 999) continue;
    handlers.decided.length = 0;
    handlers.dropped.length = 0;
    handlers.crossed.length = 0;
    await Bun.sleep(0);
  }
  for (const failure of handlers.failures) notes.fault(`a RADIUS packet was not booked: ${String(failure)}`);
  const after = handlers.login({ name: "user77", password: "pw-77" });
  notes.expect(after?.code === "Access-Accept", "no login after the RADIUS packets");
  notes.figure(
    "changed RADIUS packets, three of four signed again, read without an error",
    rounds.toLocaleString("en-US"),
  );
}

/** What is wrong with how a datagram is taken, if anything. */
export async function judge(handlers: TestHandlers, datagram: Buffer): Promise<string | undefined> {
  const packet = parsePacket(Buffer.from(datagram));
  if (typeof packet !== "string") {
    const all = attributes(packet);
    const named = decodeAttributes(packet);
    if (named.length !== all.length) return "attributes are lost by name";
    const size = all.reduce((sum, { value }) => sum + value.length, 0);
    if (size > packet.bytes.length - 20) return "attributes are longer than the packet";
  }
  const reply = handlers.askRaw(Buffer.from(datagram), FROM);
  // the right password is in no packet here
  if (reply && reply[0] !== 3 && packet !== "too_short" && datagram[0] === 1)
    return `an answer with code ${reply[0]}`;
  const booked = await handlers.deliverRaw(Buffer.from(datagram), FROM);
  if (booked && booked[0] !== 5) return `an accounting answer with code ${booked[0]}`;
  return undefined;
}

/** A datagram that proves itself, whatever it says. */
export function signed(mutated: Buffer, dice: Dice): Buffer {
  const packet = mutated.length < 20 ? Buffer.concat([mutated, Buffer.alloc(20 - mutated.length)]) : mutated;
  if (dice.below(8) > 0) packet.writeUInt16BE(Math.min(packet.length, 4096), 2);
  const length = Math.min(packet.length, Math.max(20, packet.readUInt16BE(2)));
  const view = packet.subarray(0, length);
  const zero = Buffer.alloc(16);
  const isAccounting = packet[0] === 4;
  for (let at = 20; at + 1 < length; at += Math.max(2, view[at + 1] ?? 2)) {
    if (view[at] !== 80 || view[at + 1] !== 18 || at + 18 > length) continue;
    view.set(packetMac(view, isAccounting ? zero : view.subarray(4, 20), at + 2, SECRET), at + 2);
    break;
  }
  if (isAccounting) view.set(packetDigest(view, zero, SECRET), 4);
  return packet;
}

/** What `work` says, or what it threw. */
export async function guarded(work: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error
      ? `${error.name} ${error.message} ${error.stack?.split("\n")[1]?.trim() ?? ""}`
      : String(error);
  }
}
