import { createHash } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "../domain/errors.ts";
import { customerOf } from "../domain/networks.ts";
import { fold } from "../domain/text.ts";

const WINDOW = 60;
const MAX_KEYS = 20_000;
/** A flood of names makes the memory forget the one that is guessed at, and that one could be guessed at again. */
const NAMES_A_MINUTE = MAX_KEYS / 2;

/**
 * So many attempts a minute per username (trimmed, without case) plus client address, counted in memory for a bounded
 * number of keys of one size: past that the one longest unused is forgotten. An address may try half as many names a minute.
 */
export class AttemptLimit {
  readonly #attempts: Count;
  readonly #names = new Count(NAMES_A_MINUTE, MAX_KEYS);

  constructor(attempts: number, maxKeys = MAX_KEYS) {
    this.#attempts = new Count(attempts, maxKeys);
  }

  get keys(): number {
    return this.#attempts.keys;
  }

  /** Counts an attempt. Throws `too_soon` when there was none left. */
  async take(username: string, address: string): Promise<void> {
    const key = keyOf(username, address);
    if (!this.#attempts.has(key)) await this.#names.take(customerOf(address));
    await this.#attempts.take(key);
  }

  /** Uncounts an attempt. */
  async giveBack(username: string, address: string): Promise<void> {
    await this.#attempts.giveBack(keyOf(username, address));
  }

  /** Throws `too_soon` when no attempt is left; counts none. */
  async check(username: string, address: string): Promise<void> {
    await this.#attempts.check(keyOf(username, address));
  }
}

/** Counts by key within the window. */
class Count {
  readonly #points: number;
  readonly #maxKeys: number;
  readonly #limiter: RateLimiterMemory;
  readonly #keys = new Set<string>();

  constructor(points: number, maxKeys: number) {
    this.#points = points;
    this.#maxKeys = maxKeys;
    this.#limiter = new RateLimiterMemory({ points, duration: WINDOW });
  }

  get keys(): number {
    return this.#keys.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Throws `too_soon` when there was none left. */
  async take(key: string): Promise<void> {
    await this.#remember(key);
    try {
      await this.#limiter.consume(key);
    } catch (error) {
      throw error instanceof RateLimiterRes ? tooSoon(error) : error;
    }
  }

  async giveBack(key: string): Promise<void> {
    await this.#limiter.reward(key);
  }

  /** Throws `too_soon` when none is left. */
  async check(key: string): Promise<void> {
    const state = await this.#limiter.get(key);
    if (state && state.msBeforeNext > 0 && state.consumedPoints >= this.#points) throw tooSoon(state);
  }

  async #remember(key: string): Promise<void> {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.#maxKeys) return;
    const [longestUnused = ""] = this.#keys;
    this.#keys.delete(longestUnused);
    await this.#limiter.delete(longestUnused);
  }
}

function keyOf(username: string, address: string): string {
  return createHash("sha256")
    .update(`${fold(username.trim())}\0${customerOf(address)}`)
    .digest("base64");
}

function tooSoon({ msBeforeNext }: RateLimiterRes): DomainError {
  // more than the window: the clock was set back meanwhile, which does not make the counting any longer
  const retryAfter = Math.min(WINDOW, Math.max(1, Math.ceil(msBeforeNext / 1000)));
  return new DomainError("too_soon", `too many login attempts; try again in ${retryAfter} s`, { retryAfter });
}
