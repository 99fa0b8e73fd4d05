import type { Db } from "../../db/open.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
import { bookAttempt, type Came, isDelivered, type Tried } from "../domain/around/webhooks/book.ts";
import {
  bringUnanswered,
  type DueDelivery,
  dueDeliveries,
  endpointsDue,
  endpointsWaiting,
  firstUnanswered,
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

/** Seconds after which it is seen whether an endpoint is there again: a tenth of how long it is away, within these. */
const [SOONEST, LATEST] = [5, 300];

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

type Sent = DueDelivery & Tried;

interface Unbooked {
  readonly delivery: Sent;
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
  /** Endpoints whose last call failed: since when, and when it was. */
  readonly #ill = new Map<number, { readonly since: Seconds; readonly at: Seconds }>();
  /** Endpoints that answer again, and of which more may have waited for that. */
  readonly #back = new Set<number>();
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
    this.#bringBack();
    this.#beginDue();
    this.#probe();
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
    const lastTurn = (id: number) => this.#turns.get(id) ?? 0;
    const due = endpointsDue(db, clock()).sort((a, b) => lastTurn(a) - lastTurn(b));
    for (const endpointId of due) this.#begin(endpointId);
  }

  #begin(endpointId: number): void {
    const underWay = this.#calls.get(endpointId) ?? new Map<number, DueDelivery>();
    const limit = this.#countRoom(endpointId, underWay.size);
    if (limit <= 0) return;
    const { db, clock } = this.#needs;
    const busy = {
      ids: new Set(underWay.keys()),
      subscribers: new Set([...underWay.values()].flatMap(({ subscriberId }) => subscriberId ?? [])),
    };
    for (const delivery of dueDeliveries(db, { endpointId, limit, busy }, clock())) {
      this.#turns.set(endpointId, ++this.#turn);
      this.#start(delivery, underWay);
    }
  }

  #start(delivery: Sent, underWay = new Map<number, DueDelivery>()): void {
    this.#calls.set(delivery.endpointId, underWay.set(delivery.id, delivery));
    const running = this.#deliver(delivery).finally(() => {
      this.#running.delete(running);
      this.#next();
    });
    this.#running.add(running);
  }

  /** Tries one of what waits for later where nobody has answered: else nothing would hear of an endpoint that is there again. */
  #probe(): void {
    if (this.#isStopped) return;
    const { db, clock } = this.#needs;
    const now = clock();
    for (const endpointId of endpointsWaiting(db, now)) {
      if (
        this.#well.has(endpointId) ||
        this.#countRoom(endpointId, this.#calls.get(endpointId)?.size ?? 0) <= 0
      )
        continue;
      const { since, at } = this.#ill.get(endpointId) ?? { since: now, at: now };
      const pause = Math.min(LATEST, Math.max(SOONEST, (now - since) / 10));
      this.#ill.set(endpointId, { since, at });
      if (now < at + pause) continue;
      const delivery = firstUnanswered(db, { endpointId }, now);
      this.#ill.set(endpointId, { since, at: now });
      if (delivery) this.#start({ ...delivery, isProbe: true });
    }
  }

  /** What waited for an endpoint that answers again. */
  #bringBack(): void {
    const { db, clock } = this.#needs;
    for (const endpointId of this.#back)
      if (!bringUnanswered(db, { endpointId }, clock())) this.#back.delete(endpointId);
  }

  #heard({ endpointId }: DueDelivery, came: Pick<Came, "status">): void {
    if (isDelivered(came)) {
      if (!this.#well.has(endpointId)) this.#back.add(endpointId);
      this.#well.add(endpointId);
      this.#ill.delete(endpointId);
      return;
    }
    const now = this.#needs.clock();
    this.#well.delete(endpointId);
    this.#ill.set(endpointId, { since: this.#ill.get(endpointId)?.since ?? now, at: now });
  }

  #countRoom(endpointId: number, underWay: number): number {
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

  async #deliver(delivery: Sent): Promise<void> {
    const began = performance.now();
    const came = await this.#call(delivery);
    if (this.#isClosed) return;
    this.#heard(delivery, came);
    const milliseconds = Math.round(performance.now() - began);
    try {
      this.#book(delivery, { ...came, milliseconds });
      this.#bringBack();
    } catch (error) {
      this.#needs.failed(error);
    }
  }

  #book(delivery: Sent, came: Came): void {
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
