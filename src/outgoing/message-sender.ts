import { type Db, writePatiently } from "../../db/open.ts";
import { isLocked } from "../../db/sqlite-error.ts";
import { channelToSend } from "../domain/around/messages/channels.ts";
import { bookMessage, type Came, recoverMessages } from "../domain/around/messages/booking.ts";
import { channelsDue, type Leaving, takeNext } from "../domain/around/messages/sending.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
import { waitLast } from "./last-wait.ts";
import { outside, type Outside } from "./request.ts";
import { sendMessage } from "./send-message.ts";

/** Parallel messages per channel, and in all. */
const OF_ONE = 4;
const OF_ALL = 32;
/** Seconds of a channel's rate that may be sent at once. */
const BURST = 5;

interface Needs {
  readonly db: Db;
  readonly by: Actor;
  readonly clock: Clock;
  readonly world?: Outside;
  readonly random?: () => number;
  /** Called with each result, for pages that show it. */
  readonly ended?: (message: { readonly ispId: number }) => void;
}

interface Lane {
  /** Messages allowed now by its rate, and when that was computed. */
  allowance: number;
  countedAt: Seconds;
  underWay: number;
  /** Failures since the last success. */
  failures: number;
}

/**
 * Sends due messages, each channel at its own rate. A message is marked before it is sent; a slow channel delays no other, and
 * one that is down is probed with one message.
 */
export class MessageSender {
  readonly #needs: Required<Needs>;
  readonly #lanes = new Map<number, Lane>();
  readonly #running = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #isRecovered = false;
  #isStopped = false;
  #isClosed = false;

  constructor(needs: Needs) {
    this.#needs = { world: outside, random: Math.random, ended: () => {}, ...needs };
  }

  /** Starts what is due; each result starts the next. Called every second. */
  run(): void {
    const { db, by, clock } = this.#needs;
    if (!this.#isRecovered) recoverMessages(db, by, { now: clock() });
    this.#isRecovered = true;
    for (const channel of channelsDue(db, clock())) this.#begin(channel);
  }

  /** Starts nothing more, and waits a moment for what is under way; later results count as interrupted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await waitLast(this.settled());
    this.#isClosed = true;
    this.#end.abort(); // who never answers does not hold up the end of the program
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #begin({ id, perMinute, isDown }: { id: number; perMinute: number; isDown: boolean }): void {
    const { db, by, clock } = this.#needs;
    const lane = this.#lane(id, perMinute);
    const most = isDown ? 1 : OF_ONE;
    while (!this.#isStopped && lane.underWay < most && this.#running.size < OF_ALL && lane.allowance >= 1) {
      const leaving = takeNext(db, by, { channelId: id }, { now: clock() });
      if (!leaving) return;
      lane.allowance--;
      lane.underWay++;
      const running = this.#send(leaving, lane).finally(() => {
        lane.underWay--;
        this.#running.delete(running);
        this.#beginAgain(id);
      });
      this.#running.add(running);
    }
  }

  #beginAgain(id: number): void {
    if (this.#isStopped) return;
    const { db, clock } = this.#needs;
    const channel = channelsDue(db, clock()).find((one) => one.id === id);
    if (!channel) return;
    try {
      this.#begin(channel);
    } catch (error) {
      if (!isLocked(error)) throw error; // the clock calls again
    }
  }

  #lane(id: number, perMinute: number): Lane {
    const now = this.#needs.clock();
    const most = Math.max(1, (perMinute * BURST) / 60);
    const lane = this.#lanes.getOrInsertComputed(id, () => {
      return { allowance: 1, countedAt: now, underWay: 0, failures: 0 };
    });
    const passed = Math.max(0, now - lane.countedAt);
    lane.allowance = Math.min(most, lane.allowance + (passed * perMinute) / 60);
    lane.countedAt = now;
    return lane;
  }

  async #send(leaving: Leaving, lane: Lane): Promise<void> {
    const { db, by, clock, random, ended } = this.#needs;
    const came = await this.#trySending(leaving);
    if (this.#isClosed) return;
    lane.failures = came.kind === "sent" || came.kind === "refused" ? 0 : lane.failures + 1;
    const failures = lane.failures;
    const at = { now: clock(), random: random() };
    for (;;) {
      try {
        await writePatiently(db, (tx) => bookMessage(tx, by, leaving, { came, failures }, at));
        return ended(leaving);
      } catch (error) {
        // a sent message has to be booked, however long another process holds the lock
        if (!isLocked(error) || this.#isClosed) throw error;
      }
    }
  }

  async #trySending(leaving: Leaving): Promise<Came> {
    const { db, world } = this.#needs;
    const channel = channelToSend(db, leaving.channelId);
    if (!channel) return { kind: "down", reason: "the channel is gone" };
    return sendMessage(channel, leaving, { ...world, end: this.#end.signal });
  }
}
