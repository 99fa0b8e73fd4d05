import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Part, Said } from "./messages.ts";

/** What an argument takes: the cases of a choice, a number that is counted or written, or whatever is written as it stands. */
export type Argument = "text" | "number" | readonly string[];

export interface Parsed {
  readonly arguments: ReadonlyMap<string, Argument>;
  /** With arguments in the order of `names`. */
  readonly said: (names: readonly string[]) => Said;
}

/** Its words are those of the chapter `languages`, under `faults`. */
export type TextFault =
  "apostrophe" | "brackets" | "control" | "long" | "missing" | "number" | "style" | "unknown";

/** Thrown where the text of a message is wrong, with the place in it or the argument that it is about. */
export class MessageFault extends Error {
  readonly kind: TextFault;
  readonly about: string;

  constructor(kind: TextFault, about: string) {
    super(`${kind}: ${about}`);
    this.kind = kind;
    this.about = about;
  }
}

/** What English says of a message, which every other language has to fit. */
export interface Model {
  /** In the order in which pages give them. */
  readonly arguments?: Readonly<Record<string, "number" | "text">>;
  /** Those of them that a text may leave out, as English does. */
  readonly optional?: readonly string[];
  readonly description?: string;
  readonly max?: number;
}

/** A text that fits English, in pieces. Throws MessageFault. */
export function fitted(text: string, model: Model): Said {
  const { arguments: given = {}, optional = [], max = Infinity } = model;
  const control = /\p{Cc}/u.exec(text)?.[0];
  if (control !== undefined) throw new MessageFault("control", JSON.stringify(control).slice(1, -1));
  if (text.length > max) throw new MessageFault("long", String(max));
  const { arguments: found, said } = parseMessage(text);
  for (const name of Object.keys(given))
    if (!found.has(name) && !optional.includes(name)) throw new MessageFault("missing", name);
  for (const [name, kind] of found)
    if (kind === "number" && Object.hasOwn(given, name) && given[name] !== "number")
      throw new MessageFault("number", name);
  return said(Object.keys(given));
}

/**
 * ICU MessageFormat, without what no message needs: dates and styles of numbers, which pages format, offsets, and tags. A straight
 * apostrophe before `{` or `<` is refused: it makes the placeholder text, which French falls into.
 */
export function parseMessage(text: string): Parsed {
  const [straight] = /'[{}<>#|]/.exec(text) ?? [];
  if (straight !== undefined) throw new MessageFault("apostrophe", straight);
  const elements = parseElements(text);
  const found = new Map<string, Argument>();
  gather(elements, found);
  return { arguments: found, said: (names) => toParts(elements, names, undefined) };
}

function parseElements(text: string): MessageFormatElement[] {
  try {
    return parse(text, { ignoreTag: true, shouldParseSkeletons: false });
  } catch (error) {
    throw new MessageFault("brackets", error instanceof Error ? error.message : text);
  }
}

function gather(elements: readonly MessageFormatElement[], found: Map<string, Argument>): void {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    const before = found.get(element.value);
    if (element.type === TYPE.argument) found.set(element.value, before ?? "text");
    else if (element.type === TYPE.number && !element.style) found.set(element.value, "number");
    else if (element.type === TYPE.plural && element.offset === 0) found.set(element.value, "number");
    else if (element.type === TYPE.select)
      found.set(element.value, before === "number" ? before : Object.keys(element.options));
    else throw new MessageFault("style", element.value);
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const { value } of Object.values(element.options)) gather(value, found);
  }
}

function toParts(
  elements: readonly MessageFormatElement[],
  names: readonly string[],
  counted: number | undefined,
): Said {
  const parts = elements.map((element): Part => {
    if (element.type === TYPE.literal) return element.value;
    const at = element.type === TYPE.pound ? counted : names.indexOf(element.value);
    if (at === undefined || at < 0)
      throw new MessageFault("unknown", "value" in element ? element.value : "#");
    if (element.type === TYPE.argument) return at;
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [at];
    const isPlural = element.type === TYPE.plural;
    const cases = Object.entries(element.options).map(([name, { value }]) => [
      name,
      toParts(value, names, isPlural ? at : counted),
    ]);
    const kind = isPlural ? (element.pluralType ?? "cardinal") : "select";
    return [at, kind, Object.fromEntries(cases)];
  });
  return parts.every((part) => typeof part === "string") ? parts.join("") : parts;
}
