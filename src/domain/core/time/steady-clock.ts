/** Milliseconds. */
interface Clocks {
  readonly wall: () => number;
  readonly elapsed: () => number;
}

/** Milliseconds; smaller leaps are followed at once: a corrected clock, a suspended machine. */
const FOLLOWED = 300_000;
/** Milliseconds until a leap counts. */
const BELIEVED_AFTER = 3_600_000;
/** Milliseconds after the start in which every leap is followed: a box without a battery learns the time then. */
const UNSETTLED = 600_000;

/**
 * The wall clock, but a leap counts only after an hour; until then time goes on. So a clock wrong by an hour or a year cuts off
 * nobody, extends nothing and deletes nothing if it is corrected in time. A restart accepts it.
 */
export class SteadyClock {
  readonly #clocks: Clocks;
  readonly #begun: number;
  #followed: { wall: number; elapsed: number };
  #leap: { since: number; ahead: number } | undefined;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#begun = clocks.elapsed();
    this.#followed = { wall: clocks.wall(), elapsed: this.#begun };
  }

  /** As Date.now(). */
  now(): number {
    const wall = this.#clocks.wall();
    const elapsed = this.#clocks.elapsed();
    const expected = this.#followed.wall + elapsed - this.#followed.elapsed;
    const ahead = wall - expected;
    if (Math.abs(ahead) > FOLLOWED && elapsed - this.#begun >= UNSETTLED) {
      if (!this.#leap || Math.abs(ahead - this.#leap.ahead) > FOLLOWED)
        this.#leap = { since: elapsed, ahead };
      if (elapsed - this.#leap.since < BELIEVED_AFTER) return expected;
    }
    this.#leap = undefined;
    this.#followed = { wall, elapsed };
    return wall;
  }

  /** Milliseconds of an uncounted leap, negative behind; 0 without one. */
  leap(): number {
    this.now();
    return this.#leap?.ahead ?? 0;
  }
}

/** Another machine's time, in milliseconds: now, or a lower bound. */
export type TimeSignal = { readonly now: number } | { readonly notBefore: number };

/** The wall's time until another machine's is known; then that, monotonically, never before `notBefore`. */
export class FollowingClock {
  readonly #clocks: Clocks;
  #told: { readonly now: number; readonly elapsed: number; readonly isFloor: boolean } | undefined;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /** As Date.now(). */
  now(): number {
    const wall = this.#clocks.wall();
    if (!this.#told) return wall;
    const { now, elapsed, isFloor } = this.#told;
    const signal = now + this.#clocks.elapsed() - elapsed;
    return isFloor ? Math.max(wall, signal) : signal;
  }

  follow(signal: TimeSignal): void {
    const isFloor = "notBefore" in signal;
    // time went on from this floor already
    if (isFloor && this.#told && this.now() >= signal.notBefore) return;
    this.#told = { now: isFloor ? signal.notBefore : signal.now, elapsed: this.#clocks.elapsed(), isFloor };
  }
}
