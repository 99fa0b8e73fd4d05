import { createSocket, type Socket } from "node:dgram";
import { createHash, timingSafeEqual } from "node:crypto";

export interface Circuit {
  readonly username: string;
  readonly mac: string | null;
  readonly nas: string;
  readonly ip: string | null;
  readonly prefixes: readonly string[];
  readonly upload: number | null;
  readonly download: number | null;
}

const STATUS = { 1: "start", 2: "stop", 3: "interim" } as const;

/**
 * The listener of LibreQoS 2.2 (lqos_radius: packet.rs, accounting_event.rs, session.rs): takes signed requests, answers at
 * once, makes a circuit of a Start and an Interim-Update (an attribute's first value counts), drops it at a Stop. In memory
 * only.
 */
export class Shaper implements AsyncDisposable {
  readonly circuits = new Map<string, Circuit>();
  readonly taken = { start: 0, stop: 0, interim: 0, other: 0 };
  readonly refused: string[] = [];
  /** Receives and answers nothing. */
  isDeaf = false;
  #isClosed = false;
  readonly #secret: Buffer;
  readonly #socket: Socket;

  private constructor(socket: Socket, secret: string) {
    this.#socket = socket;
    this.#secret = Buffer.from(secret);
    socket.on("message", (datagram, peer) => {
      if (this.isDeaf) return;
      const answer = this.#take(datagram);
      if (answer) socket.send(answer, peer.port, peer.address);
    });
    socket.on("error", () => {});
  }

  static async start(secret: string, port = 0): Promise<Shaper> {
    const socket = createSocket({ type: "udp4", recvBufferSize: 1 << 20 });
    await new Promise<void>((resolve) => socket.bind(port, "127.0.0.1", resolve));
    return new Shaper(socket, secret);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  #take(datagram: Buffer): Buffer | undefined {
    const length = datagram.length < 20 ? 0 : datagram.readUInt16BE(2);
    if (length < 20 || length > 4095 || datagram.length < length) return this.#refuse("no packet");
    const packet = datagram.subarray(0, length);
    if (packet[0] !== 4) return this.#refuse(`code ${packet[0]}`);
    const signed = Buffer.concat([
      packet.subarray(0, 4),
      Buffer.alloc(16),
      packet.subarray(20),
      this.#secret,
    ]);
    if (!timingSafeEqual(createHash("md5").update(signed).digest(), packet.subarray(4, 20)))
      return this.#refuse("wrong secret");
    const attributes = attributesOf(packet.subarray(20));
    if (!attributes) return this.#refuse("an attribute is cut off");
    this.#apply(attributes);
    const answer = Buffer.concat([Buffer.of(5, packet[1] ?? 0, 0, 20), packet.subarray(4, 20)]);
    createHash("md5")
      .update(Buffer.concat([answer, this.#secret]))
      .digest()
      .copy(answer, 4);
    return answer;
  }

  #refuse(why: string): undefined {
    this.refused.push(why);
  }

  #apply(attributes: readonly Attribute[]): void {
    const first = (type: number) => attributes.find((one) => one.type === type)?.value;
    const text = (type: number) => first(type)?.toString() ?? null;
    const address = (type: number) => (first(type)?.length === 4 ? [...(first(type) ?? [])].join(".") : null);
    const kind = STATUS[(first(40)?.readUInt32BE() ?? 0) as 1 | 2 | 3];
    if (!kind) return void this.taken.other++;
    this.taken[kind]++;
    const nas = address(4) ?? first(95)?.toString("hex") ?? "";
    const key = `${nas} ${text(44)}`;
    if (kind === "stop") return void this.circuits.delete(key);
    const before = this.circuits.get(key);
    const rate = attributes.flatMap(rateOf)[0];
    // what an update does not say stays as it was
    this.circuits.set(key, {
      username: text(1) ?? before?.username ?? "",
      mac: text(31) ?? before?.mac ?? null,
      nas,
      ip: address(8) ?? before?.ip ?? null,
      prefixes: attributes.flatMap(({ type, value }) =>
        type === 97 || type === 123 ? [value.toString("hex")] : [],
      ),
      upload: rate?.upload ?? before?.upload ?? null,
      download: rate?.download ?? before?.download ?? null,
    });
  }
}

interface Attribute {
  readonly type: number;
  readonly value: Buffer;
}

function attributesOf(bytes: Buffer): Attribute[] | undefined {
  const found: Attribute[] = [];
  for (let at = 0; at < bytes.length;) {
    const [type = 0, length = 0] = bytes.subarray(at, at + 2);
    if (length < 2 || at + length > bytes.length) return undefined;
    found.push({ type, value: bytes.subarray(at + 2, at + length) });
    at += length;
  }
  return found;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

/** Mikrotik-Rate-Limit: its first word is rx/tx of the NAS, upload and download. */
function rateOf({ type, value }: Attribute): { upload: number; download: number }[] {
  if (type !== 26 || value.length < 6 || value.readUInt32BE() !== 14988 || value[4] !== 8) return [];
  const [pair = ""] = value.subarray(6).toString().trim().split(/\s+/);
  const [rx, tx = rx] = pair.split("/");
  const [upload, download] = [rx, tx].map((text = "") => {
    const [, digits, unit = ""] = /^(\d+)([kKmMgG]?)$/.exec(text) ?? [];
    return digits === undefined ? undefined : Number(digits) * (UNITS[unit.toLowerCase()] ?? 0);
  });
  return upload === undefined || download === undefined ? [] : [{ upload, download }];
}
