/** Requests a second to one router. */
const A_SECOND = 100;
const STEP = 1000 / A_SECOND;
/** Milliseconds by which a turn may be late and is made up for. */
const SLACK = 50;

/** Turns at each router, so that none is asked more often than it can take. */
export class Pace {
  /** By router, its last turn, that was or will be: when, by performance.now(). */
  readonly #last = new Map<string, Promise<number>>();

  /** Resolves when it is the caller's turn. */
  async turn(router: string): Promise<void> {
    const mine = afterTurn(this.#last.get(router));
    this.#last.set(router, mine);
    await mine;
  }
}

/** One turn waits for the one before, so that those whose time went by while nothing ran do not all come at once. */
async function afterTurn(before: Promise<number> | undefined): Promise<number> {
  const last = (await before) ?? 0;
  const now = performance.now();
  const at = Math.max(last + STEP, now - SLACK);
  if (at > now) await Bun.sleep(at - now);
  return at;
}
