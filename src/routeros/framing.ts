import { isUtf8 } from "node:buffer";
import { RouterosError } from "./fault.ts";

/** Longer than anything that this program asks for; a router that announces more is not one. */
const MAX_WORD = 4 * 1024 * 1024;

/** A sentence as bytes: every word behind its length, and a word of no length (RouterOS manual, API, "Protocol"). */
export function encodeSentence(words: readonly string[]): Buffer {
  const parts = words.flatMap((word) => {
    // an empty word ends the sentence, and the command would run without what stands behind it
    if (word === "") throw new TypeError("a word of a sentence must not be empty");
    const bytes = Buffer.from(word, "utf8");
    return [encodeLength(bytes.length), bytes];
  });
  return Buffer.concat([...parts, Buffer.of(0)]);
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  if (length < 0x4000) return Buffer.of((length >> 8) | 0x80, length & 0xff);
  if (length < 0x200000) return Buffer.of((length >> 16) | 0xc0, (length >> 8) & 0xff, length & 0xff);
  if (length <= MAX_WORD)
    return Buffer.of((length >> 24) | 0xe0, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff);
  throw new TypeError(`a word of ${length} bytes is too long`);
}

/** Cuts a stream into sentences, wherever its segments end. */
export class SentenceReader {
  #rest = Buffer.alloc(0);
  #words: string[] = [];

  /** The sentences that end in this segment. Throws a RouterosError for a word that is too long to be one. */
  push(segment: Uint8Array): string[][] {
    const bytes = this.#rest.length === 0 ? Buffer.from(segment) : Buffer.concat([this.#rest, segment]);
    const sentences: string[][] = [];
    let at = 0;
    for (;;) {
      const word = readWord(bytes, at);
      if (!word) break;
      at = word.end;
      if (word.start < word.end) {
        this.#words.push(decode(bytes.subarray(word.start, word.end)));
      } else if (this.#words.length > 0) {
        sentences.push(this.#words);
        this.#words = [];
      }
    }
    this.#rest = bytes.subarray(at);
    return sentences;
  }
}

/** Where the word whose length stands at `at` starts and ends; undefined while it is not all there. */
function readWord(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const size = first < 0x80 ? 1 : first < 0xc0 ? 2 : first < 0xe0 ? 3 : first < 0xf0 ? 4 : 5;
  const start = at + size;
  if (start > bytes.length) return undefined;
  const length = size === 5 ? bytes.readUInt32BE(at + 1) : bytes.readUIntBE(at, size) - (prefixes[size] ?? 0);
  if (length > MAX_WORD)
    throw new RouterosError("garbled", "it sent what is not the RouterOS API; check host and port");
  return start + length > bytes.length ? undefined : { start, end: start + length };
}

/** The bits of a length that say how many bytes it has, by that number. */
const prefixes: Readonly<Record<number, number>> = { 1: 0, 2: 0x8000, 3: 0xc00000, 4: 0xe0000000 };

/** RouterOS stores what its clients typed: UTF-8 from most, a Windows code page from old ones. */
function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
}
