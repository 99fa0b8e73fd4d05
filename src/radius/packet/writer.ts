import { randomBytes } from "node:crypto";
import { isIPv4 } from "node:net";

import { packetHmac, packetMd5 } from "./digests.ts";
import { Attribute, type AttributeType, Code, type Kind } from "./numbers.ts";
import { HEADER, MAX_PACKET, type Packet, type RawAttribute, values } from "./packet.ts";

const ZERO = Buffer.alloc(16);
const NOTHING = Buffer.alloc(0);
const MAX_VALUE = 253;

/** Which authenticator the packet carries: a random one, or the MD5 over the packet with this in its place. */
type Base = { readonly authenticator: Buffer; readonly random: boolean };

export class PacketFull extends RangeError {
  override name = "PacketFull";
}

/** Builds and signs a packet, attribute by attribute. Too long a value throws a RangeError, too long a packet a PacketFull. */
export class PacketWriter {
  readonly #base: Base;
  readonly #echo: readonly Buffer[];
  readonly #signed: boolean;
  #bytes: Buffer;
  #end = HEADER;

  private constructor(
    code: number,
    identifier: number,
    base: Base,
    signed: boolean,
    echo: readonly Buffer[],
  ) {
    if (!Number.isInteger(identifier) || identifier < 0 || identifier > 255) {
      throw new RangeError(`identifier ${identifier} is not a byte`);
    }
    this.#bytes = spare ?? Buffer.allocUnsafe(512);
    spare = undefined;
    this.#bytes[0] = code;
    this.#bytes[1] = identifier;
    this.#base = base;
    this.#echo = echo;
    this.#signed = signed;
    // First, because a forged prefix must not fit in front of it (CVE-2024-3596).
    if (signed) this.attribute(Attribute["Message-Authenticator"], ZERO);
  }

  /**
   * A reply (RFC 2865 section 3): Message-Authenticator first in Access-Accept, -Reject and -Challenge, none in others;
   * the request's Proxy-States last, in order (RFC 2865 section 5.33).
   */
  static reply(code: number, request: Packet): PacketWriter {
    const access =
      code === Code["Access-Accept"] || code === Code["Access-Reject"] || code === Code["Access-Challenge"];
    const base = { authenticator: request.authenticator, random: false };
    return new PacketWriter(
      code,
      request.identifier,
      base,
      access,
      values(request, Attribute["Proxy-State"]),
    );
  }

  /** A request; Access-Request and Status-Server get a random authenticator, others a checksum (RFC 5176 section 2.3). */
  static request(
    code: number,
    identifier: number,
    { messageAuthenticator }: { messageAuthenticator: boolean },
  ): PacketWriter {
    const random = code === Code["Access-Request"] || code === Code["Status-Server"];
    const authenticator = random ? randomBytes(16) : ZERO;
    return new PacketWriter(code, identifier, { authenticator, random }, messageAuthenticator, []);
  }

  /** The Request Authenticator, under which passwords and keys of this packet are encrypted. */
  get authenticator(): Buffer {
    return this.#base.authenticator;
  }

  /** Appends bytes; an empty value throws, as it must be left out (RFC 2865 section 5). */
  attribute(type: AttributeType, value: Uint8Array): this {
    return this.#attribute(type, value);
  }

  text(type: AttributeType<"text">, value: string): this {
    return this.attribute(type, encoded(value));
  }

  integer(type: AttributeType<"integer">, value: number): this {
    const at = this.#reserve(type, 4);
    this.#bytes.writeUInt32BE(uint32(value), at);
    return this;
  }

  ipv4(type: AttributeType<"ipv4">, address: string): this {
    if (!isIPv4(address)) throw new RangeError(`${JSON.stringify(address)} is not an IPv4 address`);
    return this.attribute(type, Buffer.from(address.split(".").map(Number)));
  }

  encoded(bytes: Uint8Array): this {
    const at = this.#reserve(bytes[0] ?? 0, bytes.length - 2);
    this.#bytes.set(bytes.subarray(2), at);
    return this;
  }

  /** Appends a vendor's attribute in a Vendor-Specific of its own (RFC 2865 section 5.26). */
  vendor<V extends number>(vendor: V, type: AttributeType<Kind, NoInfer<V>>, value: Uint8Array): this {
    return this.#vendor(vendor, type, value);
  }

  vendorText<V extends number>(vendor: V, type: AttributeType<"text", NoInfer<V>>, value: string): this {
    return this.vendor(vendor, type, encoded(value));
  }

  vendorInteger<V extends number>(
    vendor: V,
    type: AttributeType<"integer", NoInfer<V>>,
    value: number,
  ): this {
    word.writeUInt32BE(uint32(value));
    return this.vendor(vendor, type, word);
  }

  raw(attributes: readonly RawAttribute[]): this {
    for (const { vendor, type, value } of attributes) {
      if (vendor === 0) this.#attribute(type, value);
      else this.#vendor(vendor, type, value);
    }
    return this;
  }

  /** The signed datagram. The writer stays as it was. */
  sign(secret: Uint8Array): Buffer {
    const end = this.#end;
    for (const value of this.#echo) {
      const at = this.#reserve(Attribute["Proxy-State"], value.length);
      this.#bytes.set(value, at);
    }
    const packet = Buffer.allocUnsafe(this.#end);
    this.#bytes.copy(packet, 0, 0, this.#end);
    this.#end = end;

    packet.writeUInt16BE(packet.length, 2);
    const { authenticator, random } = this.#base;
    packet.set(authenticator, 4);
    // both are computed over the packet with the authenticator in its field and a zeroed Message-Authenticator
    if (this.#signed) {
      const zeroAt = HEADER + 2;
      packet.set(packetHmac(packet, secret, { zeroAt }), zeroAt);
    }
    if (!random) packet.set(packetMd5(packet, secret), 4);
    return packet;
  }

  #attribute(type: number, value: Uint8Array): this {
    if (value.length === 0) throw new RangeError(`attribute ${type} has no value`);
    const at = this.#reserve(type, value.length);
    this.#bytes.set(value, at);
    return this;
  }

  #vendor(vendor: number, type: number, value: Uint8Array): this {
    if (value.length === 0) throw new RangeError(`attribute ${type} of vendor ${vendor} has no value`);
    const at = this.#reserve(Attribute["Vendor-Specific"], 6 + value.length);
    this.#bytes.writeUInt32BE(vendor, at);
    this.#bytes[at + 4] = type;
    this.#bytes[at + 5] = 2 + value.length;
    this.#bytes.set(value, at + 6);
    return this;
  }

  /** `sign` for the last use of the writer, whose buffer is reused: most replies need no new one. */
  finish(secret: Uint8Array): Buffer {
    const packet = this.sign(secret);
    spare = this.#bytes;
    this.#bytes = NOTHING;
    this.#end = MAX_PACKET;
    return packet;
  }

  /** Writes an attribute's header and returns the offset of its value. */
  #reserve(type: number, length: number): number {
    if (length > MAX_VALUE)
      throw new RangeError(`attribute ${type} is ${length} bytes long, ${MAX_VALUE} is the most`);
    const start = this.#end;
    const end = start + 2 + length;
    if (end > MAX_PACKET)
      throw new PacketFull(`attribute ${type} does not fit, a packet has ${MAX_PACKET} bytes`);
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(MAX_PACKET, Math.max(end, this.#bytes.length * 4)));
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#bytes[start] = type;
    this.#bytes[start + 1] = 2 + length;
    this.#end = end;
    return start + 2;
  }
}

const word = Buffer.alloc(4);
/** The buffer of a finished writer. */
let spare: Buffer | undefined;

/** Encoded texts of packages and rejects, which are few and part of nearly every reply; dropped all at once when there are many. */
const texts = new Map<string, Buffer>();
const MAX_TEXTS = 1000;

function encoded(text: string): Buffer {
  const known = texts.get(text);
  if (known) return known;
  if (texts.size >= MAX_TEXTS) texts.clear();
  const bytes = Buffer.from(text, "utf8");
  texts.set(text, bytes);
  return bytes;
}

function uint32(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff)
    throw new RangeError(`${value} is not a uint32`);
  return value;
}
