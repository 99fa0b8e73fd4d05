import { isUtf8 } from "node:buffer";

import ipaddr from "ipaddr.js";

import { Attribute, type AttributeType, type Kind } from "./numbers.ts";

/** A well-framed packet (RFC 2865 section 3): the datagram, cut at its length field. */
export interface Packet {
  readonly code: number;
  readonly identifier: number;
  readonly bytes: Buffer;
  readonly authenticator: Buffer;
  /** Offset of the Message-Authenticator's value in `bytes`; 0: none. */
  readonly messageAuthenticatorAt: number;
  /** Offset of the first attribute of each type in `bytes`; 0: none. */
  readonly firstAt: Uint16Array;
}

export type Malformed = "too_short" | "bad_length" | "bad_attribute" | "bad_message_authenticator";

export const HEADER = 20;
const AUTHENTICATOR_AT = 4;
export const MAX_PACKET = 4096;

/** The arrays that belong to a packet. */
export interface PacketArrays {
  readonly firstAt: Uint16Array;
  readonly authenticator: Buffer;
}

export function packetArrays(): PacketArrays {
  return { firstAt: new Uint16Array(256), authenticator: Buffer.alloc(HEADER - AUTHENTICATOR_AT) };
}

/**
 * Checks the framing of a datagram and all its attributes; returns the fault of a malformed one (RFC 2865 section 3). Callers
 * that are done with one packet before the next reuse the arrays.
 */
export function parsePacket(
  datagram: Uint8Array,
  { firstAt, authenticator } = packetArrays(),
): Packet | Malformed {
  if (datagram.length < HEADER) return "too_short";
  const length = ((datagram[2] ?? 0) << 8) | (datagram[3] ?? 0);
  if (length < HEADER || length > MAX_PACKET || length > datagram.length) return "bad_length";

  const isWhole = datagram instanceof Buffer && datagram.length === length;
  const bytes = isWhole ? datagram : Buffer.from(datagram.buffer, datagram.byteOffset, length);
  firstAt.fill(0);
  if (!findFirsts(bytes, firstAt)) return "bad_attribute";

  const found = firstAt[Attribute["Message-Authenticator"]] ?? 0;
  // RFC 3579 section 3.2: 18 bytes, and never twice.
  if (
    found > 0 &&
    (bytes[found + 1] !== 18 || find(bytes, Attribute["Message-Authenticator"], found + 18) > 0)
  ) {
    return "bad_message_authenticator";
  }
  const messageAuthenticatorAt = found > 0 ? found + 2 : 0;
  bytes.copy(authenticator, 0, AUTHENTICATOR_AT, HEADER);
  return {
    code: bytes[0] ?? 0,
    identifier: bytes[1] ?? 0,
    bytes,
    authenticator,
    messageAuthenticatorAt,
    firstAt,
  };
}

export function count(packet: Packet, type: AttributeType): number {
  const { bytes } = packet;
  let n = 0;
  for (let at = first(packet, type); at > 0; at = find(bytes, type, next(bytes, at))) n++;
  return n;
}

export function has(packet: Packet, type: AttributeType): boolean {
  return first(packet, type) > 0;
}

export function value(packet: Packet, type: AttributeType): Buffer | undefined {
  const at = first(packet, type);
  return at > 0 ? copyBytes(packet.bytes, at + 2, next(packet.bytes, at)) : undefined;
}

export function values(packet: Packet, type: AttributeType): readonly Buffer[] {
  const { bytes } = packet;
  let all: Buffer[] | undefined;
  for (let at = first(packet, type); at > 0; at = find(bytes, type, next(bytes, at))) {
    (all ??= []).push(copyBytes(bytes, at + 2, next(bytes, at)));
  }
  return all ?? NONE;
}

/** The empty list, shared because most packets lack what they are asked for. */
const NONE: readonly Buffer[] = [];

export function vendorValue<V extends number>(
  packet: Packet,
  vendor: V,
  type: AttributeType<Kind, NoInfer<V>>,
): Buffer | undefined {
  return vendorValues(packet, vendor, type)[0];
}

/**
 * Every attribute of a vendor's type (RFC 2865 section 5.26). A Vendor-Specific that does not consist of attributes, which the
 * RFC allows, yields none.
 */
export function vendorValues<V extends number>(
  packet: Packet,
  vendor: V,
  type: AttributeType<Kind, NoInfer<V>>,
): readonly Buffer[] {
  const { bytes } = packet;
  let all: Buffer[] | undefined;
  const specific = Attribute["Vendor-Specific"];
  for (let at = first(packet, specific); at > 0; at = find(bytes, specific, next(bytes, at))) {
    const end = next(bytes, at);
    if (end < at + 6 || bytes.readUInt32BE(at + 2) !== vendor || !tiles(bytes, at + 6, end)) continue;
    for (let sub = at + 6; sub < end; sub = next(bytes, sub)) {
      if (bytes[sub] === type) (all ??= []).push(copyBytes(bytes, sub + 2, next(bytes, sub)));
    }
  }
  return all ?? NONE;
}

/** A 32-bit integer attribute; undefined when absent or not of 4 bytes (RFC 2865 section 5). */
export function integer(packet: Packet, type: AttributeType<"integer">): number | undefined {
  const at = first(packet, type);
  return at > 0 && packet.bytes[at + 1] === 6 ? packet.bytes.readUInt32BE(at + 2) : undefined;
}

/** An IPv4 address attribute as dotted text; undefined when absent or not of 4 bytes (RFC 2865 section 5). */
export function ipv4(packet: Packet, type: AttributeType<"ipv4">): string | undefined {
  const { bytes } = packet;
  const at = first(packet, type);
  if (at === 0 || bytes[at + 1] !== 6) return undefined;
  return `${bytes[at + 2]}.${bytes[at + 3]}.${bytes[at + 4]}.${bytes[at + 5]}`;
}

/** An IPv6 address attribute as RFC 5952 text; undefined when absent or not of 16 bytes (RFC 3162 section 2.1). */
export function ipv6(packet: Packet, type: AttributeType<"ipv6">): string | undefined {
  const bytes = value(packet, type);
  return bytes?.length === 16 ? new ipaddr.IPv6([...bytes]).toRFC5952String() : undefined;
}

/** A text attribute; undefined when absent or not UTF-8 (RFC 2865 section 5). */
export function text({ bytes, firstAt }: Packet, type: AttributeType<"text">): string | undefined {
  const at = firstAt[type] ?? 0;
  if (at === 0) return undefined;
  const end = next(bytes, at);
  // nearly every text is ASCII, which needs neither a view nor UTF-8 validation
  for (let i = at + 2; i < end; i++) if ((bytes[i] ?? 0) > 127) return utf8(bytes.subarray(at + 2, end));
  return bytes.toString("latin1", at + 2, end);
}

/** Bytes as text, and undefined if not UTF-8, so that two different names never become the same text. */
export function utf8(bytes: Buffer | undefined): string | undefined {
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** An attribute as it is in a packet; vendor 0 is the RFC space. */
export interface RawAttribute {
  readonly vendor: number;
  readonly type: number;
  readonly value: Buffer;
}

/** Every attribute in order, with Vendor-Specific ones opened where they consist of attributes. For logs and tests. */
export function attributes(packet: Packet): RawAttribute[] {
  const { bytes } = packet;
  const all: RawAttribute[] = [];
  for (let at = HEADER; at < bytes.length; at = next(bytes, at)) {
    const end = next(bytes, at);
    const opens =
      bytes[at] === Attribute["Vendor-Specific"] && end > at + 6 && bytes.readUInt32BE(at + 2) > 0;
    if (opens && tiles(bytes, at + 6, end)) {
      const vendor = bytes.readUInt32BE(at + 2);
      for (let sub = at + 6; sub < end; sub = next(bytes, sub)) {
        all.push({ vendor, type: bytes[sub] ?? 0, value: bytes.subarray(sub + 2, next(bytes, sub)) });
      }
    } else {
      all.push({ vendor: 0, type: bytes[at] ?? 0, value: bytes.subarray(at + 2, end) });
    }
  }
  return all;
}

function tiles(bytes: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at < end) {
    const length = bytes[at + 1] ?? 0;
    if (length < 2) return false;
    at += length;
  }
  return at === end;
}

/** Records the offset of the first attribute of each type; false when attributes do not fill the packet exactly. */
function findFirsts(bytes: Buffer, firstAt: Uint16Array): boolean {
  const end = bytes.length;
  let at = HEADER;
  while (at < end) {
    const length = bytes[at + 1] ?? 0;
    if (length < 2) return false;
    const type = bytes[at] ?? 0;
    if (firstAt[type] === 0) firstAt[type] = at;
    at += length;
  }
  return at === end;
}

/** A copy: the first view of a small array moves the array, which costs more than copying a few bytes. */
export function copyBytes(bytes: Buffer, start: number, end: number): Buffer {
  const copy = Buffer.allocUnsafe(end - start);
  bytes.copy(copy, 0, start, end);
  return copy;
}

function first(packet: Packet, type: number): number {
  return packet.firstAt[type] ?? 0;
}

/** The offset of the first attribute of a type at or after `from`; 0: none. */
function find(bytes: Buffer, type: number, from: number): number {
  for (let at = from; at < bytes.length; at = next(bytes, at)) if (bytes[at] === type) return at;
  return 0;
}

/** The end of the attribute at `at`, whose length `tiles` has checked. */
function next(bytes: Buffer, at: number): number {
  return at + (bytes[at + 1] ?? bytes.length);
}
