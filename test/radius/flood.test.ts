import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { aSubscriber, NAS_SECRET } from "../support/isp.ts";
import { FROM, TestHandlers } from "../support/radius-handlers.ts";
import type { Prepared } from "../support/radius-client.ts";
import { startTestRadius } from "../support/radius-server.ts";

// Datagrams that nobody with the secret sent: random ones, and genuine ones with something changed.

const DATAGRAMS = 36_000;
const SEED = Number(Bun.env["FLOOD_SEED"] ?? Date.now() % 2 ** 31);

/** A small generator of numbers below `n`, so that a failure can be run again with its seed. */
function dice(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) % n;
  };
}

type Mutate = (packet: Buffer, roll: (n: number) => number) => Buffer;

const mutations: Mutate[] = [
  // a bit, a byte, a length
  (packet, roll) => set(packet, roll(packet.length), (byte) => byte ^ (1 << roll(8))),
  (packet, roll) => set(packet, roll(packet.length), () => roll(256)),
  (packet, roll) => set(packet, 21, () => roll(256)),
  (packet, roll) => set(packet, 2 + roll(2), () => roll(256)),
  // an end, a middle, something in between, something twice
  (packet, roll) => packet.subarray(0, roll(packet.length)),
  (packet, roll) =>
    lengthened(Buffer.concat([packet.subarray(0, 20), packet.subarray(20 + roll(packet.length - 20))])),
  (packet, roll) => lengthened(Buffer.concat([packet, randomBytes(1 + roll(60))])),
  (packet, roll) => lengthened(Buffer.concat([packet, packet.subarray(20 + roll(packet.length - 20))])),
  // another code, another authenticator
  (packet, roll) => set(packet, 0, () => roll(60)),
  (packet) => Buffer.concat([packet.subarray(0, 4), randomBytes(16), packet.subarray(20)]),
];

function set(packet: Buffer, at: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(packet);
  copy[at] = change(copy[at] ?? 0);
  return copy;
}

function lengthened(packet: Buffer): Buffer {
  const cut = packet.subarray(0, 4096);
  cut.writeUInt16BE(cut.length, 2);
  return cut;
}

/** The packet that a datagram holds, when its length field fits (what follows is padding). */
function packetIn(datagram: Buffer): Buffer | undefined {
  const length = datagram.length < 4 ? 0 : datagram.readUInt16BE(2);
  return length >= 20 && length <= datagram.length ? datagram.subarray(0, length) : undefined;
}

const nas = [
  {
    id: 1,
    isp_id: 1,
    name: "core",
    address: "127.0.0.0/8",
    secret: NAS_SECRET,
    require_message_authenticator: "yes",
  },
];

test(`${DATAGRAMS.toLocaleString("en")} forged datagrams: no reply, no failure, flat memory (seed ${SEED})`, async () => {
  await using handlers = await TestHandlers.open({ nas, subscribers: [aSubscriber(1)] });
  const { client } = handlers;
  const user1 = { name: "user1", password: "pw-1" };
  const cases = [
    ["User-Name", "user1"],
    ["Acct-Session-Id", "81000001"],
    ["Acct-Session-Time", 5],
  ] as const;
  const genuine = [
    client.prepareAccess(user1).datagram,
    client.prepareAccess({ ...user1, method: "chap" }).datagram,
    client.prepareAccess({ ...user1, method: "mschapv2" }).datagram,
    client.prepareAccounting("Start", cases).datagram,
    client.prepareAccounting("Stop", cases, { messageAuthenticator: true }).datagram,
  ];
  const roll = dice(SEED);
  const forge = () => {
    const original = genuine[roll(genuine.length)] ?? Buffer.alloc(0);
    let forged = roll(4) === 0 ? randomBytes(roll(300)) : original;
    for (let changes = 1 + roll(3); changes > 0 && forged.length > 20; changes--) {
      forged = mutations[roll(mutations.length)]?.(forged, roll) ?? forged;
    }
    const packet = packetIn(forged);
    return packet && genuine.some((one) => one.equals(packet)) ? undefined : forged;
  };
  let replies = 0;
  let sent = 0;
  const flood = (count: number) => {
    for (let i = 0; i < count; i++) {
      const forged = forge();
      if (!forged) continue;
      sent++;
      handlers.clock.uptime += 0.0001;
      const source = { ...FROM, address: `127.0.0.${1 + roll(200)}`, port: 1024 + roll(60_000) };
      if (handlers.accessHandler.answer(forged, source, handlers.clock.uptime)) replies++;
      handlers.accountingHandler.receive(forged, source, handlers.clock.uptime, () => replies++);
    }
  };
  flood(DATAGRAMS / 4);
  const before = memory();
  flood((DATAGRAMS * 3) / 4);
  const grown = memory() - before;
  await handlers.accountingHandler.drain(60_000);

  expect(replies).toBe(0);
  expect(sent).toBeGreaterThan(DATAGRAMS * 0.9);
  expect(handlers.dropped.length).toBe(2 * sent);
  expect(handlers.failures).toEqual([]);
  expect(handlers.decided).toEqual([]);
  handlers.dropped.length = 0;
  expect(grown).toBeLessThan(8 * 1024 * 1024);
  expect(handlers.login(user1)).toMatchObject({ code: "Access-Accept", faults: [] });
  expect(await handlers.account("Start", cases)).toMatchObject({ code: "Accounting-Response" });
});

/** Bytes that are in use after everything unused was given back. */
function memory(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}

test("the threads live through 20,000 of them on their sockets, and answer the next login", async () => {
  await using radius = await startTestRadius({ nas, subscribers: [aSubscriber(1)] });
  const roll = dice(SEED);
  const client = radius.client();
  const { datagram } = client.prepareAccess({ name: "user1", password: "pw-1" });
  let replies = 0;
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: { data: () => void replies++, error: () => {} },
  });
  for (let i = 0; i < 20_000; i++) {
    const forged =
      roll(2) === 0
        ? randomBytes(roll(600))
        : set(datagram, roll(datagram.length), (byte) => byte ^ (1 + roll(255)));
    socket.send(forged, i % 2 === 0 ? radius.server.auth.port : radius.server.acct.port, "127.0.0.1");
    if (i % 500 === 0) await Bun.sleep(1);
  }
  // their buffers may still be full
  const asks = async (prepared: Prepared) => {
    for (let tries = 0; tries < 20; tries++) {
      const reply = await client.exchange(prepared, 2000);
      if (reply) return reply;
    }
    throw new Error("no answer");
  };
  expect(await asks(client.prepareAccess({ name: "user1", password: "pw-1" }))).toMatchObject({
    code: "Access-Accept",
    faults: [],
  });
  expect(await asks(client.prepareAccounting("Start", [["Acct-Session-Id", "1"]]))).toMatchObject({
    code: "Accounting-Response",
  });
  expect(replies).toBe(0);
  expect(radius.server.isListening()).toBe(true);
  expect(radius.lines.filter(({ level }) => Number(level) > 40)).toEqual([]);
  // one line a reason and port, whatever the number
  expect(radius.lines.length).toBeLessThan(20);
  socket.close();
});
