import { isIPv4, isIPv6 } from "node:net";

import ipaddr from "ipaddr.js";
import radius from "radius";
import rfc2865 from "radius/dictionaries/dictionary.rfc2865" with { type: "text" };
import rfc2866 from "radius/dictionaries/dictionary.rfc2866" with { type: "text" };
import rfc2867 from "radius/dictionaries/dictionary.rfc2867" with { type: "text" };
import rfc2868 from "radius/dictionaries/dictionary.rfc2868" with { type: "text" };
import rfc2869 from "radius/dictionaries/dictionary.rfc2869" with { type: "text" };
import rfc3162 from "radius/dictionaries/dictionary.rfc3162" with { type: "text" };
import rfc3576 from "radius/dictionaries/dictionary.rfc3576" with { type: "text" };
import rfc3580 from "radius/dictionaries/dictionary.rfc3580" with { type: "text" };
import rfc4372 from "radius/dictionaries/dictionary.rfc4372" with { type: "text" };
import rfc4818 from "radius/dictionaries/dictionary.rfc4818" with { type: "text" };
import rfc4849 from "radius/dictionaries/dictionary.rfc4849" with { type: "text" };
import rfc5176 from "radius/dictionaries/dictionary.rfc5176" with { type: "text" };

import { ownDictionary } from "./dictionary.ts";
import { Attribute, Vendor } from "./numbers.ts";
import { attributes, type Packet, type RawAttribute, utf8 } from "./packet.ts";

/** Text, addresses and named values are strings; integers and dates (UTC seconds) numbers; everything else bytes. */
export type AttributeValue = string | number | Uint8Array;

/** A dictionary name and a value. A tag (RFC 2868) follows the name: `Tunnel-Type:1`. */
export type NamedAttribute = readonly [name: string, value: AttributeValue];

/** A packet's attributes by name, in order, for people and tests. Malformed values stay bytes. */
export function decodeAttributes(packet: Packet): NamedAttribute[] {
  return attributes(packet).map(decode);
}

/** An attribute ready to write. Throws a TypeError for an unknown name or a value that its type cannot hold. */
export function encodeAttribute(name: string, value: AttributeValue): RawAttribute {
  const [plain = name, tag] = name.split(":");
  const known = findDefinition(plain);
  if (known === undefined) return encodeNumbered(name, value);
  const { vendor, type, kind } = known;
  const ready = (bytes: Uint8Array): RawAttribute => ({ vendor, type, value: Buffer.from(bytes) });
  const refuse = (why: string) => new TypeError(`${name}: ${JSON.stringify(value)} ${why}`);

  if (value instanceof Uint8Array) {
    if (tag !== undefined) throw new TypeError(`${name}: bytes have their tag in front`);
    return ready(value);
  }
  // The package would send some of these in clear, and others with the secret of its last call.
  if (known.encrypted) throw new TypeError(`${name}: is encrypted on the wire and taken as bytes only`);
  if (tag !== undefined && !(known.tagged && /^\d+$/.test(tag) && Number(tag) <= 0x1f))
    throw refuse("takes no such tag");

  // Refuses what the package would silently bend or drop.
  switch (kind) {
    case "string":
    case "text":
      if (typeof value !== "string" || value === "") throw refuse("is no text");
      break;
    case "integer":
    case "time":
      if (!isUint32(known.numbers.has(String(value)) ? 0 : value))
        throw refuse("is neither a uint32 nor a known value");
      break;
    case "ipaddr":
      if (typeof value !== "string" || !isIPv4(value)) throw refuse("is no IPv4 address");
      break;
    case "date":
      if (!isUint32(value)) throw refuse("is no time in seconds");
      return ready(uint32(Number(value)));
    case "ipv6addr":
      if (typeof value !== "string" || !isIPv6(value)) throw refuse("is no IPv6 address");
      return ready(Buffer.from(ipaddr.IPv6.parse(value).toByteArray()));
    case "ipv6prefix":
      if (typeof value !== "string" || !ipaddr.IPv6.isValidCIDR(value)) throw refuse("is no IPv6 prefix");
      return ready(encodePrefix(value));
    default:
      throw refuse(`has to be given as bytes, the type is ${kind}`);
  }
  const into = Buffer.alloc(3 + 4 * String(value).length + 4);
  const pair = tag === undefined ? [String(type), value] : [String(type), Number(tag), value];
  return ready(into.subarray(2, radius.encode_attributes(into, [pair], namespace(vendor))));
}

interface Definition {
  readonly vendor: number;
  readonly type: number;
  readonly name: string;
  readonly kind: string;
  readonly tagged: boolean;
  readonly encrypted: boolean;
  /** The dictionary's value names and their numbers. */
  readonly numbers: ReadonlyMap<string, unknown>;
}

function decode({ vendor, type, value }: RawAttribute): NamedAttribute {
  const known = define(type, vendor);
  if (known === undefined) return [vendor === 0 ? `Attr-${type}` : `Attr-26.${vendor}.${type}`, value];
  const { name, kind } = known;
  if (known.encrypted || value.length === 0) return [name, value];
  switch (kind) {
    case "string":
    case "text":
      if (utf8(value) === undefined) return [name, value];
      break;
    case "integer":
    case "time":
      if (value.length !== 4 || (known.tagged && value.readUInt8(0) > 0x1f)) return [name, value];
      break;
    case "ipaddr":
      if (value.length !== 4) return [name, value];
      break;
    case "date":
      return [name, value.length === 4 ? value.readUInt32BE(0) : value];
    case "ipv6addr":
      return [name, value.length === 16 ? new ipaddr.IPv6([...value]).toRFC5952String() : value];
    case "ipv6prefix":
      return [name, decodePrefix(value) ?? value];
    default:
      return [name, value];
  }
  const into: Record<string, unknown> = {};
  radius.decode_attributes(
    Buffer.concat([Uint8Array.of(type, 2 + value.length), value]),
    into,
    namespace(vendor),
  );
  const decoded = into[name];
  if (Array.isArray(decoded)) {
    const [tag, inner]: unknown[] = decoded;
    return [tag === 0 ? name : `${name}:${tag}`, plainValue(inner) ?? value];
  }
  return [name, plainValue(decoded) ?? value];
}

function plainValue(decoded: unknown): string | number | undefined {
  return typeof decoded === "string" || typeof decoded === "number" ? decoded : undefined;
}

/** `Attr-200` and `Attr-26.9.1`: unnamed attributes, as `decodeAttributes` shows them. */
function encodeNumbered(name: string, value: AttributeValue): RawAttribute {
  const match = /^Attr-(?:26\.(\d{1,10})\.)?(\d{1,3})$/.exec(name);
  const vendor = Number(match?.[1] ?? 0);
  const type = Number(match?.[2] ?? 256);
  if (type > 255 || !isUint32(vendor)) throw new TypeError(`${name}: no such attribute`);
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name}: has to be given as bytes`);
  return { vendor, type, value: Buffer.from(value) };
}

/** RFC 3162 section 2.3: a reserved byte, the length in bits, and the bytes of the prefix. */
function encodePrefix(text: string): Buffer {
  const [address, bits] = ipaddr.IPv6.parseCIDR(text);
  return Buffer.from([0, bits, ...address.toByteArray().slice(0, Math.ceil(bits / 8))]);
}

function decodePrefix(value: Buffer): string | undefined {
  const bits = value[1] ?? 129;
  if (bits > 128 || value.length > 18 || value.length < 2 + Math.ceil(bits / 8)) return undefined;
  const bytes = Buffer.concat([value.subarray(2)], 16);
  return `${new ipaddr.IPv6([...bytes]).toRFC5952String()}/${bits}`;
}

function findDefinition(name: string): Definition | undefined {
  for (const vendor of [0, ...Object.values(Vendor)]) {
    const known = define(name, vendor);
    if (known?.name === name) return known;
  }
  return undefined;
}

// Indexes in the package's definitions.
const FIELD = { type: 0, name: 1, kind: 2, numbers: 4, modifiers: 5 } as const;

function define(attribute: string | number, vendor: number): Definition | undefined {
  load();
  const field = (which: keyof typeof FIELD) => radius["_attr_to"](attribute, namespace(vendor), FIELD[which]);
  const name = field("name");
  const kind = field("kind");
  if (typeof name !== "string" || typeof kind !== "string") return undefined;
  const type = Number(field("type"));
  if (vendor === 0 && type === Attribute["Vendor-Specific"]) return undefined;
  const modifiers = Object.keys(Object(field("modifiers")));
  return {
    vendor,
    type,
    name,
    kind,
    tagged: modifiers.includes("has_tag"),
    encrypted: modifiers.some((modifier) => modifier.startsWith("encrypt")),
    numbers: new Map(Object.entries(Object(field("numbers")))),
  };
}

/** The package's key of RFC attributes is -1. */
function namespace(vendor: number): number {
  return vendor === 0 ? -1 : vendor;
}

let loaded = false;

/** Passes the dictionaries as text: the package would look for files that an executable does not have. */
function load(): void {
  if (loaded) return;
  const numbered = [rfc2865, rfc2866, rfc2867, rfc2868, rfc2869, rfc3162, rfc3576, rfc3580, rfc4372, rfc4818];
  for (const dictionary of [...numbered, rfc4849, rfc5176, ownDictionary])
    radius["_load_dictionary"](dictionary);
  loaded = true;
}

function isUint32(value: AttributeValue): boolean {
  const digits = typeof value === "string" && /^\d{1,10}$/.test(value);
  const number = digits || typeof value === "number" ? Number(value) : -1;
  return Number.isInteger(number) && number >= 0 && number <= 0xffffffff;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
