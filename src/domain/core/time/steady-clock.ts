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

/** What another machine has told of the time, in milliseconds: what it is now, or since when it was later. */
export type TimeSignal = { readonly now: number } | { readonly notBefore: number };

/** The wall's time until another machine has told it; then time goes on from there by the monotonic clock, and is never before `notBefore`. */
export class FollowingClock {
  readonly #clocks: Clocks;
  #told: { readonly now: number; readonly elapsed: number; readonly isFloor: boolean } | undefined;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /** Milliseconds, as of Date.now(). */
  now(): number {
    const wall = this.#clocks.wall();
    if (!this.#told) return wall;
    const { now, elapsed, isFloor } = this.#told;
    const signal = now + this.#clocks.elapsed() - elapsed;
    return isFloor ? Math.max(wall, signal) : signal;
  }

  follow(signal: TimeSignal): void {
    const isFloor = "notBefore" in signal;
    // time goes on from a floor; to begin there again would be to go back
    if (isFloor && this.#told && this.now() >= signal.notBefore) return;
    this.#told = { now: isFloor ? signal.notBefore : signal.now, elapsed: this.#clocks.elapsed(), isFloor };
  }
}
