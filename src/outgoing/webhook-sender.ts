import type { Db } from "../../db/open.ts";
import type { Actor } from "../domain/staff/actor.ts";
import type { Clock } from "../domain/time.ts";
import {
  bookAttempt,
  type Came,
  type DueDelivery,
  dueDeliveries,
  endpointsDue,
  signedAttempt,
} from "../domain/webhooks/deliveries.ts";
import { planDeliveries } from "../domain/webhooks/plan.ts";
import { NotSent, outside, type Outside, request } from "./request.ts";

/** Calls of one endpoint at a time, and of all. */
const OF_ONE = 4;
const OF_ALL = 32;

/** Milliseconds that calls under way have at the end. */
const LAST_WAIT = 2000;

interface Needs {
  readonly db: Db;
  readonly by: Actor;
  readonly clock: Clock;
  readonly world?: Outside;
  readonly random?: () => number;
}

/**
 * Sends events to who asked for them. What is under way is known to this process alone: after a crash it is sent again under the same id.
 * A slow or silent endpoint holds up none but itself.
 */
export class WebhookSender {
  readonly #needs: Required<Needs>;
  /** Under way, by endpoint. */
  readonly #calls = new Map<number, Map<number, DueDelivery>>();
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;
  #isClosed = false;

  constructor(needs: Needs) {
    this.#needs = { world: outside, random: Math.random, ...needs };
  }

  /** Plans what is new and begins what is due; what ends begins the next. Called by the clock. */
  run(): void {
    const { db, by, clock } = this.#needs;
    planDeliveries(db, by, { now: clock() });
    for (const endpointId of endpointsDue(db, clock())) this.#begin(endpointId);
  }

  /** Begins nothing more, and waits a moment for what is under way; what ends later is as if it had not been, and is sent again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.race([this.settled(), Bun.sleep(LAST_WAIT)]);
    this.#isClosed = true;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #begin(endpointId: number): void {
    if (this.#isStopped) return;
    const calls = this.#calls.getOrInsertComputed(endpointId, () => new Map<number, DueDelivery>());
    const room = Math.min(OF_ONE - calls.size, OF_ALL - this.#running.size);
    if (room <= 0) return;
    const { db, clock } = this.#needs;
    const busy = new Set(Array.from(calls.values(), ({ subscriberId }) => subscriberId));
    busy.delete(null);
    const due = dueDeliveries(db, { endpointId, limit: OF_ONE * 2 }, clock());
    for (const delivery of due) {
      if (calls.size >= OF_ONE || this.#running.size >= OF_ALL) break;
      const { id, subscriberId } = delivery;
      if (calls.has(id) || (subscriberId !== null && busy.has(subscriberId))) continue;
      busy.add(subscriberId);
      calls.set(id, delivery);
      const running = this.#deliver(delivery).finally(() => {
        calls.delete(id);
        if (calls.size === 0) this.#calls.delete(endpointId);
        this.#running.delete(running);
        this.#begin(endpointId);
      });
      this.#running.add(running);
    }
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const { db, clock, random } = this.#needs;
    const began = performance.now();
    const came = await this.#call(delivery);
    if (this.#isClosed) return;
    const milliseconds = Math.round(performance.now() - began);
    bookAttempt(db, delivery, { ...came, milliseconds }, { now: clock(), random: random() });
  }

  async #call(delivery: DueDelivery): Promise<Omit<Came, "milliseconds">> {
    const { db, clock, world } = this.#needs;
    try {
      const { url, allowLocal } = delivery;
      const signed = signedAttempt(db, delivery, clock());
      const answer = await request({ ...signed, method: "POST", url, allowLocal: allowLocal === 1 }, world);
      return { status: answer.status, answer: answer.body, retryAfter: answer.retryAfter };
    } catch (error) {
      if (error instanceof NotSent) return { error: error.message };
      throw error;
    }
  }
}
