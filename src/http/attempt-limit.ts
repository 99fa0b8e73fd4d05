import { createHmac, randomBytes } from "node:crypto";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase, type Phrase } from "../domain/core/errors/phrase.ts";
import { customerAddress } from "../domain/core/networks/networks.ts";
import { fold } from "../domain/core/fields/text.ts";
import { CountSketch } from "./count-sketch.ts";

const MINUTE = 60_000;
const MAX_KEYS = 20_000;
/** The key of hashes, so that nobody can search for names that share a cell. */
const HASH_KEY = randomBytes(32);

interface Counted {
  count: number;
  readonly until: number;
}

/** `retryAfter` in seconds. */
export interface Refused {
  readonly name: string;
  readonly address: string;
  readonly retryAfter: number;
}

/**
 * Limits attempts a minute (or another window) by name (trimmed, folded) and address, in bounded memory. Names beyond the exact
 * table are counted in a sketch, which under a flood counts some too high but none too low.
 */
export class AttemptLimit {
  readonly #attempts: number;
  readonly #maxKeys: number;
  readonly #elapsed: () => number;
  readonly #window: number;
  readonly #what: Phrase;
  readonly #hashKey: Uint8Array;
  readonly #refused: ((refused: Refused) => void) | undefined;
  /** Ordered by the end of their windows. */
  readonly #counted = new Map<string, Counted>();
  readonly #others: CountSketch;

  /** `elapsed`: monotonic milliseconds. `what`: the noun of the refusal. `refused` gets each refusal. `hashKey`: for tests. */
  constructor(
    attempts: number,
    {
      maxKeys = MAX_KEYS,
      elapsed = () => performance.now(),
      window = MINUTE,
      what = phrase`login attempts`,
      hashKey = HASH_KEY as Uint8Array,
      refused = undefined as ((refused: Refused) => void) | undefined,
    } = {},
  ) {
    this.#what = what;
    this.#hashKey = hashKey;
    this.#refused = refused;
    this.#attempts = attempts;
    this.#maxKeys = maxKeys;
    this.#elapsed = elapsed;
    this.#window = window;
    this.#others = new CountSketch(window);
  }

  get keys(): number {
    return this.#counted.size;
  }

  /** Throws `too_soon` when none was left. */
  take(name: string, address: string): void {
    this.check(name, address);
    const key = this.#hash(name, address);
    const now = this.#elapsed();
    const counted = this.#counted.get(key);
    if (counted) counted.count++;
    else if (this.#counted.size < this.#maxKeys)
      this.#counted.set(key, { count: 1 + this.#others.of(key, now), until: now + this.#window });
    else this.#others.add(key, now);
  }

  /** Takes an attempt back; one in the sketch stays. */
  giveBack(name: string, address: string): void {
    const counted = this.#counted.get(this.#hash(name, address));
    if (counted && counted.count > 0) counted.count--;
  }

  /** Throws `too_soon` when none is left; counts none. */
  check(name: string, address: string): void {
    const now = this.#elapsed();
    this.#forget(now);
    const key = this.#hash(name, address);
    const { count, until } = this.#counted.get(key) ?? {
      count: this.#others.of(key, now),
      until: now + this.#window,
    };
    if (count < this.#attempts) return;
    const retryAfter = Math.max(1, Math.ceil((until - now) / 1000));
    this.#refused?.({ name, address, retryAfter });
    throw new DomainError("too_soon", phrase`too many ${this.#what}; try again in ${retryAfter} s`, {
      code: "rate_limited",
      retryAfter,
    });
  }

  #hash(name: string, address: string): string {
    return createHmac("sha256", this.#hashKey)
      .update(`${fold(name.trim())}\0${customerAddress(address)}`)
      .digest("base64");
  }

  #forget(now: number): void {
    for (const [key, { until }] of this.#counted) {
      if (until > now) return;
      this.#counted.delete(key);
    }
  }
}
