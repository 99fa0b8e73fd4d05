/** Requests a second to one router. */
const A_SECOND = 100;
const STEP = 1000 / A_SECOND;
/** Milliseconds by which a turn may be late and is made up for. */
const SLACK = 50;

/** Turns at each router, so that none is asked more often than it can take. */
export class Pace {
  /** By router, when its last turn was or will be, by performance.now(). */
  readonly #last = new Map<string, number>();

  /** Resolves when it is the caller's turn. */
  async turn(router: string): Promise<void> {
    const now = performance.now();
    const at = Math.max((this.#last.get(router) ?? 0) + STEP, now - SLACK);
    this.#last.set(router, at);
    if (at > now) await Bun.sleep(at - now);
  }
}
