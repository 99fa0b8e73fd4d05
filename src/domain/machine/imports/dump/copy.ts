import { MovingRefused } from "../source.ts";
import { unescapePostgres } from "./escapes.ts";
import type { DumpValue } from "./row.ts";
import type { Session } from "./session.ts";
import { decoded, ofBytea } from "./values.ts";
import type { Window } from "./window.ts";

export class Copy {
  values: DumpValue[] = [];
  readonly #window: Window;
  readonly #session: Session;
  /** CRLF line ends. */
  #hasReturns = false;

  constructor(window: Window, session: Session) {
    this.#window = window;
    this.#session = session;
  }

  begin(hasReturns: boolean): void {
    this.#hasReturns = hasReturns;
  }

  /** A line's values, or "end" at `\.`; undefined: incomplete. `binary`: by column. Throws MovingRefused. */
  read(binary: readonly boolean[]): "row" | "end" | undefined {
    const window = this.#window;
    const end = this.#lineEnd();
    if (end === undefined) return undefined;
    const { bytes, at } = window;
    if (isEnd(bytes, at)) {
      window.at = end;
      window.line++;
      return "end";
    }
    const last = this.#hasReturns && bytes[end - 2] === 0x0d ? end - 2 : end - 1;
    this.#split(at, last, binary);
    window.at = end;
    return "row";
  }

  skip(): boolean {
    const window = this.#window;
    for (;;) {
      const end = this.#lineEnd();
      if (end === undefined) return false;
      const isLast = isEnd(window.bytes, window.at);
      window.at = end;
      window.line++;
      if (isLast) return true;
    }
  }

  /** The last line may lack its newline if it is `\.`. */
  #lineEnd(): number | undefined {
    const { bytes, at, end, content } = this.#window;
    if (at >= content) return undefined;
    const newline = bytes.indexOf(0x0a, at);
    if (newline === -1 || newline >= end) return undefined;
    return newline < content || isEnd(bytes, at) ? newline + 1 : undefined;
  }

  #split(from: number, to: number, binary: readonly boolean[]): void {
    const columns = binary.length;
    const { bytes } = this.#window;
    this.values = [];
    let start = from;
    let isPlain = true;
    for (let i = from; i <= to; i++) {
      const byte = i === to ? 0x09 : (bytes[i] as number);
      if (byte === 0x5c || byte >= 128) isPlain = false;
      if (byte !== 0x09) continue;
      this.values.push(
        isPlain
          ? bytes.toString("latin1", start, i)
          : this.#field(start, i, binary[this.values.length] === true),
      );
      start = i + 1;
      isPlain = true;
      if (this.values.length > columns) break;
    }
    if (this.values.length !== columns && !(columns === 0 && from === to)) {
      throw new MovingRefused(`a row has not the ${columns} columns that its COPY names`);
    }
  }

  #field(from: number, to: number, isBinary: boolean): DumpValue {
    const bytes = this.#window.bytes.subarray(from, to);
    if (to - from === 2 && bytes[0] === 0x5c && bytes[1] === 0x4e) return null;
    const text = decoded(this.#session, bytes.includes(0x5c) ? unescapePostgres(bytes, undefined) : bytes);
    return isBinary ? ofBytea(text) : text;
  }
}

function isEnd(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x5c || bytes[at + 1] !== 0x2e) return false;
  return bytes[at + 2] === 0x0a || (bytes[at + 2] === 0x0d && bytes[at + 3] === 0x0a);
}
