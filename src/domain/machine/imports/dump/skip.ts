import type { Session } from "./session.ts";
import type { Window } from "./window.ts";
import { isBlank, isLetter } from "./words.ts";

const CODE = 0;
const STRING = 1;
const NAME = 2;
const LINE_COMMENT = 3;
const COMMENT = 4;
const DOLLARS = 5;

function among(signs: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
}

const inCode = among("\n;'\"`-#/$");
const inWords = among("\n;'\"`-#/$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** Skips a statement of any length in pieces. */
export class Skip {
  readonly #window: Window;
  readonly #session: Session;
  #state = CODE;
  #quote = 0;
  #escapes = false;
  /** Nested comments of PostgreSQL. */
  #depth = 0;
  #dollars: Buffer = Buffer.alloc(0);
  /** Unclosed BEGINs of a trigger or function; undefined: ends at the next semicolon. */
  #blocks: number | undefined;
  #closed = -1;
  #before = 0;

  constructor(window: Window, session: Session) {
    this.#window = window;
    this.#session = session;
  }

  /** `hasBody`: a trigger or function, with semicolons inside. */
  begin(hasBody: boolean): void {
    this.#before = 0;
    this.#state = CODE;
    this.#blocks = hasBody ? 0 : undefined;
    this.#closed = -1;
  }

  /** The unclosed part, in words. */
  get open(): string | undefined {
    if (this.#state === STRING || this.#state === DOLLARS) return "a string";
    if (this.#state === COMMENT) return "a comment";
    return this.#state === NAME ? "a name" : undefined;
  }

  /** Continues past the semicolon; false: incomplete. */
  run(): boolean {
    for (;;) {
      let isDone: boolean | undefined;
      if (this.#state === CODE) isDone = this.#code();
      else if (this.#state === STRING || this.#state === NAME) isDone = this.#string();
      else if (this.#state === LINE_COMMENT) isDone = this.#lineComment();
      else if (this.#state === COMMENT) isDone = this.#comment();
      else isDone = this.#dollarString();
      if (isDone === true) return true;
      if (isDone === false) {
        const { at, bytes } = this.#window;
        // positions shift with the window
        this.#closed -= at;
        this.#before = at > 0 ? (bytes[at - 1] as number) : this.#before;
        return false;
      }
    }
  }

  // Each returns true: ended; false: more bytes; undefined: another state.

  #code(): boolean | undefined {
    const window = this.#window;
    const { bytes, end } = window;
    const matters = this.#blocks === undefined ? inCode : inWords;
    let i = window.at;
    for (;;) {
      while (i < end && matters[bytes[i] as number] === 0) i++;
      window.at = i;
      if (i >= end) return false;
      const byte = bytes[i] as number;
      if (byte === 0x0a) window.line++;
      else if (byte === 0x3b) {
        if (this.#blocks === undefined || this.#blocks === 0) {
          window.at = i + 1;
          return true;
        }
      } else if (byte === 0x27 || byte === 0x22 || byte === 0x60) {
        this.#open(byte, i);
        return undefined;
      } else if (this.#blocks !== undefined && isLetter(byte) && byte !== 0x24) {
        const past = this.#wordAt(i);
        if (past === undefined) return false;
        i = past;
        continue;
      } else {
        if (i + 3 >= end) return false;
        if (this.#openMark(byte, i)) return undefined;
        if (byte === 0x24 && this.#session.dollars) {
          const opened = this.#openDollars(i);
          if (opened !== false) return opened === true ? undefined : false;
        }
      }
      i++;
    }
  }

  #open(quote: number, at: number): void {
    const isName = quote === 0x60 || (quote === 0x22 && this.#session.doubleIsName);
    this.#state = isName ? NAME : STRING;
    // '' goes on within E'...'
    if (this.#closed !== at || this.#quote !== quote) {
      const isE = (this.#byteBefore(at) | 0x20) === 0x65;
      this.#escapes = !isName && (this.#session.escapes || (isE && this.#session.dialect === "postgres"));
    }
    this.#quote = quote;
    this.#window.at = at + 1;
  }

  #byteBefore(at: number): number {
    return at > 0 ? (this.#window.bytes[at - 1] as number) : this.#before;
  }

  /** `--`, `#` and `/*`. */
  #openMark(byte: number, at: number): boolean {
    const window = this.#window;
    const { bytes } = window;
    const isPostgres = this.#session.dialect === "postgres";
    const second = bytes[at + 1];
    if (byte === 0x2d && second === 0x2d && (isPostgres || isBlank(bytes[at + 2])))
      this.#state = LINE_COMMENT;
    else if (byte === 0x23 && !isPostgres) this.#state = LINE_COMMENT;
    // MySQL's executable comments are code
    else if (byte === 0x2f && second === 0x2a && !isExecuted(bytes, at)) {
      this.#state = COMMENT;
      this.#depth = 1;
      window.at = at + 2;
      return true;
    } else return false;
    window.at = at + 1;
    return true;
  }

  /** true: a string began; false: no mark; undefined: more bytes. */
  #openDollars(at: number): boolean | undefined {
    const window = this.#window;
    const { bytes, end } = window;
    if (isLetter(this.#byteBefore(at))) return false;
    let i = at + 1;
    while (i < end && i < at + 64 && isLetter(bytes[i]) && bytes[i] !== 0x24) i++;
    if (i >= end) return undefined;
    const isNumber = (bytes[at + 1] as number) >= 0x30 && (bytes[at + 1] as number) <= 0x39;
    if (bytes[i] !== 0x24 || isNumber) return false;
    this.#dollars = Buffer.from(bytes.subarray(at, i + 1));
    this.#state = DOLLARS;
    window.at = i + 1;
    return true;
  }

  #wordAt(at: number): number | undefined {
    const { bytes, end } = this.#window;
    let i = at;
    while (i < end && isLetter(bytes[i])) i++;
    if (i >= end && i - at < 256) return undefined;
    if (i - at > 5) return i;
    const word = bytes.toString("latin1", at, i).toLowerCase();
    if (word === "begin" || (word === "case" && this.#blocks !== 0)) this.#blocks = (this.#blocks ?? 0) + 1;
    if (word !== "end" || this.#blocks === 0) return i;
    // END IF and others close uncounted blocks
    let next = i;
    while (next < end && isBlank(bytes[next])) next++;
    if (next + 7 >= end && next - at < 256 && bytes[next] !== 0x3b) return undefined;
    const following =
      /^(if|loop|while|repeat|for|case)\b/i.exec(bytes.toString("latin1", next, next + 8))?.[1] ?? "";
    if (following === "" || following.toLowerCase() === "case") this.#blocks = (this.#blocks ?? 1) - 1;
    return following === "" ? i : next + following.length;
  }

  #string(): boolean | undefined {
    const window = this.#window;
    const { bytes, end } = window;
    const quote = this.#quote;
    const backslash = this.#escapes ? 0x5c : -1;
    let { line } = window;
    let i = window.at;
    for (; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte > 0x60) continue;
      if (byte === quote) break;
      if (byte === backslash) {
        if (i + 1 >= end) break;
        if (bytes[++i] === 0x0a) line++;
      } else if (byte === 0x0a) line++;
    }
    window.line = line;
    if (i >= end || bytes[i] === backslash) {
      window.at = i;
      return false;
    }
    window.at = i + 1;
    this.#closed = i + 1;
    this.#state = CODE;
    return undefined;
  }

  #lineComment(): boolean | undefined {
    const window = this.#window;
    const { bytes, end } = window;
    const newline = bytes.indexOf(0x0a, window.at);
    if (newline === -1 || newline >= end) {
      window.at = end;
      return false;
    }
    window.at = newline;
    this.#state = CODE;
    return undefined;
  }

  #comment(): boolean | undefined {
    const window = this.#window;
    const { bytes, end } = window;
    let i = window.at;
    for (; i + 1 < end; i++) {
      const byte = bytes[i];
      if (byte === 0x0a) window.line++;
      else if (byte === 0x2a && bytes[i + 1] === 0x2f) {
        i++;
        if (--this.#depth === 0) break;
      } else if (byte === 0x2f && bytes[i + 1] === 0x2a && this.#session.dialect === "postgres") {
        i++;
        this.#depth++;
      }
    }
    if (this.#depth > 0) {
      window.at = i;
      return false;
    }
    window.at = i + 1;
    this.#state = CODE;
    return undefined;
  }

  #dollarString(): boolean | undefined {
    const window = this.#window;
    const { bytes, end } = window;
    const found = bytes.indexOf(this.#dollars, window.at);
    if (found !== -1 && found + this.#dollars.length <= end) {
      window.consume(found + this.#dollars.length);
      this.#state = CODE;
      return undefined;
    }
    window.consume(Math.max(window.at, end - this.#dollars.length + 1));
    return false;
  }
}

function isExecuted(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 2] === 0x21 || (bytes[at + 2] === 0x4d && bytes[at + 3] === 0x21);
}
