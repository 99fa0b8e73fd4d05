import { AnswerBudget } from "./answer-budget.ts";
import type { RouterosTarget } from "./client.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { RouterosError } from "./fault.ts";
import { type Ask, PooledConnection, type Timing } from "./pooled-connection.ts";

/** Milliseconds: 10 s in all, and 5 s of pause after a failed login. */
const TIMING: Timing = {
  total: 10_000,
  connect: 5000,
  command: 5000,
  reused: 3000,
  loginPause: 5000,
  idle: 30_000,
};

export class RouterosPool {
  readonly #timing: Timing;
  readonly #budget = AnswerBudget.ofAll();
  readonly #connections = new Map<number, PooledConnection>();
  #isClosed = false;

  constructor(timing: Partial<Timing> = {}) {
    this.#timing = { ...TIMING, ...timing };
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Runs `body` on the router's connection; a NAS whose API settings changed gets a new one. Rejects within 10 s. */
  async run<T>(nasId: number, target: RouterosTarget, body: (ask: Ask) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new RouterosError("closed", phrase`the program is stopping`);
    return this.#connectionTo(nasId, target).run(body);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }

  #connectionTo(nasId: number, target: RouterosTarget): PooledConnection {
    const known = this.#connections.get(nasId);
    if (known && Bun.deepEquals(known.target, target)) return known;
    known?.close();
    const connection = new PooledConnection(target, this.#timing, this.#budget, () => {
      connection.close();
      if (this.#connections.get(nasId) === connection) this.#connections.delete(nasId);
    });
    this.#connections.set(nasId, connection);
    return connection;
  }
}
