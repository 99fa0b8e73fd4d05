import { AnswerBudget } from "./answer-budget.ts";
import type { RouterosTarget } from "./client.ts";
import { RouterosError } from "./fault.ts";
import { type Ask, Line, type Timing } from "./line.ts";

/** Milliseconds: 10 s at most in all, and 5 s of silence after a failed login. */
const TIMING: Timing = {
  total: 10_000,
  connect: 5000,
  command: 5000,
  reused: 3000,
  loginPause: 5000,
  idle: 30_000,
};

/** The lines to the routers, by the id of their NAS. */
export class RouterosPool {
  readonly #timing: Timing;
  readonly #budget = AnswerBudget.ofAll();
  readonly #lines = new Map<number, Line>();
  #isClosed = false;

  constructor(timing: Partial<Timing> = {}) {
    this.#timing = { ...TIMING, ...timing };
  }

  /** Connections that are kept at the moment, in use or idle. */
  get size(): number {
    return this.#lines.size;
  }

  /** Runs `body` on the router's connection; a NAS whose API was changed gets a new one. Rejects within 10 s. */
  async run<T>(nasId: number, target: RouterosTarget, body: (ask: Ask) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new RouterosError("closed", "the program is stopping");
    return this.#line(nasId, target).run(body);
  }

  close(): void {
    this.#isClosed = true;
    for (const line of this.#lines.values()) line.close();
    this.#lines.clear();
  }

  #line(nasId: number, target: RouterosTarget): Line {
    const known = this.#lines.get(nasId);
    if (known && Bun.deepEquals(known.target, target)) return known;
    known?.close();
    const line = new Line(target, this.#timing, this.#budget, () => {
      line.close();
      if (this.#lines.get(nasId) === line) this.#lines.delete(nasId);
    });
    this.#lines.set(nasId, line);
    return line;
  }
}
