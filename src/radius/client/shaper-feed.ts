import type { FeedStanding } from "../../domain/around/feeds/note.ts";
import {
  NewsReader,
  openAt,
  type RatedSession,
  stoppedSince,
  type DueFeed,
} from "../../domain/around/feeds/due.ts";
import type { Db } from "../../../db/open.ts";
import type { Clock, Seconds } from "../../domain/core/time/time.ts";
import { answerTerms } from "../../domain/service/access/garden.ts";
import { Code } from "../packet/numbers.ts";
import type { CoaClient } from "./coa.ts";
import { Status, writeNews } from "./feed-packet.ts";

/** Most sessions that one shaper is told about. */
const MOST = 100_000;
/** Requests a second: a shaper that starts anew is told about every session, and its socket buffer holds no more. */
const A_SECOND = 500;
const TURNS_A_SECOND = 10;
/** Requests in flight at once. */
const AT_ONCE = 200;
/** Timeout of an answer in milliseconds, with three transmissions in it. */
const WAIT = 3000;
/** Milliseconds of each second spent on checking for changed rates, as fair use and hours change them without a report. */
const LOOKING = 5;
/** Seconds for which a shaper may remember a session: what ended within them is sent once more after a restart. */
const REMEMBERED = 1200;
/** Seconds that news has to wait before it is reported as behind. */
const BEHIND = 60;

/** The last news that a shaper acknowledged about a session. */
interface SentSession {
  readonly id: number;
  readonly nasId: number;
  readonly updatedAt: Seconds;
  readonly rate: string | null;
  readonly at: Seconds;
  readonly session: RatedSession;
}

export interface FeedNeeds {
  readonly db: Db;
  readonly clock: Clock;
  readonly client: CoaClient;
  /** Seconds after which an open session is sent again, whatever its router does. */
  readonly interim: Seconds;
  readonly failed: (error: unknown) => void;
}

/**
 * Tells one shaper about the sessions of its routers. Each is read from the store when its turn comes, so the news is always
 * current and nobody waits for the shaper. What it does not answer is sent again; while it is silent one request probes it, and
 * once it is back it is told everything, as it may have restarted.
 */
export class ShaperFeed {
  /** Its routers may change. */
  feed: DueFeed;
  readonly #needs: FeedNeeds;
  readonly #reader: NewsReader;
  readonly #told = new Map<number, SentSession>();
  /** Told sessions by router. */
  readonly #ofRouter = new Map<number, Set<number>>();
  /** Sessions with news, their router and since when. */
  readonly #waiting = new Map<number, { readonly nasId: number; readonly since: Seconds }>();
  readonly #underWay = new Map<number, { readonly nasId: number; readonly since: Seconds }>();
  #rates: Iterator<SentSession> | undefined;
  #timer: Timer | undefined;
  #answeredAt: Seconds | null = null;
  #silentSince: Seconds | null = null;
  #isFull = false;
  #isStopped = false;

  constructor(feed: DueFeed, needs: FeedNeeds) {
    this.feed = feed;
    this.#needs = needs;
    this.#reader = new NewsReader(needs.db);
    for (const { id, nasId } of stoppedSince(needs.db, needs.clock() - REMEMBERED)) this.opened(id, nasId);
  }

  /** A session not told yet. */
  opened(id: number, nasId: number | null): void {
    if (nasId !== null && this.feed.nasIds.has(nasId)) this.#wait(id, nasId);
  }

  /** Looks for news caused by routers and by time. */
  look(): void {
    const now = this.#needs.clock();
    for (const nasId of this.feed.nasIds) this.#lookAt(nasId, now);
    for (const [nasId, ids] of this.#ofRouter)
      if (!this.feed.nasIds.has(nasId)) for (const id of ids) this.#wait(id, nasId);
    this.#lookAtRates(now);
    if (this.#waiting.size > 0) this.#begin();
  }

  get standing(): FeedStanding {
    const now = this.#needs.clock();
    const [oldest = now] = [...this.#underWay.values(), ...this.#waiting.values()].reduce<Seconds[]>(
      ([least = now], { since }) => [Math.min(least, since)],
      [],
    );
    return {
      answeredAt: this.#answeredAt,
      silentSince: this.#silentSince,
      behindSince: this.#isFull || now - oldest > BEHIND ? oldest : null,
      waiting: this.#waiting.size + this.#underWay.size,
    };
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  #lookAt(nasId: number, now: Seconds): void {
    const gone = new Set(this.#ofRouter.get(nasId));
    for (const { id, updatedAt } of openAt(this.#needs.db, nasId)) {
      const sent = this.#told.get(id);
      gone.delete(id);
      const isOld = sent !== undefined && now - sent.at >= this.#needs.interim;
      if (!sent || sent.updatedAt !== updatedAt || isOld) this.#wait(id, nasId);
    }
    for (const id of gone) this.#wait(id, nasId);
  }

  /** Checks as many as there is time for, the others the next time. */
  #lookAtRates(now: Seconds): void {
    const { garden } = answerTerms(this.#needs.db);
    const end = performance.now() + LOOKING;
    let left = this.#told.size;
    while (left-- > 0 && performance.now() < end) {
      this.#rates ??= this.#told.values();
      const { value, done } = this.#rates.next();
      if (done) this.#rates = undefined;
      else if (this.#reader.rate(value.session, { now, garden }) !== value.rate)
        this.#wait(value.id, value.nasId);
    }
  }

  #wait(id: number, nasId: number): void {
    if (this.#waiting.has(id)) return;
    this.#isFull = !this.#told.has(id) && this.#told.size + this.#waiting.size >= MOST;
    if (!this.#isFull) this.#waiting.set(id, { nasId, since: this.#needs.clock() });
  }

  #begin(): void {
    if (this.#isStopped || this.#timer) return;
    const turn = () => {
      const room = AT_ONCE - this.#underWay.size;
      const most = this.#silentSince === null ? A_SECOND / TURNS_A_SECOND : Number(this.#underWay.size === 0);
      let left = Math.min(room, most);
      for (const [id, { nasId, since }] of this.#waiting) {
        if (left <= 0) break;
        if (this.#underWay.has(id)) continue; // what is told of it now comes first
        left--;
        this.#waiting.delete(id);
        this.#tell(id, nasId, since).catch(this.#needs.failed);
      }
      if (this.#waiting.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
    this.#timer = setInterval(turn, 1000 / TURNS_A_SECOND);
    turn();
  }

  async #tell(id: number, nasId: number, since: Seconds): Promise<void> {
    const { db, client, clock } = this.#needs;
    const { address, port, secret } = this.feed;
    const news = this.#reader.session(id);
    if (!news) return this.#forget(id, nasId);
    const now = clock();
    const rate = this.#reader.rate(news, { now, garden: answerTerms(db).garden });
    const isOver = news.stoppedAt !== null || !this.feed.nasIds.has(nasId);
    const isNew = !this.#told.has(id) && news.updatedAt - news.startedAt < this.#needs.interim;
    const status = isOver ? Status.stop : isNew ? Status.start : Status.interim;
    this.#underWay.set(id, { nasId, since });
    try {
      const target = { address, port, secret, localAddress: null, wait: WAIT, messageAuthenticator: false };
      const { kind } = await client.request(
        Code["Accounting-Request"],
        (packet) => writeNews(packet, news, { status, rate, now }),
        target,
      );
      if (kind === "silence") return this.#unheard(id, nasId, since);
      this.#answered();
      if (isOver) this.#forget(id, nasId);
      else this.#remember({ id, nasId, rate, at: now, updatedAt: news.updatedAt, session: news });
    } finally {
      this.#underWay.delete(id);
    }
  }

  #remember(sent: SentSession): void {
    this.#told.set(sent.id, sent);
    const ids = this.#ofRouter.get(sent.nasId) ?? new Set();
    this.#ofRouter.set(sent.nasId, ids.add(sent.id));
  }

  #forget(id: number, nasId: number): void {
    this.#told.delete(id);
    const ids = this.#ofRouter.get(nasId);
    ids?.delete(id);
    if (ids?.size === 0) this.#ofRouter.delete(nasId);
  }

  #answered(): void {
    this.#answeredAt = this.#needs.clock();
    if (this.#silentSince === null) return;
    this.#silentSince = null;
    // sessions that ended meanwhile are among those told; others are found as new
    for (const { id, nasId } of this.#told.values()) this.#wait(id, nasId);
  }

  #unheard(id: number, nasId: number, since: Seconds): void {
    this.#silentSince ??= this.#needs.clock();
    if (!this.#isStopped && !this.#waiting.has(id)) this.#waiting.set(id, { nasId, since });
    if (!this.#isStopped) this.#begin();
  }
}
