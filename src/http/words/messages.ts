import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packed } from "../../os/packed.ts";
import { Phrase } from "../../domain/core/errors/phrase.ts";
import { counts, type Messages } from "./compiled/messages.ts";

/**
 * A piece of a message: text, the place of the argument that is written as it stands, of the number that is written as the
 * language writes it, or a choice between messages by an argument.
 */
export type Part =
  | string
  | number
  | readonly [at: number]
  | readonly [at: number, by: "select" | "cardinal" | "ordinal", cases: Readonly<Record<string, Said>>];
export type Said = string | readonly Part[];

/** Messages by chapter and key, as the build makes them of the files. */
export type Compiled = Readonly<Record<string, Readonly<Record<string, Said>>>>;

const compiled = new Map<string, Compiled>();

/** Read when it is first asked for; of a language that is none of ours there is nothing. */
export function readCompiled(tag: string): Compiled {
  return compiled.getOrInsertComputed(tag, () =>
    Object.hasOwn(counts, tag) ? (wordsFile(tag) as Compiled) : {},
  );
}

/** Of `compiled/`. */
export const wordsFile = (name: string): unknown =>
  JSON.parse(packed(name, () => readFileSync(join(import.meta.dir, `compiled/${name}.words`), "utf8")));

/** What the layers say, the last of them first; what all lack is English. */
function layered(...layers: readonly (Compiled | undefined)[]): Compiled {
  const english = readCompiled("en");
  const all = Object.keys(english).map((name) => {
    const messages = Object.assign({}, english[name], ...layers.map((layer) => layer?.[name]));
    return [name, messages as Readonly<Record<string, Said>>] as const;
  });
  return Object.fromEntries(all);
}

/** Own words by where they are for: `es` for all of the appliance, `3/es` for an ISP. */
export type OwnMessages = ReadonlyMap<string, Compiled>;
let own: OwnMessages = new Map();

/** In place of those of the build. */
export function useOwnMessages(messages: OwnMessages): void {
  own = messages;
  made.clear();
  known.clear();
}

/** Of a language that is no file of the program. */
export function addMessages(tag: string, chapters: Compiled): void {
  compiled.set(tag, layered(chapters));
  for (const kept of [made, known])
    for (const key of kept.keys()) if (key.startsWith(`${tag} `)) kept.delete(key);
}

/** Where counts go by a locale of the language: in Portuguese none is not of `one`, as Africa and Portugal say it. */
const countedAs: Readonly<Record<string, string>> = { pt: "pt-PT" };

/** What numbers and counts of one language are written by. */
class Forms {
  readonly #number: Intl.NumberFormat;
  readonly #tag: string;
  readonly #small: string[] = [];
  #cardinal: Intl.PluralRules | undefined;
  #ordinal: Intl.PluralRules | undefined;

  constructor(tag: string, number: Intl.NumberFormat) {
    this.#tag = tag;
    this.#number = number;
  }

  /** Small ones are written alike everywhere, which costs nothing. */
  number(value: number): string {
    return Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : this.#number.format(value);
  }

  /** Of `one`, `few`, ... */
  plural(count: number, type: "cardinal" | "ordinal"): string {
    if (type === "cardinal" && Number.isInteger(count) && count >= 0 && count < 200)
      return (this.#small[count] ??= this.#select(count, type));
    return this.#select(count, type);
  }

  #select(count: number, type: "cardinal" | "ordinal"): string {
    if (type === "ordinal")
      return (this.#ordinal ??= new Intl.PluralRules(this.#tag, { type })).select(count);
    return (this.#cardinal ??= new Intl.PluralRules(countedAs[this.#tag] ?? this.#tag)).select(count);
  }
}

function say(said: Said, values: readonly unknown[], forms: Forms): string {
  if (typeof said === "string") return said;
  let text = "";
  for (const part of said) {
    if (typeof part === "string") text += part;
    else if (typeof part === "number") text += String(values[part]);
    else if (part.length === 1) text += forms.number(Number(values[part[0]]));
    else text += say(chosen(values[part[0]], part[1], part[2], forms), values, forms);
  }
  return text;
}

function chosen(
  value: unknown,
  by: "select" | "cardinal" | "ordinal",
  cases: Readonly<Record<string, Said>>,
  forms: Forms,
): Said {
  const name =
    by === "select"
      ? isNothing(value)
        ? "none"
        : String(value)
      : Object.hasOwn(cases, `=${String(value)}`)
        ? `=${String(value)}`
        : forms.plural(Number(value), by);
  return (Object.hasOwn(cases, name) ? cases[name] : cases["other"]) ?? "";
}

const isNothing = (value: unknown) => value === undefined || value === null || value === "";

interface Tree {
  [name: string]: string | Tree | readonly unknown[] | ((...values: unknown[]) => string);
}

function buildTree(messages: Readonly<Record<string, Said>>, forms: Forms): Tree {
  const tree: Tree = {};
  for (const [key, said] of Object.entries(messages)) {
    const way = key.split(".");
    const name = way.pop() ?? key;
    let at = tree;
    for (const step of way) at = (at[step] ??= {}) as Tree;
    at[name] = typeof said === "string" ? said : (...values) => say(said, values, forms);
  }
  return listed(tree);
}

/** Tells phrases of the domain; what a language lacks is English. */
function makeTeller(messages: Readonly<Record<string, Said>>, forms: Forms): (phrase: Phrase) => string {
  const tell = (phrase: Phrase): string => {
    const values = phrase.values.map((value) => (value instanceof Phrase ? tell(value) : value));
    const said = phrase.key === null ? undefined : messages[phrase.key];
    return said === undefined ? new Phrase(phrase.key, values).toString() : say(said, values, forms);
  };
  return tell;
}

/** What is numbered from 0 is a list. */
function listed(tree: Tree): Tree {
  for (const [name, value] of Object.entries(tree))
    if (typeof value === "object" && !Array.isArray(value)) {
      const inner = listed(value as Tree);
      tree[name] = "0" in inner ? Object.values(inner) : inner;
    }
  return tree;
}

/** Messages whose numbers are written alike are made once: browsers choose the locale, and there are few ways to write a number. */
const made = new Map<string, Messages>();
const MOST = 64;
const known = new Map<string, Messages>();

/** Of a language, with numbers as the locale writes them, and of an ISP where it has words of its own. A chapter is made when it is first read. */
export function loadMessages(tag: string, locale: string = tag, ispId = 0): Messages {
  const place = own.size > 0 && own.has(`${ispId}/${tag}`) ? `${ispId}/${tag}` : tag;
  const asked = `${place} ${locale}`;
  const before = known.get(asked);
  if (before) return before;
  const [oldest] = known.keys();
  if (known.size >= MOST && oldest !== undefined) known.delete(oldest);
  const number = new Intl.NumberFormat(new Intl.Locale(locale, { numberingSystem: "latn" }));
  const messages = made.getOrInsertComputed(`${place} ${number.format(-1_234_567.5)}`, () =>
    buildChapters(saidIn(tag, place), new Forms(tag, number)),
  );
  known.set(asked, messages);
  return messages;
}

function saidIn(tag: string, place: string): Compiled {
  const built = readCompiled(tag);
  if (!own.has(place) && !own.has(tag)) return built;
  return layered(built, own.get(tag), place === tag ? undefined : own.get(place));
}

function buildChapters(chapters: Compiled, forms: Forms): Messages {
  const messages = {};
  for (const [name, chapter] of Object.entries(chapters)) {
    const get = () => {
      const value = name === "refusals" ? makeTeller(chapter, forms) : buildTree(chapter, forms);
      Object.defineProperty(messages, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(messages, name, { get, enumerable: true, configurable: true });
  }
  return messages as Messages;
}
