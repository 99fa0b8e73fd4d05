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

/** Sessions that one shaper is told of at the most. */
const MOST = 100_000;
/** Requests a second: a shaper that begins anew is told of everybody, and its socket holds no more. */
const A_SECOND = 500;
const TURNS_A_SECOND = 10;
/** Requests that wait for an answer at once. */
const AT_ONCE = 200;
/** Milliseconds that an answer may take: the bytes are sent three times in it. */
const WAIT = 3000;
/** Milliseconds of each second in which it is looked whether a rate has changed, as tiers and hours do without a report. */
const LOOKING = 5;
/** Seconds for which a shaper may remember what it was told: what ended within them is told once more after a restart. */
const REMEMBERED = 1200;
/** Seconds of news that waits after which it is said. */
const BEHIND = 60;

/** What a shaper was told last of a session, and took. */
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
  /** Seconds after which an open session is told of again, whatever its router sends. */
  readonly interim: Seconds;
  readonly failed: (error: unknown) => void;
}

/**
 * Tells one shaper of the sessions at its routers: what the store says of each when its turn comes, so that news of one that waits is always
 * the newest, and nobody waits for the shaper. What it does not answer is told again; while it is silent one request asks whether it is
 * back, and then it hears of everybody, for it may have begun anew.
 */
export class ShaperFeed {
  /** Its routers may become others. */
  feed: DueFeed;
  readonly #needs: FeedNeeds;
  readonly #reader: NewsReader;
  readonly #told = new Map<number, SentSession>();
  /** By router, the sessions of it that were told. */
  readonly #ofRouter = new Map<number, Set<number>>();
  /** Sessions of which there is news, with the router and the moment since when. */
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

  /** A session that was never told. */
  opened(id: number, nasId: number | null): void {
    if (nasId !== null && this.feed.nasIds.has(nasId)) this.#wait(id, nasId);
  }

  /** Looks for news of what routers and the clock have changed. */
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

  /** As many as there is time for, the next ones the next time. */
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
    // sessions that ended meanwhile are known to have been told: the others are found anew
    for (const { id, nasId } of this.#told.values()) this.#wait(id, nasId);
  }

  #unheard(id: number, nasId: number, since: Seconds): void {
    this.#silentSince ??= this.#needs.clock();
    if (!this.#isStopped && !this.#waiting.has(id)) this.#waiting.set(id, { nasId, since });
    if (!this.#isStopped) this.#begin();
  }
}
