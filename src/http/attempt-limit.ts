import { createHash } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "../domain/errors.ts";
import { fold } from "../domain/text.ts";

const WINDOW = 60;

/**
 * So many attempts a minute per username (trimmed, without case) plus client address, counted in memory for a bounded
 * number of keys of one size: past that the one longest unused is forgotten.
 */
export class AttemptLimit {
  readonly #attempts: number;
  readonly #maxKeys: number;
  readonly #limiter: RateLimiterMemory;
  readonly #keys = new Set<string>();

  constructor(attempts: number, maxKeys = 20_000) {
    this.#attempts = attempts;
    this.#maxKeys = maxKeys;
    this.#limiter = new RateLimiterMemory({ points: attempts, duration: WINDOW });
  }

  get keys(): number {
    return this.#keys.size;
  }

  /** Counts an attempt. Throws `too_soon` when there was none left. */
  async take(username: string, address: string): Promise<void> {
    const key = keyOf(username, address);
    await this.#remember(key);
    try {
      await this.#limiter.consume(key);
    } catch (error) {
      throw error instanceof RateLimiterRes ? tooSoon(error) : error;
    }
  }

  /** Uncounts an attempt. */
  async giveBack(username: string, address: string): Promise<void> {
    await this.#limiter.reward(keyOf(username, address));
  }

  /** Throws `too_soon` when no attempt is left; counts none. */
  async check(username: string, address: string): Promise<void> {
    const state = await this.#limiter.get(keyOf(username, address));
    if (state && state.msBeforeNext > 0 && state.consumedPoints >= this.#attempts) throw tooSoon(state);
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
    .update(`${fold(username.trim())}\0${address}`)
    .digest("base64");
}

function tooSoon({ msBeforeNext }: RateLimiterRes): DomainError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new DomainError("too_soon", `too many login attempts; try again in ${retryAfter} s`, { retryAfter });
}
