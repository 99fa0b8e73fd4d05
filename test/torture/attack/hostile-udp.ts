import { drawing } from "../trial.ts";

export interface UdpOrder {
  readonly auth: number;
  readonly acct: number;
  readonly seconds: number;
  /** Datagrams a second. */
  readonly rate: number;
  readonly sources: number;
  readonly seed: number;
  /** Packets of an honest router, in hex: they prove themselves under its secret, which is that of no source here. */
  readonly genuine: readonly string[];
}

export interface UdpOutcome {
  readonly sent: number;
  /** Replies by where they went (the network of the sources) and what they say (the RADIUS code). */
  readonly replies: Readonly<Record<string, number>>;
}

/** The networks of the sources: routers that have to prove their packets, routers that need not, and strangers. */
const NETWORKS = ["127.32", "127.33", "127.64", "127.65"];
const TICK = 10;
const POOL = 20_000;
/** Sent by one call; a few, so that the kernel does not take them all from one source. */
const BATCH = 8;

/** Sends what nobody with the secret sent, from many sources, at a steady pace. */
export async function hostileDatagrams({
  seconds,
  rate,
  sources,
  seed,
  auth,
  acct,
  genuine,
}: UdpOrder): Promise<UdpOutcome> {
  const draw = drawing(seed);
  const pick = (count: number) => Math.floor(draw() * count);
  const replies: Record<string, number> = {};
  const sockets = await Promise.all(
    Array.from({ length: sources }, (_, i) => openSource(NETWORKS[i % NETWORKS.length] ?? "", i, replies)),
  );
  const packets = genuine.map((hex) => Buffer.from(hex, "hex"));
  const size = Math.min(POOL, 4 * rate * seconds);
  const pool = Array.from({ length: size }, () => forge(packets, pick));
  let sent = 0;
  const began = performance.now();
  for (let now = began; now < began + seconds * 1000; now = performance.now()) {
    const due = Math.min(((now - began) / 1000) * rate, sent + rate / 10); // never a burst to catch up
    while (sent < due) {
      const socket = sockets[pick(sockets.length)];
      const many = Array.from({ length: BATCH }, () => [
        pool[pick(size)] ?? Buffer.alloc(0),
        pick(3) === 0 ? acct : auth,
        "127.0.0.1",
      ]);
      sent += sendSome(socket, many.flat());
    }
    await Bun.sleep(TICK);
  }
  await Bun.sleep(500); // what is still on its way
  for (const socket of sockets) socket.close();
  return { sent, replies };
}

function openSource(
  network: string,
  i: number,
  replies: Record<string, number>,
): Promise<Bun.udp.Socket<"buffer">> {
  return Bun.udpSocket({
    hostname: `${network}.${i >> 8}.${i & 255 || 1}`,
    binaryType: "buffer",
    socket: {
      data: (_socket, reply) => {
        const key = `${network} ${reply[0]}`;
        replies[key] = (replies[key] ?? 0) + 1;
      },
      error: () => {},
    },
  });
}

function sendSome(socket: Bun.udp.Socket<"buffer"> | undefined, many: (Buffer | number | string)[]): number {
  try {
    return Math.max(1, socket?.sendMany(many) ?? 1);
  } catch {
    return 1; // the error of an earlier datagram
  }
}

type Pick = (count: number) => number;

function forge(genuine: readonly Buffer[], pick: Pick): Buffer {
  const packet = Buffer.from(genuine[pick(genuine.length)] ?? Buffer.alloc(20));
  switch (pick(8)) {
    case 0:
      return randomBytes(pick(10) === 0 ? 4000 + pick(5000) : pick(600), pick);
    case 1:
      return packet; // as it was, but from somebody with another secret
    case 2:
      return withoutProof(packet, pick);
    case 3:
      packet[0] = [2, 3, 5, 11, 12, 40, 41, 43, 44, 0, 255][pick(11)] ?? 0;
      return packet;
    case 4:
      return packet.subarray(0, pick(packet.length));
    case 5:
      packet.writeUInt16BE(pick(65_536), 2);
      return packet;
    case 6:
      randomBytes(16, pick).copy(packet, 4); // another authenticator
      return packet;
    default:
      for (let changes = 1 + pick(8); changes > 0; changes--) packet[pick(packet.length)] = pick(256);
      return packet;
  }
}

/** An Access-Request without Message-Authenticator, which is its last attribute, under an authenticator of its own. */
function withoutProof(packet: Buffer, pick: Pick): Buffer {
  const cut = packet.at(-18) === 80 ? packet.subarray(0, -18) : packet;
  cut.writeUInt16BE(cut.length, 2);
  randomBytes(16, pick).copy(cut, 4);
  return cut;
}

function randomBytes(length: number, pick: Pick): Buffer {
  return Buffer.from(Array.from({ length }, () => pick(256)));
}
