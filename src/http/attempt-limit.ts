import { createHmac, randomBytes } from "node:crypto";
import { DomainError } from "../domain/core/errors/errors.ts";
import { customerOf } from "../domain/core/networks/networks.ts";
import { fold } from "../domain/core/fields/text.ts";
import { CountSketch } from "./count-sketch.ts";

/** Milliseconds. */
const MINUTE = 60_000;
const MAX_KEYS = 20_000;
/** So that nobody can look for names whose counts share a place with somebody else's. */
const HASH_KEY = randomBytes(32);

interface Counted {
  count: number;
  /** When its window is over, by `elapsed`. */
  readonly until: number;
}

/** Somebody who has no attempt left; `retryAfter` is in seconds. */
export interface Refused {
  readonly name: string;
  readonly address: string;
  readonly retryAfter: number;
}

/**
 * So many attempts a minute, or another window, per name (trimmed, without case) plus client address, in bounded memory. Nothing is forgotten
 * within its window, however many names are tried: what finds no place in the table of exact counts is counted in a sketch,
 * which in a flood of hundreds of thousands of names holds some too high and none too low.
 */
export class AttemptLimit {
  readonly #attempts: number;
  readonly #maxKeys: number;
  readonly #elapsed: () => number;
  readonly #window: number;
  readonly #what: string;
  readonly #hashKey: Uint8Array;
  readonly #refused: ((refused: Refused) => void) | undefined;
  /** In the order in which their windows end. */
  readonly #counted = new Map<string, Counted>();
  readonly #others: CountSketch;

  /** `elapsed`: milliseconds of a clock that only goes forward. `what`: what there were too many of, in the refusal. `refused` hears of each. `hashKey`: another only in tests. */
  constructor(
    attempts: number,
    {
      maxKeys = MAX_KEYS,
      elapsed = () => performance.now(),
      window = MINUTE,
      what = "login attempts",
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

  /** Counts an attempt. Throws `too_soon` when there was none left. */
  take(name: string, address: string): void {
    this.check(name, address);
    const key = this.#keyOf(name, address);
    const now = this.#elapsed();
    const counted = this.#counted.get(key);
    if (counted) counted.count++;
    else if (this.#counted.size < this.#maxKeys)
      this.#counted.set(key, { count: 1 + this.#others.of(key, now), until: now + this.#window });
    else this.#others.add(key, now);
  }

  /** Uncounts an attempt, unless it is one among so many that they are counted in the sketch. */
  giveBack(name: string, address: string): void {
    const counted = this.#counted.get(this.#keyOf(name, address));
    if (counted && counted.count > 0) counted.count--;
  }

  /** Throws `too_soon` when no attempt is left; counts none. */
  check(name: string, address: string): void {
    const now = this.#elapsed();
    this.#forget(now);
    const key = this.#keyOf(name, address);
    const { count, until } = this.#counted.get(key) ?? {
      count: this.#others.of(key, now),
      until: now + this.#window,
    };
    if (count < this.#attempts) return;
    const retryAfter = Math.max(1, Math.ceil((until - now) / 1000));
    this.#refused?.({ name, address, retryAfter });
    throw new DomainError("too_soon", `too many ${this.#what}; try again in ${retryAfter} s`, {
      code: "rate_limited",
      retryAfter,
    });
  }

  #keyOf(name: string, address: string): string {
    return createHmac("sha256", this.#hashKey)
      .update(`${fold(name.trim())}\0${customerOf(address)}`)
      .digest("base64");
  }

  /** Those whose window is over. */
  #forget(now: number): void {
    for (const [key, { until }] of this.#counted) {
      if (until > now) return;
      this.#counted.delete(key);
    }
  }
}
