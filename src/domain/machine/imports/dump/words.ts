import { unescapeMysql } from "./escapes.ts";
import type { Session, Token } from "./session.ts";
import type { Window } from "./window.ts";

const kinds = new Uint8Array(256);
const BLANK = 1;
const LETTER = 2;
for (const byte of [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]) kinds[byte] = BLANK;
for (let byte = 0; byte < 256; byte++) {
  if (byte >= 128 || /[A-Za-z0-9_$]/.test(String.fromCharCode(byte))) kinds[byte] = LETTER;
}

export function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && kinds[byte] === BLANK;
}

export function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && kinds[byte] === LETTER;
}

/** Words, names and strings of SQL between rows. */
export class Words {
  at = 0;
  readonly #window: Window;
  readonly #session: Session;

  constructor(window: Window, session: Session) {
    this.#window = window;
    this.#session = session;
  }

  next(): Token | undefined {
    if (!this.skipBlanks()) return undefined;
    const { bytes } = this.#window;
    const byte = bytes[this.at] as number;
    if (kinds[byte] === LETTER) return this.#word();
    if (byte === 0x60) return this.#quoted(byte, "name", false);
    if (byte === 0x27) return this.#quoted(byte, "text", this.#session.escapes);
    if (byte === 0x22) return this.#quoted(byte, "name", false);
    this.at++;
    return { kind: "sign", text: String.fromCharCode(byte) };
  }

  /** Skips blanks and comments, but enters MySQL's executable ones. false: incomplete. */
  skipBlanks(): boolean {
    const { bytes, end } = this.#window;
    for (;;) {
      while (this.at < end && kinds[bytes[this.at] as number] === BLANK) this.at++;
      if (this.at >= end) return false;
      const past = this.pastComment(this.at);
      if (past === this.at) return true;
      if (past === undefined) return false;
      this.at = past;
    }
  }

  /** Behind a comment, or the mark of an executable one; unchanged without; undefined: incomplete. */
  pastComment(at: number): number | undefined {
    const { bytes, end } = this.#window;
    const byte = bytes[at] as number;
    if (byte !== 0x2f && byte !== 0x2a && byte !== 0x2d && byte !== 0x23) return at;
    if (at + 1 >= end) return undefined;
    const second = bytes[at + 1] as number;
    let past = at;
    if (byte === 0x2f && second === 0x2a) past = this.#pastBlock(at);
    else if (byte === 0x2a && second === 0x2f) past += 2;
    else if ((byte === 0x2d && second === 0x2d) || byte === 0x23) past = bytes.indexOf(0x0a, at) + 1;
    return past <= 0 || past > end ? undefined : past;
  }

  /** 0: incomplete. */
  #pastBlock(at: number): number {
    const { bytes, end } = this.#window;
    const mark = at + (bytes[at + 2] === 0x4d ? 3 : 2);
    if (mark + 8 > end) return 0;
    if (bytes[mark] === 0x21) {
      let digits = mark + 1;
      while (digits < mark + 7 && isDigit(bytes[digits])) digits++;
      // of an impossible version: for the client only
      if (digits === mark + 1 || Number(bytes.toString("latin1", mark + 1, digits)) < 999_999) {
        this.#session.seems("mysql");
        return digits;
      }
    }
    const close = bytes.indexOf("*/", at + 2);
    return close === -1 ? 0 : close + 2;
  }

  #word(): Token | undefined {
    const { bytes, end } = this.#window;
    let i = this.at;
    while (i < end && kinds[bytes[i] as number] === LETTER) i++;
    if (i >= end) return undefined;
    const text = bytes.toString("utf8", this.at, i);
    this.at = i;
    return { kind: "word", text };
  }

  #quoted(quote: number, kind: "name" | "text", hasEscapes: boolean): Token | undefined {
    const { bytes, end } = this.#window;
    let i = this.at + 1;
    for (; i < end; i++) {
      if (bytes[i] === 0x5c && hasEscapes) i++;
      else if (bytes[i] === quote) {
        if (i + 1 >= end) return undefined;
        if (bytes[i + 1] !== quote) break;
        i++;
      }
    }
    if (i >= end) return undefined;
    const inside = bytes.subarray(this.at + 1, i);
    this.at = i + 1;
    if (quote === 0x60) this.#session.seems("mysql");
    return { kind, text: unescapeMysql(inside, quote, hasEscapes).toString() };
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
