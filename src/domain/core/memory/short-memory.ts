import { randomBytes } from "node:crypto";
import type { Seconds } from "../time/time.ts";

/** Parts of a memory, each with a lock of its own, so that threads seldom wait for each other. */
const PARTS = 256;
/** Words before the parts: seed of hashes, whether threads share it, whether there was ever an entry. */
const SEED = 0;
const IS_SHARED = 1;
const ANY = 2;
const HEADS = 4;
/** Words of a part: who holds it, how many places are in use, and the place that is given up next. */
const HOLDER = 0;
const USED = 1;
const HAND = 2;
const HEAD = 4;
const PLACES = HEADS + PARTS * HEAD;
/** Places looked at for an entry that is over, before another one is taken. */
const LOOKS = 4;
/** Looks at a lock, a fraction of a millisecond, and then milliseconds, after which its holder is taken for dead. */
const SPINS = 10_000;
const PATIENCE = 50;
/** No entry. */
export const NONE = -1;

export interface Size {
  /** Entries at the most: a multiple of the number of parts. */
  readonly most: number;
  /** Words of an entry beside key and end. */
  readonly words: number;
}

/** The room of a memory, which threads may share. Pages of it are taken up as they are written. */
export function roomFor({ most, words }: Size, threads = 1): SharedArrayBuffer {
  const room = new SharedArrayBuffer((PLACES + most * (2 + words)) * 4);
  const heads = new Int32Array(room);
  heads[SEED] = randomBytes(4).readInt32LE();
  heads[IS_SHARED] = threads > 1 ? 1 : 0;
  return room;
}

/**
 * What is remembered for a while by a number, by several threads in common: entries of a few words, each until its own end. Of more than
 * there is room for the oldest are forgotten. Typed arrays, for 100,000 objects cost the garbage collector milliseconds.
 */
export class ShortMemory {
  readonly #heads: Int32Array;
  readonly #keys: Int32Array;
  readonly #ends: Uint32Array;
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #each: number;
  readonly #size: number;
  readonly #seed: number;
  readonly #isShared: boolean;
  readonly #who: number;
  #held = NONE;

  /** `who`: a number from 1 on that no other thread has. */
  constructor(room: SharedArrayBuffer, { most, words }: Size, who = 1) {
    const start = PLACES * 4;
    this.#heads = new Int32Array(room, 0, PLACES);
    this.#keys = new Int32Array(room, start, most);
    this.#ends = new Uint32Array(room, start + most * 4, most);
    this.#words = new Uint32Array(room, start + most * 8, most * words);
    this.#bytes = new Uint8Array(room, start + most * 8);
    this.#each = most / PARTS;
    this.#size = words;
    this.#seed = this.#head(SEED);
    this.#isShared = this.#head(IS_SHARED) === 1;
    this.#who = who;
  }

  /** False while there was never an entry. */
  get hasAny(): boolean {
    return this.#head(ANY) === 1;
  }

  /** A number of a text that is the same in all threads, and never 0. */
  hash(text: string): number {
    // of a few characters a call of Bun's costs ten times as much
    let hash = this.#seed;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return (hash ^ (hash >>> 15)) >>> 0 || 1;
  }

  /** Keeps other threads from entries with this key until `release`. One key at a time. */
  hold(key: number): void {
    if (!this.#isShared || this.#held !== NONE) return;
    const at = this.#headAt(key) + HOLDER;
    for (let tries = 0; ; tries++) {
      const holder = Atomics.compareExchange(this.#heads, at, 0, this.#who);
      // a thread that died holding it and was started again
      if (holder === 0 || holder === this.#who) break;
      if (tries > SPINS) Atomics.wait(this.#heads, at, holder, 1);
      if (tries > SPINS + PATIENCE) Atomics.store(this.#heads, at, this.#who);
    }
    this.#held = at;
  }

  release(): void {
    if (this.#held === NONE) return;
    Atomics.compareExchange(this.#heads, this.#held, this.#who, 0);
    this.#held = NONE;
  }

  /** The next place of a key, over or not, NONE after the last. */
  find(key: number, after = NONE): number {
    const keys = this.#keys;
    const word = key | 0;
    const first = this.#firstAt(word);
    const end = first + this.#head(this.#headAt(word) + USED);
    for (let place = after === NONE ? first : after + 1; place < end; place++)
      if (keys[place] === word) return place;
    return NONE;
  }

  /** A place for a new entry; its words are those of an older one until they are set. */
  take(key: number, now: Seconds): number {
    const head = this.#headAt(key);
    const first = this.#firstAt(key);
    let used = this.#head(head + USED);
    // after a storm there are not as many for long
    while (used > 0 && this.end(first + used - 1) <= now) used--;
    let hand = this.#head(head + HAND);
    if (hand >= used) hand = 0;
    let at = NONE;
    for (let looks = 0; looks < Math.min(LOOKS, used) && at === NONE; looks++) {
      const next = (hand + looks) % used;
      if (this.end(first + next) <= now) at = next;
    }
    if (at === NONE && used < this.#each) at = used++;
    else {
      if (at === NONE) at = hand;
      hand = at + 1;
    }
    this.#heads[head + USED] = used;
    this.#heads[head + HAND] = hand;
    this.#heads[ANY] = 1;
    this.#keys[first + at] = key;
    return first + at;
  }

  end(place: number): Seconds {
    return this.#ends[place] ?? 0;
  }

  setEnd(place: number, end: Seconds): void {
    this.#ends[place] = end;
  }

  word(place: number, index: number): number {
    return this.#words[place * this.#size + index] ?? 0;
  }

  setWord(place: number, index: number, value: number): void {
    this.#words[place * this.#size + index] = value;
  }

  /** A copy of so many bytes from a word on. */
  bytes(place: number, index: number, length: number): Uint8Array {
    const at = (place * this.#size + index) * 4;
    return this.#bytes.slice(at, at + length);
  }

  setBytes(place: number, index: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, (place * this.#size + index) * 4);
  }

  #head(at: number): number {
    return this.#heads[at] ?? 0;
  }

  #headAt(key: number): number {
    return HEADS + spread(key) * HEAD;
  }

  #firstAt(key: number): number {
    return spread(key) * this.#each;
  }
}

/** Spreads keys that follow one another evenly: Knuth's multiplicative hash, as a signed number. */
function spread(key: number): number {
  return Math.imul(key, -1640531535) >>> 24;
}
