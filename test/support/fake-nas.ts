import { tune } from "../../src/os/udp-options.ts";
import { packetDigest, packetMac } from "./radius-proofs.ts";

export type NasAnswer = "ack" | "nak" | "silence";

/** How a NAS misbehaves; every switch is off by default. */
export interface FakeNasBehaviour {
  answer?: NasAnswer;
  errorCause?: number;
  /** Signs with another secret. */
  wrongAuthenticator?: boolean;
  /** Answers with another identifier. */
  wrongIdentifier?: boolean;
  /** Answers from another port. */
  wrongPort?: boolean;
  /** Answers with another request's code. */
  wrongCode?: boolean;
  late?: number;
  times?: number;
  lose?: number;
  attributes?: readonly (readonly [type: number, value: Uint8Array])[];
  /** Message-Authenticator in the answer; FreeRADIUS and RouterOS send none. */
  messageAuthenticator?: "right" | "wrong";
  /** Drops requests without a Message-Authenticator, as some routers do. */
  requiresMessageAuthenticator?: boolean;
}

export interface NasRequest {
  code: number;
  identifier: number;
  /** Type and value in hex, in order. */
  attributes: [type: number, value: string][];
  bytes: Buffer;
  from: string;
  port: number;
}

/** Seconds for `max_coa_wait`: short where the router never answers, else long enough for a busy machine. */
export function coaPatience({
  answer,
  wrongAuthenticator,
  wrongIdentifier,
  wrongPort,
  wrongCode,
  messageAuthenticator,
}: FakeNasBehaviour): number {
  const isForged = wrongAuthenticator || wrongIdentifier || wrongPort || wrongCode;
  return answer === "silence" || isForged || messageAuthenticator === "wrong" ? 1 : 10;
}

type Behave = FakeNasBehaviour | ((request: NasRequest) => FakeNasBehaviour);

/** The server side of RFC 5176 on loopback, written apart from src/radius. Only genuine requests are recorded and answered. */
export class FakeNas implements Disposable {
  behaviour: Behave;
  readonly address: string;
  readonly requests: NasRequest[] = [];
  forged = 0;
  readonly #secret: Buffer;
  #sockets: Bun.udp.Socket<"buffer">[] = [];
  readonly #lost = new Map<string, number>();
  readonly #timers = new Set<Timer>();

  private constructor(address: string, secret: string, behaviour: Behave) {
    this.address = address;
    this.#secret = Buffer.from(secret);
    this.behaviour = behaviour;
  }

  static async start(
    behaviour: Behave = {},
    { address = "127.0.0.1", secret = "testing123", port = 0 } = {},
  ): Promise<FakeNas> {
    const nas = new FakeNas(address, secret, behaviour);
    const open = async (at: number) => {
      const socket = await Bun.udpSocket({
        hostname: address,
        port: at,
        binaryType: "buffer",
        socket: {
          data: (_socket, datagram, from, host) => nas.receive(Buffer.from(datagram), host, from),
          error: () => {},
        },
      });
      tune(socket);
      return socket;
    };
    nas.#sockets = [await open(port), await open(0)];
    return nas;
  }

  get port(): number {
    return this.#sockets[0]?.port ?? 0;
  }

  get distinct(): number {
    return new Set(this.requests.map(({ bytes }) => bytes.toString("hex"))).size;
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const socket of this.#sockets) socket.close();
  }

  receive(bytes: Buffer, from: string, port: number): void {
    if (!this.#isGenuine(bytes)) {
      this.forged++;
      return;
    }
    const attributes = attributesOf(bytes).map(({ type, value }): [number, string] => [
      type,
      value.toString("hex"),
    ]);
    const request = {
      code: bytes.readUInt8(0),
      identifier: bytes.readUInt8(1),
      attributes,
      bytes,
      from,
      port,
    };
    this.requests.push(request);
    const behaviour = typeof this.behaviour === "function" ? this.behaviour(request) : this.behaviour;
    const { answer = "ack", late = 0, times = 1, lose = 0, requiresMessageAuthenticator } = behaviour;
    const key = bytes.toString("hex");
    const lost = this.#lost.get(key) ?? 0;
    this.#lost.set(key, lost + 1);
    const isUnsigned = !attributes.some(([type]) => type === 80);
    if (answer === "silence" || lost < lose || (requiresMessageAuthenticator && isUnsigned)) return;
    const reply = this.#reply(request, answer, behaviour);
    const socket = this.#sockets[behaviour.wrongPort ? 1 : 0];
    const send = () => {
      for (let sent = 0; sent < times; sent++) socket?.send(reply, port, from);
    };
    if (late === 0) return send();
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      send();
    }, late);
    this.#timers.add(timer);
  }

  #isGenuine(bytes: Buffer): boolean {
    const zero = Buffer.alloc(16);
    if (!packetDigest(bytes, zero, this.#secret).equals(bytes.subarray(4, 20))) return false;
    const mac = attributesOf(bytes).find(({ type }) => type === 80);
    return !mac || packetMac(bytes, zero, mac.at, this.#secret).equals(mac.value);
  }

  #reply(request: NasRequest, answer: "ack" | "nak", behaviour: FakeNasBehaviour): Buffer {
    const { errorCause, attributes = [], messageAuthenticator } = behaviour;
    const cause = Buffer.alloc(4);
    cause.writeUInt32BE(errorCause ?? 0);
    const all: (readonly [number, Uint8Array])[] = [
      ...(messageAuthenticator ? [[80, Buffer.alloc(16)] as const] : []),
      ...(answer === "nak" && errorCause !== undefined ? [[101, cause] as const] : []),
      ...attributes,
    ];
    const body = all.map(([type, value]) => Buffer.concat([Buffer.of(type, 2 + value.length), value]));
    const code = request.code + (answer === "ack" ? 1 : 2) + (behaviour.wrongCode ? 3 : 0);
    const identifier = (request.identifier + (behaviour.wrongIdentifier ? 1 : 0)) % 256;
    const authenticator = request.bytes.subarray(4, 20);
    const packet = Buffer.concat([Buffer.of(code, identifier, 0, 0), authenticator, ...body]);
    packet.writeUInt16BE(packet.length, 2);
    if (messageAuthenticator) packet.set(packetMac(packet, authenticator, 22, this.#secret), 22);
    if (messageAuthenticator === "wrong") packet.writeUInt8(packet.readUInt8(22) ^ 1, 22);
    const secret = behaviour.wrongAuthenticator ? Buffer.from("another secret") : this.#secret;
    packet.set(packetDigest(packet, authenticator, secret), 4);
    return packet;
  }
}

function attributesOf(bytes: Buffer): { type: number; at: number; value: Buffer }[] {
  const all = [];
  for (let at = 20; at + 1 < bytes.length; at += Math.max(2, bytes.readUInt8(at + 1)))
    all.push({
      type: bytes.readUInt8(at),
      at: at + 2,
      value: bytes.subarray(at + 2, at + bytes.readUInt8(at + 1)),
    });
  return all;
}
