import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { type Definition, definitionNamed } from "./dictionary.ts";

/** An attribute as text, and as type, length and value (a vendor's within Vendor-Specific). */
export interface EncodedAttribute {
  readonly kind: "encoded";
  readonly name: string;
  readonly value: string;
  readonly bytes: Uint8Array;
}

/** What the value has to be. */
export class ValueFault extends Error {
  override name = "ValueFault";
  readonly phrase: Phrase;

  constructor(fault: Phrase) {
    super(fault.toString());
    this.phrase = fault;
  }
}

const VENDOR_SPECIFIC = 26;
const MOST = 253;
/** Six bytes of a Vendor-Specific are headers. */
const MOST_OF_VENDOR = MOST - 6;
const MAX_TAG = 0x1f;

/** A cache of packages' attributes, cleared when full. */
const known = new Map<string, EncodedAttribute>();
const MAX_KNOWN = 2000;

/** Throws a ValueFault for an invalid value; an unknown name is a bug. */
export function attribute(name: string, value: string): EncodedAttribute {
  const key = `${name}=${value}`;
  const kept = known.get(key);
  if (kept) return kept;
  const definition = definitionNamed(name);
  if (!definition) throw new Error(`${name} is not in the dictionary`);
  const made = encodeAttribute(definition, undefined, value);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, made);
  return made;
}

export function encodeAttribute(
  definition: Definition,
  tag: number | undefined,
  text: string,
): EncodedAttribute {
  const { name, vendor, type, isTagged } = definition;
  if (tag !== undefined && !isTagged) throw new ValueFault(phrase`takes no tag`);
  if (tag !== undefined && tag > MAX_TAG) throw new ValueFault(phrase`takes a tag from 0 to ${MAX_TAG}`);
  const value = tagged(definition, tag, encodeValue(definition, text));
  const most = vendor === 0 ? MOST : MOST_OF_VENDOR;
  if (value.length === 0) throw new ValueFault(phrase`needs a value`);
  if (value.length > most)
    throw new ValueFault(phrase`is ${value.length} bytes long, and ${most} is the most; write a shorter one`);
  const own = [type, value.length + 2, ...value];
  const head = vendor === 0 ? [] : [VENDOR_SPECIFIC, own.length + 6, ...uint32(vendor)];
  const written = tag === undefined ? name : `${name}:${tag}`;
  return { kind: "encoded", name: written, value: text, bytes: Uint8Array.from([...head, ...own]) };
}

/** RFC 2868 section 3: a tag byte before text, and within an integer's first byte. */
function tagged({ kind, isTagged }: Definition, tag: number | undefined, value: Uint8Array): Uint8Array {
  if (!isTagged) return value;
  if (kind === "int") {
    if (value[0] !== 0) throw new ValueFault(phrase`must be below 16777216, for its first byte is the tag`);
    return Uint8Array.from([tag ?? 0, ...value.subarray(1)]);
  }
  return tag === undefined ? value : Uint8Array.from([tag, ...value]);
}

function encodeValue({ kind, values }: Definition, text: string): Uint8Array {
  switch (kind) {
    case "text":
      return Buffer.from(text, "utf8");
    case "int": {
      const number = Object.hasOwn(values, text) ? values[text] : wholeNumber(text);
      if (number !== undefined) return uint32(number);
      const names = Object.keys(values);
      throw new ValueFault(
        phrase`must be a whole number from 0 to 4294967295${names.length > 0 ? phrase`, or one of ${names.join(", ")}` : ""}`,
      );
    }
    case "ip":
      if (!isIPv4(text)) throw new ValueFault(phrase`must be an IPv4 address such as 10.0.0.1`);
      return Uint8Array.from(text.split("."), Number);
    case "ip6":
      if (!isIPv6(text) || text.includes("%"))
        throw new ValueFault(phrase`must be an IPv6 address such as 2001:db8::1`);
      return Uint8Array.from(ipaddr.IPv6.parse(text).toByteArray());
    case "prefix":
      return prefixBytes(text);
    case "ifid":
      if (!/^0x[0-9a-f]{16}$/i.test(text))
        throw new ValueFault(phrase`must be eight bytes such as 0x0200000000000001`);
      return Buffer.from(text.slice(2), "hex");
    case "bytes":
      if (!/^0x(?:[0-9a-f]{2})+$/i.test(text)) throw new ValueFault(phrase`must be bytes such as 0x0a1b2c`);
      return Buffer.from(text.slice(2), "hex");
  }
}

/** Reserved byte, prefix length, and the bytes needed (RFC 3162 section 2.3). */
function prefixBytes(text: string): Uint8Array {
  if (!ipaddr.IPv6.isValidCIDR(text))
    throw new ValueFault(phrase`must be an IPv6 prefix such as 2001:db8:1::/48`);
  const [address, length] = ipaddr.IPv6.parseCIDR(text);
  return Uint8Array.from([0, length, ...address.toByteArray().slice(0, Math.ceil(length / 8))]);
}

function wholeNumber(text: string): number | undefined {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Infinity;
  return number <= 0xffff_ffff ? number : undefined;
}

function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}
