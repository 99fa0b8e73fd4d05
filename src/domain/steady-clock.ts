/** Milliseconds of the wall clock, and of a monotonic clock. */
interface Clocks {
  readonly wall: () => number;
  readonly elapsed: () => number;
}

/** A difference up to this is followed at once: a clock that is being set right, a machine that was suspended. */
const FOLLOWED = 300_000;
/** A leap counts after it has lasted so long. */
const BELIEVED_AFTER = 3_600_000;
/** At first whatever it says is followed: a box without a battery learns the time soon after its start. */
const UNSETTLED = 600_000;

/**
 * The wall clock's time, except that a leap of it is not believed at once: until it has lasted an hour, time goes on from
 * where it was. So a clock that is wrong by an hour or a year cuts off nobody, gives nobody time as a present and forgets
 * nothing, if it is set right within the hour; a restart of the program takes it as it is.
 */
export class SteadyClock {
  readonly #clocks: Clocks;
  readonly #begun: number;
  /** The last moment at which the wall was followed. */
  #followed: { wall: number; elapsed: number };
  #leap: { since: number; ahead: number } | undefined;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#begun = clocks.elapsed();
    this.#followed = { wall: clocks.wall(), elapsed: this.#begun };
  }

  /** Milliseconds, as of Date.now(). */
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

  /** Milliseconds that the wall is ahead, negative behind, by a leap that does not count yet; 0 without one. */
  leap(): number {
    this.now();
    return this.#leap?.ahead ?? 0;
  }
}
