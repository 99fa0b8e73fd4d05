import { randomBytes, randomInt } from "node:crypto";

import {
  type AttributeValue,
  decodeAttributes,
  encodeAttribute,
  type NamedAttribute,
} from "../../src/radius/packet/codec.ts";
import { codeName } from "../../src/radius/packet/numbers.ts";
import { parsePacket } from "../../src/radius/packet/packet.ts";
import { type AccessRequest, attribute, credentials, mac, type Proof } from "./radius-credentials.ts";
import { packetDigest, packetMac } from "./radius-proofs.ts";

export interface RadiusTarget {
  host: string;
  port: number;
  acctPort: number;
  secret: string | Buffer;
  /** The address to send from, as a NAS of its own; the system's choice by default. */
  localAddress?: string;
  /** Milliseconds; 12,000 by default, because a busy machine is no failure. */
  timeout?: number;
}

export type AccountingStatus = "Start" | "Stop" | "Interim-Update" | "Accounting-On" | "Accounting-Off";

export interface Reply {
  /** The RFC's name, as in "Access-Accept". */
  code: string;
  attributes: Record<string, AttributeValue[]>;
  raw: Buffer;
  /** Proofs that fail, in words: authenticators, place of the Message-Authenticator, MS-CHAP's S= and keys. */
  faults: string[];
}

export interface Prepared {
  role: "auth" | "acct";
  datagram: Buffer;
  /** Proofs beyond the authenticators. */
  check: (reply: Proof) => string[];
}

type Waiter = (reply: Buffer | null) => void;

/** A small NAS on one UDP socket; up to 256 requests per port at once. */
export class RadiusClient {
  readonly #target: RadiusTarget;
  readonly #secret: Buffer;
  readonly #socket: Promise<Bun.udp.Socket<"buffer">>;
  readonly #waiting = new Map<string, Waiter[]>();
  #identifier = randomInt(256);

  constructor(target: RadiusTarget) {
    this.#target = target;
    const { secret } = target;
    this.#secret = typeof secret === "string" ? Buffer.from(secret) : secret;
    this.#socket = Bun.udpSocket({
      hostname: target.localAddress ?? (target.host.includes(":") ? "::" : "0.0.0.0"),
      socket: {
        data: (_socket, datagram, port, address) => {
          if (address === target.host) this.#waiting.get(`${port} ${datagram[1]}`)?.[0]?.(datagram);
        },
        // A refused port is silence here as it is to a NAS.
        error: () => undefined,
      },
    });
  }

  async access(request: AccessRequest, timeout?: number): Promise<Reply | null> {
    return this.exchange(this.prepareAccess(request), timeout);
  }

  async accounting(
    status: AccountingStatus,
    attributes: readonly NamedAttribute[],
    timeout?: number,
  ): Promise<Reply | null> {
    return this.exchange(this.prepareAccounting(status, attributes), timeout);
  }

  async status(role: "auth" | "acct", timeout?: number): Promise<Reply | null> {
    return this.exchange(this.prepareStatus(role), timeout);
  }

  prepareStatus(role: "auth" | "acct"): Prepared {
    const random = randomBytes(16);
    const datagram = this.#mac(this.#packet(role, 12, random, [mac()]), random);
    return { role, datagram, check: () => [] };
  }

  prepareAccess(request: AccessRequest): Prepared {
    const { messageAuthenticator = true, attributes = [] } = request;
    const random = randomBytes(16);
    const proof = credentials(request, random, this.#secret);
    const encoded = [
      attribute(1, Buffer.from(request.name)),
      ...proof.attributes,
      ...attributes.map(named),
      ...(messageAuthenticator ? [mac()] : []),
    ];
    const packet = this.#packet("auth", 1, random, encoded);
    const datagram = messageAuthenticator ? this.#mac(packet, random) : packet;
    return { role: "auth", datagram, check: proof.check };
  }

  /** A Message-Authenticator is computed over a zeroed authenticator field, as radclient does. */
  prepareAccounting(
    status: AccountingStatus,
    attributes: readonly NamedAttribute[],
    { messageAuthenticator = false } = {},
  ): Prepared {
    const zero = Buffer.alloc(16);
    const encoded = [named(["Acct-Status-Type", status]), ...attributes.map(named)];
    const packet = this.#packet("acct", 4, zero, messageAuthenticator ? [...encoded, mac()] : encoded);
    const datagram = messageAuthenticator ? this.#mac(packet, zero) : packet;
    datagram.set(packetDigest(datagram, zero, this.#secret), 4);
    return { role: "acct", datagram, check: () => [] };
  }

  /** Sends a request and judges the first reply to it; null when none comes in time. */
  async exchange(prepared: Prepared, timeout?: number): Promise<Reply | null> {
    const raw = await this.raw(prepared.role, prepared.datagram, timeout);
    return raw === null ? null : this.judge(raw, prepared);
  }

  /** Resolves to the first datagram with the request's identifier; null after the timeout. */
  async raw(
    role: "auth" | "acct",
    datagram: Uint8Array,
    timeout = this.#target.timeout ?? 12_000,
  ): Promise<Buffer | null> {
    const socket = await this.#socket;
    const port = this.#port(role);
    const key = `${port} ${datagram[1] ?? 0}`;
    const { promise, resolve } = Promise.withResolvers<Buffer | null>();
    const waiters = this.#waiting.get(key) ?? [];
    const settle: Waiter = (reply) => {
      clearTimeout(timer);
      waiters.splice(waiters.indexOf(settle), 1);
      if (waiters.length === 0) this.#waiting.delete(key);
      resolve(reply);
    };
    const timer = setTimeout(settle, timeout, null);
    waiters.push(settle);
    this.#waiting.set(key, waiters);
    try {
      socket.send(datagram, port, this.#target.host);
    } catch {
      // An earlier refusal is reported on this send, which is then lost: once more.
      socket.send(datagram, port, this.#target.host);
    }
    return promise;
  }

  async close(): Promise<void> {
    for (const settle of [...this.#waiting.values()].flat()) settle(null);
    (await this.#socket).close();
  }

  #port(role: "auth" | "acct"): number {
    return role === "auth" ? this.#target.port : this.#target.acctPort;
  }

  #packet(role: "auth" | "acct", code: number, authenticator: Buffer, attributes: readonly Buffer[]): Buffer {
    const port = this.#port(role);
    for (let tries = 0; tries < 256; tries++) {
      this.#identifier = (this.#identifier + 1) % 256;
      if (!this.#waiting.has(`${port} ${this.#identifier}`)) break;
      if (tries === 255) throw new Error("256 requests are on their way; open another RadiusClient");
    }
    const packet = Buffer.concat([Buffer.of(code, this.#identifier, 0, 0), authenticator, ...attributes]);
    packet.writeUInt16BE(packet.length, 2);
    return packet;
  }

  /** Fills in the Message-Authenticator, which is the last attribute. */
  #mac(packet: Buffer, authenticator: Buffer): Buffer {
    const at = packet.length - 16;
    packet.set(packetMac(packet, authenticator, at, this.#secret), at);
    return packet;
  }

  /** A reply with every proof that fails. */
  judge(raw: Buffer, { datagram, check }: Prepared): Reply {
    const packet = parsePacket(raw);
    if (typeof packet === "string")
      return { code: "", attributes: {}, raw, faults: [`malformed: ${packet}`] };
    const attributes: Record<string, AttributeValue[]> = {};
    for (const [name, value] of decodeAttributes(packet)) (attributes[name] ??= []).push(value);
    const code = codeName(packet.code);
    const faults = [
      ...this.#authenticators(raw, datagram),
      ...(sameProxyStates(raw, datagram) ? [] : ["Proxy-State"]),
      ...check({ code, find: (name) => attributes[name]?.[0] }),
    ];
    return { code, attributes, raw, faults };
  }

  #authenticators(raw: Buffer, request: Buffer): string[] {
    const random = request.subarray(4, 20);
    const faults: string[] = [];
    if (!packetDigest(raw, random, this.#secret).equals(raw.subarray(4, 20)))
      faults.push("Response Authenticator");
    const at = walk(raw).find(({ type }) => type === 80)?.at ?? 0;
    if (raw[0] === 5)
      return at === 0 ? faults : [...faults, "Message-Authenticator in an Accounting-Response"];
    if (at === 0) return [...faults, "Message-Authenticator absent"];
    if (at !== 20) faults.push("Message-Authenticator not first");
    const valid = packetMac(raw, random, at + 2, this.#secret).equals(raw.subarray(at + 2, at + 18));
    return valid ? faults : [...faults, "Message-Authenticator"];
  }
}

function sameProxyStates(reply: Buffer, request: Buffer): boolean {
  const states = (packet: Buffer) =>
    walk(packet).flatMap(({ type, value }) => (type === 33 ? [value.toString("hex")] : []));
  return states(reply).join() === states(request).join();
}

function walk(packet: Buffer): { at: number; type: number; value: Buffer }[] {
  const all = [];
  for (let at = 20; at + 1 < packet.length; at += packet.readUInt8(at + 1)) {
    all.push({
      at,
      type: packet.readUInt8(at),
      value: packet.subarray(at + 2, at + packet.readUInt8(at + 1)),
    });
  }
  return all;
}

function named([name, value]: NamedAttribute): Buffer {
  const encoded = encodeAttribute(name, value);
  if (encoded.vendor === 0) return attribute(encoded.type, encoded.value);
  const vendor = Buffer.alloc(4);
  vendor.writeUInt32BE(encoded.vendor);
  return attribute(26, Buffer.concat([vendor, attribute(encoded.type, encoded.value)]));
}
