import { parseMac } from "../../core/fields/text.ts";
import { type CodeForm, DIGITS, normalSymbols } from "../../goods/codes/codes.ts";

/** A bit set: one for each letter, one for all digits, one for everything else. */
interface Symbols {
  letters: number;
  others: number;
}

/** Forms with the same alphabet and prefix length. */
interface Shape extends Symbols {
  readonly prefixLength: number;
  readonly prefixes: Set<string>;
}

/** What all numeric codes, or all others, have in common. */
interface Kind {
  readonly symbols: Symbols;
  /** With prefix. */
  readonly sizes: Set<number>;
  /** Without prefix. */
  readonly lengths: Set<number>;
}

const NEITHER = 0x400;
/** Shorter prefixes match too many names. */
const SHORTEST_PREFIX = 2;
/** Shorter codes occur by chance in longer text. */
const SHORTEST_HELD = 5;
const LONGEST_PREFIX = 8;

/** Whether a name has, or resembles, the form of a code; as cheap with ten thousand batches as with one. */
export class CodeForms {
  readonly #bySize = new Map<number, Shape[]>();
  readonly #digits: Kind = newKind();
  readonly #mixed: Kind = newKind();
  /** Code lengths by prefix. */
  readonly #byPrefix = new Map<string, Set<number>>();

  /** Forms are never removed: a code of a deleted batch is still nobody's name. */
  add({ prefix, length, alphabet }: CodeForm): void {
    const { letters, others } = countSymbols(alphabet);
    const size = prefix.length + length;
    const kind = letters === 0 && (others & NEITHER) === 0 ? this.#digits : this.#mixed;
    kind.symbols.letters |= letters;
    kind.symbols.others |= others;
    kind.sizes.add(size);
    kind.lengths.add(length);
    if (prefix.length >= SHORTEST_PREFIX)
      this.#byPrefix.getOrInsertComputed(prefix, () => new Set<number>()).add(size);
    const shapes = this.#bySize.getOrInsertComputed(size, () => []);
    const known = shapes.find(
      (one) => one.prefixLength === prefix.length && one.letters === letters && one.others === others,
    );
    if (known) known.prefixes.add(prefix);
    else shapes.push({ letters, others, prefixLength: prefix.length, prefixes: new Set([prefix]) });
  }

  /** Whether a normalised code fits a batch. */
  has(code: string): boolean {
    const shapes = this.#bySize.get(code.length);
    if (!shapes) return false;
    for (const { prefixLength, prefixes, letters, others } of shapes) {
      const body = countSymbols(code, prefixLength);
      if ((body.letters & ~letters) !== 0 || (body.others & ~others) !== 0) continue;
      if (prefixes.has(code.slice(0, prefixLength))) return true;
    }
    return false;
  }

  /**
   * Whether a name without such a form resembles a code: one mistake away, or containing one. Chosen names are words, perhaps
   * with digits at the end; codes mix letters and digits, or are typed in capitals as printed.
   */
  isLike(name: string, code: string): boolean {
    if (this.#bySize.size === 0 || parseMac(name) !== undefined) return false;
    const written = normalSymbols(name);
    return (
      this.#beginsLikeOne(code) ||
      this.#isMarked(written) ||
      (isNear(code, this.#digits) && /^[\dOILSBZ]*$/.test(code)) ||
      (isNear(code, this.#mixed) && isDrawn(written)) ||
      holds(
        written,
        this.#digits,
        (run, { lengths }) => lengths.has(run.length) || lengths.has(run.length / 2),
      ) ||
      holds(
        written,
        this.#mixed,
        (run, { lengths }) => run.length >= Math.max(SHORTEST_HELD, Math.min(...lengths)) && isDrawn(run),
      )
    );
  }

  /** Whether it is a code with other separators than dashes. */
  #isMarked(written: string): boolean {
    const bare = written.replace(/[^\p{L}\p{N}]+/gu, "");
    return (
      bare.length < written.length && this.has(bare.toUpperCase()) && (/^\d+$/.test(bare) || isDrawn(bare))
    );
  }

  #beginsLikeOne(code: string): boolean {
    for (let length = SHORTEST_PREFIX; length <= LONGEST_PREFIX; length++) {
      const sizes = this.#byPrefix.get(code.slice(0, length));
      if (sizes && isAbout(code.length, sizes)) return true;
    }
    return false;
  }
}

function newKind(): Kind {
  return { symbols: { letters: 0, others: 0 }, sizes: new Set(), lengths: new Set() };
}

/** One symbol more or less, or one outside the alphabet. */
function isNear(code: string, { symbols, sizes }: Kind): boolean {
  if (!isAbout(code.length, sizes)) return false;
  let foreign = 0;
  for (let i = 0; i < code.length; i++) if (!isAmong(code.charCodeAt(i), symbols)) foreign++;
  return foreign <= 1;
}

function isAbout(length: number, sizes: ReadonlySet<number>): boolean {
  return sizes.has(length) || sizes.has(length - 1) || sizes.has(length + 1);
}

/** Whether a run of a form's symbols is one of its codes. */
function holds(written: string, kind: Kind, isCode: (run: string, kind: Kind) => boolean): boolean {
  if (kind.sizes.size === 0) return false;
  let from = 0;
  for (let i = 0; i <= written.length; i++) {
    if (i < written.length && isAmong(written.charCodeAt(i), kind.symbols)) continue;
    if (i > from && isCode(written.slice(from, i), kind)) return true;
    from = i + 1;
  }
  return false;
}

/** Whether it looks random: a letter after a digit, or all capitals. */
function isDrawn(written: string): boolean {
  return /\d[a-z]/i.test(written) || (!/[a-z]/.test(written) && /[A-Z][^A-Z]*[A-Z]/.test(written));
}

function isAmong(code: number, { letters, others }: Symbols): boolean {
  const letter = letterIndex(code);
  if (letter >= 0) return (letters & (1 << letter)) !== 0;
  return (others & (isDigit(code) ? 1 << (code - 48) : NEITHER)) !== 0;
}

function countSymbols(text: string, from = 0): Symbols {
  let letters = 0;
  let others = 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const letter = letterIndex(code);
    if (letter >= 0) letters |= 1 << letter;
    else others |= isDigit(code) ? 1 << (code - 48) : NEITHER;
  }
  return { letters, others };
}

const isDigit = (code: number) => code >= 48 && code <= 57;

/** 0 to 25, ignoring case; -1: no letter. */
function letterIndex(code: number): number {
  const at = (code | 0x20) - 97;
  return at >= 0 && at < 26 && code < 128 ? at : -1;
}

/** The form of imported codes, guessed from samples: length, and digits, letters or both. */
export function guessForm(code: string): CodeForm {
  const letters = /[A-Z]/.test(code) ? LETTERS : "";
  const digits = /\d/.test(code) ? DIGITS : "";
  return { prefix: "", length: code.length, alphabet: letters + digits + code.replace(/[A-Z\d]/g, "") };
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
