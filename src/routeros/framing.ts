import { isUtf8 } from "node:buffer";
import { phrase } from "../domain/core/errors/phrase.ts";
import { RouterosError } from "./fault.ts";

/** Longer than any answer we ask for; a router that announces more is not one. */
const MAX_WORD = 4 * 1024 * 1024;
const MAX_SENTENCE = 2 * MAX_WORD;
const WORD_COST = 64;
/** Most empty sentences on one connection; they mean nothing (RouterOS manual, API, "Sentences"). */
const MAX_EMPTY = 50_000;

/** Encodes a sentence: each word with its length, then an empty word (RouterOS manual, API, "Protocol"). */
export function encodeSentence(words: readonly string[]): Buffer {
  const parts = words.flatMap((word) => {
    // an empty word ends the sentence, and the command would run without the words after it
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

/** Splits a stream into sentences, wherever its segments end. */
export class SentenceReader {
  /** The bytes of the next word so far, and how many are needed before it is parsed. */
  #segments: Uint8Array[] = [];
  #length = 0;
  #wanted = 1;
  #words: string[] = [];
  /** Size of the words so far, with the overhead of each. */
  #size = 0;
  #empty = 0;

  /** Bytes of the incomplete sentence, with overhead. */
  get held(): number {
    return this.#length + this.#size;
  }

  /** The sentences completed by this segment. Throws a RouterosError for too long a word or sentence. */
  push(segment: Uint8Array): string[][] {
    this.#segments.push(Buffer.from(segment));
    this.#length += segment.length;
    if (this.#length < this.#wanted) return [];
    const bytes = Buffer.concat(this.#segments);
    const sentences: string[][] = [];
    let at = 0;
    let word = readWord(bytes, at);
    for (; word && word.end <= bytes.length; word = readWord(bytes, at)) {
      at = word.end;
      if (word.start < word.end) this.#add(bytes.subarray(word.start, word.end));
      else if (this.#words.length > 0) sentences.push(this.#endSentence());
      else if (++this.#empty > MAX_EMPTY) throw garbled();
    }
    this.#segments = [bytes.subarray(at)];
    this.#length = bytes.length - at;
    this.#wanted = word ? word.end - at : this.#length + 1;
    return sentences;
  }

  #add(word: Buffer): void {
    this.#size += word.length + WORD_COST;
    if (this.#size > MAX_SENTENCE) throw garbled();
    this.#words.push(decode(word));
  }

  #endSentence(): string[] {
    const words = this.#words;
    this.#words = [];
    this.#size = 0;
    return words;
  }
}

/** Start and end of the word at `at`; undefined until its length is complete. */
function readWord(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const size = first < 0x80 ? 1 : first < 0xc0 ? 2 : first < 0xe0 ? 3 : first < 0xf0 ? 4 : 5;
  const start = at + size;
  if (start > bytes.length) return undefined;
  const length = size === 5 ? bytes.readUInt32BE(at + 1) : bytes.readUIntBE(at, size) - (prefixes[size] ?? 0);
  if (length > MAX_WORD) throw garbled();
  return { start, end: start + length };
}

function garbled(): RouterosError {
  return new RouterosError("garbled", phrase`it sent what is not the RouterOS API; check host and port`);
}

/** Prefix bits of a length, by its number of bytes. */
const prefixes: Readonly<Record<number, number>> = { 1: 0, 2: 0x8000, 3: 0xc00000, 4: 0xe0000000 };

/** RouterOS stores what its clients send: mostly UTF-8, a Windows code page from old ones. */
function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
}
