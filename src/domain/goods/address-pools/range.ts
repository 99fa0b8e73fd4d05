import { phrase, Phrase } from "../../core/errors/phrase.ts";
import ipaddr from "ipaddr.js";

/** Addresses or prefixes of a pool, counted from 0. */
export interface Range {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly size: number;
  readonly length: number | null;
}

/** A /12 of IPv4, or the /56 of a /36. */
export const MOST = 2 ** 20;
const BITS = 128;

/** This network, this host, multicast and reserved (RFC 6890); 255.255.255.254 and .255 have meanings in Framed-IP-Address. */
const NOBODYS = [
  [0n, 0x00ff_ffffn],
  [0x7f00_0000n, 0x7fff_ffffn],
  [0xe000_0000n, 0xffff_ffffn],
] as const;

/** A text is the fault. */
export function readRange(text: string, length: number | null): Range | Phrase {
  const range = text.includes(":") ? prefixes(text, length) : addresses(text, length);
  if (range instanceof Phrase) return range;
  if (range.family === 4 && NOBODYS.some((one) => meet(one, rangeBounds(range))))
    return phrase`has addresses that no line can have: of 0.0.0.0/8, 127.0.0.0/8, or from 224.0.0.0 on`;
  if (range.size <= MOST) return range;
  return phrase`holds ${range.size} addresses; a pool has at most ${MOST}`;
}

/** Throws for an invalid stored range. */
export function poolRange(pool: { readonly range: string; readonly length: number | null }): Range {
  const range = readRange(pool.range, pool.length);
  if (range instanceof Phrase) throw new Error(`the range ${pool.range} of a pool ${range}`);
  return range;
}

export function rangeText({ family, first, size, length }: Range): string {
  if (family === 4) return `${v4(first)}-${v4(first + BigInt(size - 1))}`;
  return `${v6(first)}/${(length ?? 0) - Math.log2(size)}`;
}

/** The address at a place of a range, as subscribers' columns have it. */
export function addressAt({ family, first, length }: Range, number: number): string {
  if (family === 4) return v4(first + BigInt(number));
  return `${v6(first + BigInt(number) * stepOf(length))}/${length}`;
}

/** The place of an address in a range; undefined: it is not in it. */
export function numberIn({ family, first, size, length }: Range, address: string): number | undefined {
  const [text = "", bits] = address.split("/");
  if (family === 4 ? bits !== undefined || !ipaddr.IPv4.isValid(text) : Number(bits) !== length)
    return undefined;
  const step = family === 4 ? 1n : stepOf(length);
  const distance = toNumber(text) - first;
  const number = Number(distance / step);
  return distance >= 0n && distance % step === 0n && number < size ? number : undefined;
}

/** First and last IP address. */
export function rangeBounds({ family, first, size, length }: Range): readonly [first: bigint, last: bigint] {
  const step = family === 4 ? 1n : stepOf(length);
  return [first, first + BigInt(size) * step - 1n];
}

export function addressBounds(address: string): readonly [first: bigint, last: bigint] {
  const [text = "", bits] = address.split("/");
  const first = toNumber(text);
  return [first, bits === undefined ? first : first + (1n << BigInt(BITS - Number(bits))) - 1n];
}

export function meet([a, b]: readonly [bigint, bigint], [c, d]: readonly [bigint, bigint]): boolean {
  return a <= d && c <= b;
}

function addresses(text: string, length: number | null): Range | Phrase {
  if (length !== null) return phrase`is of IPv4 addresses, which have no length; leave it out`;
  const [from = "", to, ...more] = text.split("-").map((part) => part.trim());
  if (to === undefined) return network(from);
  if (more.length > 0 || !ipaddr.IPv4.isValidFourPartDecimal(from) || !ipaddr.IPv4.isValidFourPartDecimal(to))
    return FORM;
  const [first, last] = [toNumber(from), toNumber(to)];
  return first > last
    ? phrase`ends before it begins`
    : { family: 4, first, size: Number(last - first) + 1, length: null };
}

/** The range of a network, without network and broadcast address. */
function network(text: string): Range | Phrase {
  // other forms differ: 010 is 8, and 10.1 is 10.0.0.1
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return FORM;
  const [address, bits] = ipaddr.IPv4.parseCIDR(text);
  if (bits > 30 || bits < 8) return phrase`must be a network of /8 to /30, or a range`;
  const mask = (1n << BigInt(32 - bits)) - 1n;
  const first = toNumber(address.toString()) & ~mask;
  return { family: 4, first: first + 1n, size: 2 ** (32 - bits) - 2, length: null };
}

function prefixes(text: string, length: number | null): Range | Phrase {
  if (!ipaddr.IPv6.isValidCIDR(text)) return FORM;
  const [address, bits] = ipaddr.IPv6.parseCIDR(text);
  if (length === null) return phrase`is of IPv6, so say which length each subscriber gets: 56 or 64`;
  if (length < bits || length > 64) return phrase`has prefixes of /${bits} to /64, not of /${length}`;
  const first = toNumber(ipaddr.IPv6.networkAddressFromCIDR(text).toString());
  if (first !== toNumber(address.toString()))
    return phrase`has bits behind its length; write ${v6(first)}/${bits}`;
  return { family: 6, first, size: 2 ** (length - bits), length };
}

const FORM = phrase`must be addresses such as 10.0.0.2-10.0.3.254, a network such as 10.0.0.0/22, or an IPv6 prefix such as 2001:db8::/40`;

const stepOf = (length: number | null) => 1n << BigInt(BITS - (length ?? BITS));

function toNumber(address: string): bigint {
  return ipaddr
    .parse(address)
    .toByteArray()
    .reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function toBytes(value: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, at) => Number((value >> BigInt(8 * (count - 1 - at))) & 255n));
}

const v4 = (value: bigint) => toBytes(value, 4).join(".");
const v6 = (value: bigint) => new ipaddr.IPv6(toBytes(value, 16)).toRFC5952String();
