import { MovingRefused } from "../source.ts";
import { unescapeMysql, unescapePostgres } from "./escapes.ts";
import type { DumpValue } from "./row.ts";
import type { Session } from "./session.ts";
import { decoded, fromHex, functions, ofBytea, textOrBytes } from "./values.ts";
import type { Window } from "./window.ts";
import { isLetter, Words } from "./words.ts";

const marks = new Uint8Array(256);
marks.fill(1, 128);
for (const sign of "\n'\"\\") marks[sign.charCodeAt(0)] = 1;

const QUOTE = 0x27;
const MOST_ARGUMENTS = 4;
/** Deepest nesting of functions. */
const DEEPEST = 8;

/** One row: `(1,'a',NULL)`. */
export class Tuple {
  at = 0;
  values: DumpValue[] = [];
  readonly #window: Window;
  readonly #session: Session;
  readonly #words: Words;
  #value: DumpValue = null;
  #isBinary = false;

  constructor(window: Window, session: Session) {
    this.#window = window;
    this.#session = session;
    this.#words = new Words(window, session);
  }

  /** From behind the parenthesis; `binary` by column. false: incomplete. Throws MovingRefused for an invalid value or one too many. */
  read(from: number, binary: readonly boolean[]): boolean {
    const { bytes } = this.#window;
    const most = binary.length;
    this.values = [];
    this.at = from;
    for (;;) {
      this.#isBinary = binary[this.values.length] === true;
      if (!this.#blanks() || !this.#read(0) || !this.#blanks()) return false;
      if (bytes[this.at] === 0x3a && !this.#cast()) return false;
      const byte = bytes[this.at];
      if (byte !== 0x2c && byte !== 0x29)
        return this.#refuse("a value is followed by neither a comma nor the row's end");
      this.values.push(this.#value);
      this.at++;
      if (byte === 0x29) return true;
      if (this.values.length >= most) this.#refuse(`a row has more than the ${most} columns of its table`);
    }
  }

  #refuse(what: string): never {
    throw new MovingRefused(what);
  }

  #blanks(): boolean {
    const { bytes, content: end } = this.#window;
    if (this.at >= end) return false;
    const byte = bytes[this.at] as number;
    // the usual case first
    if (byte > 0x2f || byte === QUOTE || byte === 0x2c || byte === 0x29) return true;
    this.#words.at = this.at;
    const isFound = this.#words.skipBlanks();
    this.at = this.#words.at;
    return isFound;
  }

  #read(depth: number): boolean {
    const { bytes, content: end } = this.#window;
    const from = this.at;
    const byte = bytes[from] as number;
    const { escapes, doubleIsName } = this.#session;
    if (byte === QUOTE || (byte === 0x22 && !doubleIsName))
      return this.#string(from + 1, byte, escapes, this.#isBinary);
    const hasSign = byte === 0x2d || byte === 0x2b;
    let i = hasSign ? from + 1 : from;
    while (i < end && isNumeral(bytes[i] as number)) i++;
    if (i >= end) return false;
    if (i === from || (hasSign && i === from + 1))
      this.#refuse("there is something else where a value should stand");
    return hasSign || byte <= 0x39 ? this.#number(from, i) : this.#word(from, i, depth);
  }

  #number(from: number, to: number): boolean {
    const { bytes } = this.#window;
    let past = to;
    if ((bytes[to] === 0x2d || bytes[to] === 0x2b) && ((bytes[to - 1] as number) | 0x20) === 0x65) {
      past = to + 1;
      while (past < this.#window.content && isNumeral(bytes[past] as number)) past++;
      if (past >= this.#window.content) return false;
    }
    this.at = past;
    if (bytes[from] === 0x30 && ((bytes[from + 1] as number) | 0x20) === 0x78) {
      this.#value = textOrBytes(this.#hex(from + 2, past));
      return true;
    }
    this.#value = bytes.toString("latin1", from, past);
    return true;
  }

  #word(from: number, to: number, depth: number): boolean {
    const { bytes, content: end } = this.#window;
    const word = bytes.toString("latin1", from, to).toLowerCase();
    this.at = to;
    if (!this.#blanks() || this.at + 1 >= end) return false;
    const following = bytes[this.at];
    if (following === QUOTE) return this.#prefixed(word);
    if (following === 0x26 && word === "u" && bytes[this.at + 1] === QUOTE) {
      return this.#refuse("text is written as U&'...', which pg_dump does not: make the dump with pg_dump");
    }
    if (following === 0x28) return this.#call(word, depth);
    const isPostgres = this.#session.dialect === "postgres";
    if (word === "null" || word === "default") this.#value = null;
    else if (word === "true") this.#value = isPostgres ? "t" : "1";
    else if (word === "false") this.#value = isPostgres ? "f" : "0";
    else
      this.#refuse(
        "there is a word where a value should stand, which only the server that wrote it could read",
      );
    return true;
  }

  /** `_binary'..'`, `x'..'`, `E'..'`. */
  #prefixed(word: string): boolean {
    const from = this.at + 1;
    if (word === "e") return this.#string(from, QUOTE, true, this.#isBinary);
    if (word !== "x" && word !== "b") {
      return this.#string(from, QUOTE, this.#session.escapes, this.#isBinary || word === "_binary");
    }
    if (!this.#string(from, QUOTE, false, true)) return false;
    this.#value = word === "x" ? textOrBytes(this.#hex(from, this.at - 1)) : this.#bits(from, this.at - 1);
    return true;
  }

  /** Functions that dumps use; points stay as written. */
  #call(word: string, depth: number): boolean {
    if (depth >= DEEPEST) this.#refuse("functions within functions stand where a value should");
    const isShape = /geom|point|polygon|linestring/.test(word);
    const from = this.at++;
    if (!isShape && !functions.has(word)) {
      this.#refuse(`${word}() stands where a value should, which only the server that wrote it could read`);
    }
    const values: DumpValue[] = [];
    for (;;) {
      if (!this.#blanks() || !this.#read(depth + 1) || !this.#blanks()) return false;
      if (values.length < MOST_ARGUMENTS) values.push(this.#value);
      const byte = this.#window.bytes[this.at++];
      if (byte === 0x29) break;
      if (byte !== 0x2c) this.#refuse(`${word}() has something else where a value should stand`);
    }
    this.#value = isShape
      ? word + this.#window.bytes.toString("utf8", from, this.at)
      : (functions.get(word)?.(values) ?? null);
    return true;
  }

  /** From behind the first quote to behind the last. */
  #string(from: number, quote: number, escapes: boolean, isBinary: boolean): boolean {
    const { bytes, content: end } = this.#window;
    let isPlain = true;
    let isAscii = true;
    let i = from;
    for (;;) {
      while (i < end && marks[bytes[i] as number] === 0) i++;
      if (i + 1 >= end) return false;
      const byte = bytes[i] as number;
      if (byte >= 128) isAscii = false;
      else if (byte === quote) {
        if (bytes[i + 1] !== quote) break;
        isPlain = false;
        i++;
      } else if (byte === 0x5c && escapes) {
        isPlain = false;
        i++;
      }
      i++;
    }
    this.at = i + 1;
    if (isPlain && isAscii && !isBinary) this.#value = bytes.toString("latin1", from, i);
    else {
      const raw = bytes.subarray(from, i);
      const plain = isPlain ? raw : this.#unescaped(raw, quote, escapes);
      if (!isBinary) this.#value = decoded(this.#session, plain);
      else
        this.#value =
          this.#session.dialect === "postgres" ? ofBytea(Buffer.from(plain).toString()) : textOrBytes(plain);
    }
    return true;
  }

  #unescaped(raw: Uint8Array, quote: number, escapes: boolean): Uint8Array {
    const isPostgres = this.#session.dialect === "postgres";
    return escapes && isPostgres ? unescapePostgres(raw, quote) : unescapeMysql(raw, quote, escapes);
  }

  #hex(from: number, to: number): Uint8Array {
    return fromHex(this.#window.bytes.subarray(from, to));
  }

  /** A bit value as a number. */
  #bits(from: number, to: number): string {
    const bits = this.#window.bytes.toString("latin1", from, to);
    if (!/^[01]{0,64}$/.test(bits)) this.#refuse("b'...' has something else than 64 bits at the most");
    return BigInt(`0b0${bits}`).toString();
  }

  /** `::type`. */
  #cast(): boolean {
    const { bytes, content: end } = this.#window;
    let depth = 0;
    for (let i = this.at; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte === 0x28) depth++;
      else if (byte === 0x29 && depth > 0) depth--;
      else if (byte === 0x29 || (byte === 0x2c && depth === 0)) {
        this.at = i;
        return true;
      } else if (byte === QUOTE) this.#refuse("a value's type is followed by a string");
    }
    return false;
  }
}

function isNumeral(byte: number): boolean {
  return byte === 0x2e || isLetter(byte);
}
