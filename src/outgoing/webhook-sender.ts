import type { Db } from "../../db/open.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Clock } from "../domain/core/time/time.ts";
import { bookAttempt, type Came, isDelivered } from "../domain/around/webhooks/book.ts";
import {
  type DueDelivery,
  dueDeliveries,
  endpointsDue,
  signedAttempt,
} from "../domain/around/webhooks/due.ts";
import { planDeliveries } from "../domain/around/webhooks/plan.ts";
import { waitLast } from "./last-wait.ts";
import { NotSent, outside, type Outside, request } from "./request.ts";

/** Parallel calls per endpoint, and in all. */
const OF_ONE = 4;
const OF_ALL = 32;
/** Parallel calls of endpoints whose last call failed, one each: however many never answer, the others have room. */
const OF_ILL = 16;

interface Needs {
  readonly db: Db;
  readonly by: Actor;
  readonly clock: Clock;
  /** Called with errors that are not a receiver's. */
  readonly failed: (error: unknown) => void;
  readonly world?: Outside;
  readonly random?: () => number;
}

const REDIRECTED =
  "it pointed to another address, and nobody follows that; give the webhook the address where it is to go";
const isRedirect = (status: number) => status >= 300 && status < 400;

interface Unbooked {
  readonly delivery: DueDelivery;
  readonly came: Came;
}

/**
 * Sends events to webhooks. Calls under way are known only to this process: after a crash they are sent again with the same id.
 * A slow endpoint delays no other.
 */
export class WebhookSender {
  readonly #needs: Required<Needs>;
  /** Calls under way or not booked yet, by endpoint. */
  readonly #calls = new Map<number, Map<number, DueDelivery>>();
  readonly #running = new Set<Promise<void>>();
  readonly #unbooked = new Map<number, Unbooked>();
  /** Endpoints whose last call succeeded. */
  readonly #well = new Set<number>();
  /** Last turn of each, as a counter. */
  readonly #turns = new Map<number, number>();
  #turn = 0;
  readonly #end = new AbortController();
  #isStopped = false;
  #isClosed = false;

  constructor(needs: Needs) {
    this.#needs = { world: outside, random: Math.random, ...needs };
  }

  /**
   * Plans new deliveries and starts due ones; each result starts the next. Called by a timer. Throws database errors; results
   * are kept until written, and not sent again meanwhile.
   */
  run(): void {
    const { db, by, clock } = this.#needs;
    for (const { delivery, came } of [...this.#unbooked.values()]) this.#book(delivery, came);
    planDeliveries(db, by, { now: clock() });
    this.#beginDue();
  }

  /** Starts nothing more, and waits a moment for what is under way; later results are ignored, and sent again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await waitLast(this.settled());
    this.#isClosed = true;
    this.#end.abort(); // a receiver that never answers does not hold up the end of the program
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Gives endpoints turns, the longest waiting first. */
  #beginDue(): void {
    if (this.#isStopped || this.#running.size >= OF_ALL) return;
    const { db, clock } = this.#needs;
    const turnOf = (id: number) => this.#turns.get(id) ?? 0;
    const due = endpointsDue(db, clock()).sort((a, b) => turnOf(a) - turnOf(b));
    for (const endpointId of due) this.#begin(endpointId);
  }

  #begin(endpointId: number): void {
    const underWay = this.#calls.get(endpointId) ?? new Map<number, DueDelivery>();
    const limit = this.#roomOf(endpointId, underWay.size);
    if (limit <= 0) return;
    const { db, clock } = this.#needs;
    const busy = {
      ids: new Set(underWay.keys()),
      subscribers: new Set([...underWay.values()].flatMap(({ subscriberId }) => subscriberId ?? [])),
    };
    for (const delivery of dueDeliveries(db, { endpointId, limit, busy }, clock())) {
      this.#turns.set(endpointId, ++this.#turn);
      this.#calls.set(endpointId, underWay.set(delivery.id, delivery));
      const running = this.#deliver(delivery).finally(() => {
        this.#running.delete(running);
        this.#next();
      });
      this.#running.add(running);
    }
  }

  #roomOf(endpointId: number, underWay: number): number {
    const room = OF_ALL - this.#running.size;
    if (this.#well.has(endpointId)) return Math.min(OF_ONE - underWay, room);
    const ill = [...this.#calls.keys()].filter((id) => !this.#well.has(id)).length;
    return Math.min(1 - underWay, OF_ILL - ill, room);
  }

  /** A database error is left to the next timed run. */
  #next(): void {
    if (this.#unbooked.size > 0) return;
    try {
      this.#beginDue();
    } catch (error) {
      this.#needs.failed(error);
    }
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const began = performance.now();
    const came = await this.#call(delivery);
    if (this.#isClosed) return;
    if (isDelivered(came)) this.#well.add(delivery.endpointId);
    else this.#well.delete(delivery.endpointId);
    const milliseconds = Math.round(performance.now() - began);
    try {
      this.#book(delivery, { ...came, milliseconds });
    } catch (error) {
      this.#needs.failed(error);
    }
  }

  #book(delivery: DueDelivery, came: Came): void {
    const { db, clock, random } = this.#needs;
    const { id, endpointId } = delivery;
    this.#unbooked.set(id, { delivery, came });
    bookAttempt(db, delivery, came, { now: clock(), random: random() });
    this.#unbooked.delete(id);
    const calls = this.#calls.get(endpointId);
    calls?.delete(id);
    if (calls?.size === 0) this.#calls.delete(endpointId);
  }

  async #call(delivery: DueDelivery): Promise<Omit<Came, "milliseconds">> {
    const { db, clock, world } = this.#needs;
    try {
      const { url, allowLocal } = delivery;
      const signed = signedAttempt(db, delivery, clock());
      const call = { ...signed, method: "POST", url, allowLocal: allowLocal === 1 };
      const answer = await request(call, { ...world, end: this.#end.signal });
      const { status, body, retryAfter } = answer;
      return { status, answer: body, retryAfter, ...(isRedirect(status) && { error: REDIRECTED }) };
    } catch (error) {
      if (error instanceof NotSent) return { error: error.message };
      this.#needs.failed(error);
      return { error: "an unexpected fault; the log of the server says which" };
    }
  }
}
