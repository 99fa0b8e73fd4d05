/** Milliseconds of waiting after which a router with the usual three tries of 300 is about to give up. */
const LATE = 800;
/** The same after which any router has asked again: no set-up of ours has it wait longer. */
const TOO_LATE = 3000;
/** Milliseconds after which a login is dropped while any are, so that the others are answered before their routers ask again. */
const FRESH = 250;
/** Milliseconds of waiting below which there is time for all again. */
const CALM = 125;
/** Share of repeats from which on the routers ask again before their turn comes, and among how many it is looked for. */
const MANY = 0.25;
const AMONG = 64;

/**
 * Which logins are dropped where more come than there is time for. Answered one after the other, each answer would come when its router
 * has given up and its line asks anew, so that nobody is ever online again. So those that have waited are left to their repeats, and who
 * asked just now is answered in time. A queue is no harm by itself: where nobody repeats, the routers have the patience for it.
 */
export class LateLogins {
  #isDropping = false;
  /** The share of repeats among what was answered last. */
  #repeats = 0;

  /** Whether one that has waited so many milliseconds is dropped. */
  isLate(waited: number): boolean {
    if (this.#isDropping) this.#isDropping = waited >= CALM;
    else this.#isDropping = waited >= TOO_LATE || (waited >= LATE && this.#repeats >= MANY);
    return this.#isDropping && waited > FRESH;
  }

  /** What came of one that was not. */
  answered(isRepeat: boolean): void {
    this.#repeats += ((isRepeat ? 1 : 0) - this.#repeats) / AMONG;
  }
}
