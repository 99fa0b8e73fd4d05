import type { Db } from "../../../../db/open.ts";
import { dueCardSessions, type DueCardSession } from "./due-cards.ts";
import { enforceCard } from "./enforce-card.ts";
import { type CutShort, sessionsCutShort } from "./time-left.ts";
import type { QuotaCrossed } from "../accounting/accounting.ts";
import { type Applied, type AppliedSession, enforceService } from "../control/apply.ts";
import type { Routers } from "../control/routers.ts";
import { DomainError } from "../../core/errors/errors.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { operator } from "../../core/actor/operator.ts";
import type { Clock } from "../../core/time/time.ts";
import { Backoff } from "./backoff.ts";
import { type DueSession, dueSessions } from "./due.ts";
import { fairDue } from "./fair-due.ts";
import { Pace } from "./pace.ts";

/** Most sessions started per run; the rest waits. */
const SESSIONS_A_RUN = 2000;
const MILLISECONDS_A_RUN = 20_000;
/** Parallel requests per router. */
const AT_ONCE = 20;
/** The same for simultaneous rate changes: a slow router should not delay the others. */
const AT_ONCE_IN_A_WAVE = 100;
/** Seconds between checks of rates even when no hours or window changed. */
const LOOK_EVERY = 10;
/** Share of time spent checking: every second with few lines, less often with many. */
const LOOKING = 0.02;

export interface Enforced {
  ended: number;
  changed: number;
  /** One line per failure. */
  failures: string[];
  /** The same for card sessions cut short; absent without any. */
  untold?: string[];
}

type Due = DueSession | DueCardSession | CutShort;

interface Turn {
  sessions: readonly Due[];
  /** All due, at any router. */
  ids: ReadonlySet<number>;
  enforced: Enforced;
  /** performance.now(). */
  end: number;
  isFair: boolean;
}

/**
 * Ends or slows down sessions that expired or were barred while open, whatever the router makes of Session-Timeout, and extends
 * card sessions. A silent router is skipped for a growing while, and costs one request a run.
 */
export class Enforcer {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #routers: Routers;
  readonly #by: Actor = operator("gatehouse", "system");
  readonly #backoff = new Backoff();
  readonly #underWay = new Set<Promise<Enforced>>();
  /** Subscribers and cards being handled, so that each session is asked about once. */
  readonly #busy = new Set<string>();
  readonly #pace = new Pace();
  /** Last answer by router, performance.now(). */
  readonly #heard = new Map<string, number>();
  /** Routers whose rates are being changed. */
  readonly #waves = new Set<string>();
  #nextLook = 0;
  /** performance.now(). */
  #lookAfter = 0;
  #isStopped = false;

  constructor(db: Db, { clock, routers }: { clock: Clock; routers: Routers }) {
    this.#db = db;
    this.#clock = clock;
    this.#routers = routers;
  }

  /** Checks one subscriber or card at once, when its quota is used up or a tier reached. */
  async enforceOne(crossed: QuotaCrossed): Promise<Enforced> {
    const first = await this.#track(this.#enforce(this.#due(crossed)));
    if ("cardId" in crossed) return first;
    const { due } = fairDue(this.#db, this.#clock(), crossed.subscriberId);
    const rates = await this.#track(this.#enforce(this.#ready(due), { isFair: true }));
    return {
      ended: first.ended + rates.ended,
      changed: first.changed + rates.changed,
      failures: [...first.failures, ...rates.failures],
    };
  }

  /**
   * Applies rates of tiers, hours and windows, router by router in parallel; each session gets the rate current at its turn.
   * Checks when the clock demands it, and every 10 s or sooner when cheap. Resolves when its waves are over; a router with a
   * wave under way is left to it.
   */
  async runWaves(): Promise<Enforced> {
    const now = this.#clock();
    const none: Enforced = { ended: 0, changed: 0, failures: [] };
    const isEarly = now < this.#nextLook && this.#nextLook <= now + LOOK_EVERY;
    const begin = performance.now();
    if (isEarly && begin < this.#lookAfter) return none;
    const { due, nextAt } = fairDue(this.#db, now);
    const took = performance.now() - begin;
    this.#lookAfter = begin + took / LOOKING;
    this.#nextLook = Math.min(nextAt, now + LOOK_EVERY);
    const begun = this.#ready(due).filter(({ nasAddress }) => !this.#waves.has(nasAddress));
    const routers = new Set(begun.map(({ nasAddress }) => nasAddress));
    for (const router of routers) this.#waves.add(router);
    const over = (router: string) => this.#waves.delete(router);
    return this.#track(this.#enforce(begun, { isFair: true, over }));
  }

  /** Checks everybody. Resolves when all routers have answered or timed out. */
  async run(): Promise<Enforced> {
    return this.#track(this.#enforce(this.#due().slice(0, SESSIONS_A_RUN)));
  }

  /** Starts nothing new, and resolves when routers have answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled(this.#underWay);
  }

  async #track(work: Promise<Enforced>): Promise<Enforced> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  #due(one?: QuotaCrossed): Due[] {
    const now = this.#clock();
    this.#backoff.prune(now);
    const db = this.#db;
    const subscribers = one && "cardId" in one ? [] : dueSessions(db, now, one?.subscriberId);
    const cards = one && "subscriberId" in one ? [] : dueCardSessions(db, now, one?.cardId);
    const cutShort = one ? [] : sessionsCutShort(db, now);
    // sessions that may not continue go first
    return this.#ready([...cards, ...subscribers, ...cutShort]);
  }

  #ready(all: readonly Due[]): Due[] {
    const now = this.#clock();
    return all.filter((due) => {
      const key = "until" in due ? timeKey(due.sessionId) : sessionKey(due.sessionId);
      return !this.#isLeftAlone(due) && !this.#backoff.isWaiting(key, now);
    });
  }

  /** Whether its router is skipped after silence, or only for timeouts. */
  #isLeftAlone(due: Due): boolean {
    const now = this.#clock();
    return (
      this.#backoff.isWaiting(routerKey(due.nasAddress), now) ||
      ("until" in due && this.#backoff.isWaiting(timesKey(due.nasAddress), now))
    );
  }

  async #enforce(
    due: readonly Due[],
    { isFair = false, over }: { isFair?: boolean; over?: (router: string) => void } = {},
  ): Promise<Enforced> {
    const enforced: Enforced = { ended: 0, changed: 0, failures: [] };
    const end = isFair ? Infinity : performance.now() + MILLISECONDS_A_RUN;
    // one session per holder suffices: its sessions at other routers are handled with it
    const holders = [...new Map(due.map((session) => [holderKey(session), session])).values()];
    const byRouter = Map.groupBy(holders, ({ nasAddress }) => nasAddress);
    const ids = new Set(due.map(({ sessionId }) => sessionId));
    // whose holders are all handled at another router
    for (const { nasAddress } of due) if (!byRouter.has(nasAddress)) over?.(nasAddress);
    await Promise.all(
      [...byRouter].map(async ([router, sessions]) => {
        try {
          await this.#enforceAt({ sessions, ids, enforced, end, isFair });
        } finally {
          over?.(router);
        }
      }),
    );
    return enforced;
  }

  /** One first, the others only when the router answers. */
  async #enforceAt({ sessions, ids, enforced, end, isFair }: Turn): Promise<void> {
    // a session whose router stays silent about it should not go first each time
    const waiting = isFair
      ? sessions.toSorted((a, b) => this.#hasFailed(a) - this.#hasFailed(b))
      : [...sessions];
    const work = async (limit: number) => {
      for (let count = 0; count < limit; count++) {
        if (this.#isStopped || performance.now() > end) return;
        const next = waiting.shift();
        // sessions that may not continue go first: if one is skipped, so are those behind it
        if (!next || this.#isLeftAlone(next)) return;
        await this.#pace.turn(next.nasAddress);
        await this.#enforceHolder(next, { ids, enforced, isFair });
      }
    };
    await work(1);
    const atOnce = isFair ? AT_ONCE_IN_A_WAVE : AT_ONCE;
    await Promise.all(Array.from({ length: atOnce }, () => work(Infinity)));
  }

  #hasFailed({ sessionId }: Due): number {
    return Number(this.#backoff.hasFailed(sessionKey(sessionId)));
  }

  async #enforceHolder(
    session: Due,
    { ids: due, enforced, isFair }: Pick<Turn, "ids" | "enforced" | "isFair">,
  ): Promise<void> {
    const by = this.#by;
    const key = holderKey(session);
    if (this.#busy.has(key)) return;
    this.#busy.add(key);
    try {
      const begin = performance.now();
      const needs = { clock: this.#clock, routers: this.#routers };
      const { outcome, answers } =
        "cardId" in session
          ? await enforceCard(this.#db, by, { cardId: session.cardId, due }, needs)
          : await enforceService(this.#db, by, { subscriberId: session.subscriberId, due, isFair }, needs);
      this.#note(outcome, answers, { enforced, begin, isFair });
    } catch (error) {
      // deleted meanwhile
      if (!(error instanceof DomainError && error.kind === "not_found")) throw error;
    } finally {
      this.#busy.delete(key);
    }
  }

  #note(
    reached: Applied,
    answers: readonly AppliedSession[],
    { enforced, begin, isFair }: Pick<Turn, "enforced" | "isFair"> & { begin: number },
  ): void {
    const now = this.#clock();
    for (const { session, answer, outcome } of answers)
      if (outcome !== "unchanged" && !(answer.kind === "failed" && answer.isSilent))
        this.#heard.set(session.nasAddress, performance.now());
    if (reached === "reconnected") enforced.ended++;
    if (reached === "changed") enforced.changed++;
    for (const { session, answer, outcome, untold } of answers) {
      if (answer.kind === "failed" && untold !== undefined) {
        // a router that refuses is not asked twice; a silent one may not support CoA-Request and still disconnect
        if (answer.isSilent) this.#backoff.failed(timesKey(session.nasAddress), now);
        else this.#backoff.rest(timeKey(session.id), now);
        enforced.untold = [...(enforced.untold ?? []), `${session.username}: ${untold}`];
        continue;
      }
      if (answer.kind === "failed") {
        // while the router answers others, silence concerns this session only
        const isThere = (this.#heard.get(session.nasAddress) ?? -Infinity) > begin;
        const ofRouter = answer.isSilent === true && !isThere;
        if (ofRouter && isFair) this.#backoff.failed(sessionKey(session.id), now);
        const key = ofRouter ? routerKey(session.nasAddress) : sessionKey(session.id);
        const pause = this.#backoff.failed(key, now);
        enforced.failures.push(`${session.username}: ${answer.reason}; trying again in ${pause} s`);
        continue;
      }
      if (outcome === "unchanged") continue; // nobody was asked
      this.#backoff.succeeded(routerKey(session.nasAddress));
      this.#backoff.succeeded(sessionKey(session.id));
      if (outcome === "changed") this.#backoff.succeeded(timesKey(session.nasAddress));
    }
  }
}

const holderKey = (due: Due) => ("cardId" in due ? `card ${due.cardId}` : `subscriber ${due.subscriberId}`);
const routerKey = (nasAddress: string) => `router ${nasAddress}`;
const sessionKey = (id: number) => `session ${id}`;
/** Failures of timeouts must not prevent disconnects. */
const timeKey = (id: number) => `time of ${id}`;
const timesKey = (nasAddress: string) => `times at ${nasAddress}`;
