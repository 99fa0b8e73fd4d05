import { phrase, Phrase, phrases } from "../../core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { type Field, field } from "../../core/fields/fields.ts";
import { definitionNamed, definitions } from "./dictionary.ts";
import { encodeAttribute, type EncodedAttribute, ValueFault } from "./encode.ts";
import { pairName, whyOwned, whyOwnedPair } from "./owned.ts";

export interface ReplyAttribute extends EncodedAttribute {
  readonly key: string;
}

/** Package and subscriber share an Accept of 4096 bytes with our own attributes. */
const MOST_BYTES = 1024;
const MOST_LINES = 32;

/** `Name=value` as in FreeRADIUS: with `:=` or `+=`, blanks and quotes. */
const LINE = /^([A-Za-z0-9_.-]+?)(?::(\d{1,2}))?\s*[:+]?=\s*(.*)$/;

const QUOTED = /^".*"$/;

/** Name with tag, and a pair's name (`ip:vrf-id=5`). */
export function replyKey({ name, value }: Pick<EncodedAttribute, "name" | "value">): string {
  const key = name.toLowerCase();
  return key.endsWith("avpair") ? `${key}=${pairName(value)}` : key;
}

interface Read {
  readonly attributes: readonly ReplyAttribute[];
  readonly faults: readonly Phrase[];
}

function readLines(text: string): Read {
  const attributes: ReplyAttribute[] = [];
  const faults: Phrase[] = [];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const read = readLine(line);
    if (read instanceof Phrase) faults.push(phrase`line ${index + 1}: ${read}`);
    else attributes.push(read);
  }
  const bytes = attributes.reduce((sum, one) => sum + one.bytes.length, 0);
  if (attributes.length > MOST_LINES)
    faults.push(phrase`has ${attributes.length} attributes, and ${MOST_LINES} is the most; leave some out`);
  if (bytes > MOST_BYTES)
    faults.push(
      phrase`takes ${bytes} bytes in an answer, and ${MOST_BYTES} is the most; leave some out, or write shorter ones`,
    );
  return { attributes, faults };
}

/** A text is the fault. */
function readLine(line: string): ReplyAttribute | Phrase {
  const [, name = "", tag, rest = ""] = LINE.exec(line) ?? [];
  if (name === "")
    return phrase`is no attribute; write its name, = and its value, such as Framed-Route=10.9.0.0/24`;
  const definition = definitionNamed(name);
  if (!definition) return phrase`${name} is in no dictionary of ours; ${suggestionFor(name)}`;
  const owned = whyOwned(definition);
  if (owned) return phrase`${definition.name} ${owned}`;
  try {
    const value = QUOTED.test(rest) ? rest.slice(1, -1) : rest;
    if (/\p{Cc}/u.test(value)) throw new ValueFault(phrase`must be without control characters`);
    const ownedPair = whyOwnedPair(definition, value);
    if (ownedPair) return phrase`${definition.name} ${ownedPair}`;
    const encoded = encodeAttribute(definition, tag === undefined ? undefined : Number(tag), value);
    return { ...encoded, key: replyKey(encoded) };
  } catch (error) {
    if (error instanceof ValueFault) return phrase`${definition.name} ${error.phrase}`;
    throw error;
  }
}

function suggestionFor(name: string): Phrase {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const alike = definitions.filter((one) => {
    const own = one.name.toLowerCase().replace(/[^a-z0-9]/g, "");
    if (own === plain || plain.length < 5) return own === plain;
    return own.endsWith(plain) || plain.endsWith(own) || own.startsWith(plain);
  });
  const [like] = alike.toSorted((a, b) => a.name.length - b.name.length);
  return like
    ? phrase`write ${like.name}, if that is meant`
    : phrase`write it as its RFC or its vendor has it, such as Framed-Route or Cisco-AVPair`;
}

/** Extra reply attributes, `Name=value` a line; the appliance's own are refused. */
export const replyAttributesField: Field<string> = {
  ...field(
    Type.String({ maxLength: 10_000 }),
    phrase`must be RADIUS attributes, one on a line, such as Framed-Route=10.9.0.0/24`,
    (text) => {
      const { attributes, faults } = readLines(text);
      return faults.length > 0 ? undefined : attributeLines(attributes) || undefined;
    },
  ),
  explain: (value) => {
    const { faults } = typeof value === "string" ? readLines(value) : { faults: [] };
    return faults.length > 0 ? phrases(faults) : undefined;
  },
};

function attributeLines(attributes: readonly EncodedAttribute[]): string {
  return attributes.map(({ name, value }) => `${name}=${quoted(value)}`).join("\n");
}

function quoted(value: string): string {
  return value !== value.trim() || QUOTED.test(value) ? `"${value}"` : value;
}

const known = new Map<string, ReplyAttributes | undefined>();
const MAX_KNOWN = 10_000;

export class ReplyAttributes {
  readonly attributes: readonly ReplyAttribute[];
  readonly keys: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;

  private constructor(attributes: readonly ReplyAttribute[]) {
    this.attributes = attributes;
    this.keys = new Set(attributes.map(({ key }) => key));
    this.#names = new Set(attributes.map(({ name }) => name));
  }

  /** The subscriber's replace the package's of the same key. undefined: none. */
  static of(ofPackage: string | null, ofSubscriber: string | null): ReplyAttributes | undefined {
    if (ofPackage === null && ofSubscriber === null) return undefined;
    const key = `${ofPackage ?? ""}\0${ofSubscriber ?? ""}`;
    if (known.has(key)) return known.get(key);
    const made = ReplyAttributes.#read(ofPackage, ofSubscriber);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, made);
    return made;
  }

  static #read(ofPackage: string | null, ofSubscriber: string | null): ReplyAttributes | undefined {
    const own = ofSubscriber === null ? [] : readLines(ofSubscriber).attributes;
    const keys = new Set(own.map(({ key }) => key));
    const sold = ofPackage === null ? [] : readLines(ofPackage).attributes;
    const all = [...sold.filter(({ key }) => !keys.has(key)), ...own];
    return all.length === 0 ? undefined : new ReplyAttributes(all);
  }

  replaces({ name, value }: { readonly name: string; readonly value: string | number }): boolean {
    return this.#names.has(name) && this.keys.has(replyKey({ name, value: String(value) }));
  }

  /** Identifies the set. */
  toJSON(): string {
    return attributeLines(this.attributes);
  }
}
