/** Milliseconds: of the wall, and since this thread began by a clock that never goes back. */
export interface Clocks {
  readonly wall: () => number;
  readonly elapsed: () => number;
}

const clocks: Clocks = { wall: () => Date.now(), elapsed: () => performance.now() };

/** Milliseconds by which both clocks part at once when somebody sets that of the wall, and not by how long it takes to read both. */
const LEAP = 100;

/**
 * How long ago the kernel stamped something. Its stamps are of the wall's clock, which may be set meanwhile: what was stamped before that
 * came now, so that nothing is ever taken to be older than it is.
 */
export class ArrivalClock {
  readonly #clocks: Clocks;
  #wall = 0;
  #apart: number;
  /** When the wall's clock was seen to be set, by itself. */
  #setAt = -Infinity;

  constructor({ wall, elapsed }: Clocks = clocks) {
    this.#clocks = { wall, elapsed };
    this.#apart = wall() - elapsed();
  }

  /** Before `since`, of all that is there. */
  look(): void {
    const { wall, elapsed } = this.#clocks;
    this.#wall = wall();
    const apart = this.#wall - elapsed();
    if (Math.abs(apart - this.#apart) > LEAP) this.#setAt = this.#wall;
    this.#apart = apart;
  }

  /** Milliseconds from a stamp to the last look. */
  since(stamp: number): number {
    return stamp < this.#setAt ? 0 : Math.max(0, this.#wall - stamp);
  }
}
