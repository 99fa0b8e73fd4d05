/** Requests per second to one router. */
const A_SECOND = 100;
const STEP = 1000 / A_SECOND;
/** Milliseconds of delay that are caught up. */
const SLACK = 50;

/** Rate limit per router. */
export class Pace {
  /** Time of each router's last turn, past or planned, performance.now(). */
  readonly #last = new Map<string, Promise<number>>();

  async turn(router: string): Promise<void> {
    const mine = afterTurn(this.#last.get(router));
    this.#last.set(router, mine);
    await mine;
  }
}

/** Waits for the previous turn, so that delayed turns do not all come at once. */
async function afterTurn(before: Promise<number> | undefined): Promise<number> {
  const last = (await before) ?? 0;
  const now = performance.now();
  const at = Math.max(last + STEP, now - SLACK);
  if (at > now) await Bun.sleep(at - now);
  return at;
}
