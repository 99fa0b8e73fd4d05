import type { AnswerBudget } from "./answer-budget.ts";
import { type Row, RouterosClient, type RouterosTarget } from "./client.ts";
import { inSeconds } from "./connection.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { RouterosError } from "./fault.ts";

export interface Timing {
  /** One use of the connection in all. */
  readonly total: number;
  /** Connecting, and logging in after it. */
  readonly connect: number;
  readonly command: number;
  /** The first answer on an idle connection: the router may have dropped it. */
  readonly reused: number;
  /** After a failed login, so that a wrong password neither fills the router's log nor locks the account. */
  readonly loginPause: number;
  readonly idle: number;
}

export type Ask = (path: string, ...words: string[]) => Promise<Row[]>;

interface Use {
  readonly fault: RouterosError;
  isOver: boolean;
}

/** The connection to a router: opened when needed, shared, closed when idle. */
export class PooledConnection {
  readonly target: RouterosTarget;
  readonly #timing: Timing;
  readonly #budget: AnswerBudget;
  readonly #idle: () => void;
  #client: RouterosClient | undefined;
  #opening: Promise<RouterosClient> | undefined;
  #refused: { error: RouterosError; until: number } | undefined;
  #users = 0;
  #timer: Timer | undefined;
  #isClosed = false;

  /** `budget` is shared by all connections; `idle` is called after a while without use. */
  constructor(target: RouterosTarget, timing: Timing, budget: AnswerBudget, idle: () => void) {
    this.target = target;
    this.#timing = timing;
    this.#budget = budget;
    this.#idle = idle;
  }

  /** Rejects with a RouterosError, or with what `body` throws, within the time of one use. */
  async run<T>(body: (ask: Ask) => Promise<T>): Promise<T> {
    this.#users++;
    clearTimeout(this.#timer);
    const { promise: over, reject } = Promise.withResolvers<never>();
    const use = {
      fault: new RouterosError("silent", phrase`it took longer than ${inSeconds(this.#timing.total)} in all`),
      isOver: false,
    };
    const timer = setTimeout(() => {
      use.isOver = true;
      reject(use.fault);
    }, this.#timing.total);
    try {
      return await Promise.race([this.#attempt(body, use, false), over]);
    } finally {
      use.isOver = true;
      clearTimeout(timer);
      this.#users--;
      this.#release();
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#client?.close();
    this.#client = undefined;
  }

  /** A reused connection that fails before its first answer was dead already: retried once on a new one. */
  async #attempt<T>(body: (ask: Ask) => Promise<T>, use: Use, isSecond: boolean): Promise<T> {
    const { client, isReused } = await this.#connect();
    let isAnswered = false;
    const ask: Ask = async (path, ...words) => {
      if (use.isOver) throw use.fault;
      const patience = isReused && !isAnswered ? this.#timing.reused : this.#timing.command;
      try {
        return await client.command(path, words, patience);
      } finally {
        isAnswered ||= client.fault === undefined;
      }
    };
    try {
      return await body(ask);
    } catch (error) {
      const isDead = client.fault !== undefined && client.fault.code !== "flood";
      if (isReused && !isAnswered && isDead && !isSecond) return this.#attempt(body, use, true);
      throw error;
    }
  }

  async #connect(): Promise<{ client: RouterosClient; isReused: boolean }> {
    if (this.#client && !this.#client.fault) return { client: this.#client, isReused: true };
    if (this.#refused && performance.now() < this.#refused.until) throw this.#refused.error;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return { client: await this.#opening, isReused: false };
  }

  async #open(): Promise<RouterosClient> {
    this.#refused = undefined;
    try {
      const client = await RouterosClient.open(this.target, this.#timing.connect, this.#budget);
      if (this.#isClosed) client.close();
      this.#client = client;
      return client;
    } catch (error) {
      if (error instanceof RouterosError && error.code === "login")
        this.#refused = { error, until: performance.now() + this.#timing.loginPause };
      throw error;
    }
  }

  #release(): void {
    if (this.#users > 0 || this.#isClosed) return;
    this.#timer = setTimeout(this.#idle, this.#timing.idle);
    this.#timer.unref();
  }
}
