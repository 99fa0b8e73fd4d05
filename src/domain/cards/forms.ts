import type { Db } from "../../../db/open.ts";
import { type CodeForm, normalCode } from "./codes.ts";

/** Of a name that could be a code, what is kept of it. */
const KEPT = 3;

/**
 * The forms that codes of any batch have, kept until a batch is made or changed. Their statements are prepared once.
 */
export class CodeForms {
  readonly #generation;
  readonly #select;
  #forms: { generation: number; patterns: readonly ((code: string) => boolean)[] } | undefined;

  constructor({ $client }: Pick<Db, "$client">) {
    this.#generation = $client.query<{ value: number }, []>(
      "SELECT value FROM generations WHERE name = 'cards'",
    );
    this.#select = $client.query<CodeForm, []>(
      `SELECT DISTINCT prefix, length, alphabet FROM card_batches WHERE length IS NOT NULL AND alphabet IS NOT NULL`,
    );
  }

  /** Whether a code that was typed, or one behind a backslash, looks like one of ours. */
  has(typed: string): boolean {
    const code = normalCode(typed);
    const generation = this.#generation.get()?.value ?? 0;
    if (this.#forms?.generation !== generation)
      this.#forms = { generation, patterns: this.#select.all().map(patternOf) };
    return this.#forms.patterns.some((matches) => matches(code));
  }

  /** What is kept of an unknown name: of one that could be a code its first three characters. */
  kept(name: string): string {
    return namesIn(name).some((part) => this.has(part)) ? firstOf(name) : name;
  }
}

/** The first characters of a name that is, or could be, a code. */
export function firstOf(name: string): string {
  return [...normalCode(namesIn(name).at(-1) ?? name)].slice(0, KEPT).join("");
}

/** A name as sent, and the part of it behind a backslash. */
export function namesIn(name: string): readonly string[] {
  const backslash = name.indexOf("\\");
  return backslash < 0 ? [name] : [name, name.slice(backslash + 1)];
}

function patternOf({ prefix, length, alphabet }: CodeForm): (code: string) => boolean {
  // as typed it is compared in capitals
  const start = normalCode(prefix);
  const symbols = new Set(alphabet.toUpperCase());
  return (code) =>
    code.length === start.length + length &&
    code.startsWith(start) &&
    [...code.slice(start.length)].every((symbol) => symbols.has(symbol));
}
