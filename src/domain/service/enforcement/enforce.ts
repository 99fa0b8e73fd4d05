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

/** What one run begins at the most; the rest waits for the next one. */
const SESSIONS_A_RUN = 2000;
const MILLISECONDS_A_RUN = 20_000;
/** Requests at once to one router. */
const AT_ONCE = 20;
/** The same of rates that change for everybody at once: a router that takes a while to answer is not to make the others wait. */
const AT_ONCE_IN_A_WAVE = 100;
/** Seconds after which rates are looked at by the clock even though no hours and no window have changed. */
const LOOK_EVERY = 10;
/** The share of the time that looking may take: at a few lines everybody is looked at each second, at many less often. */
const LOOKING = 0.02;

export interface Enforced {
  ended: number;
  changed: number;
  /** One line per failure. */
  failures: string[];
  /** The same of sessions of cards that their routers cut short; absent where there are none. */
  untold?: string[];
}

type Due = DueSession | DueCardSession | CutShort;

interface Turn {
  sessions: readonly Due[];
  /** All that are due, at whichever router. */
  ids: ReadonlySet<number>;
  enforced: Enforced;
  /** By performance.now(). */
  end: number;
  isFair: boolean;
}

/**
 * Ends or slows down sessions that have run out or were barred while they were open, whatever the router makes of
 * Session-Timeout, and tells routers of cards that last longer than they know. A router that does not answer is left alone for a while, longer each time, and costs a run one request.
 */
export class Enforcer {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #routers: Routers;
  readonly #by: Actor = operator("gatehouse", "system");
  readonly #backoff = new Backoff();
  readonly #underWay = new Set<Promise<Enforced>>();
  /** Subscribers and cards whose routers are being asked: a session is asked for once, whichever of them brought it up. */
  readonly #busy = new Set<string>();
  readonly #pace = new Pace();
  /** By router, when it last answered, by performance.now(). */
  readonly #heard = new Map<string, number>();
  /** Routers at which rates are being changed. */
  readonly #waves = new Set<string>();
  #nextLook = 0;
  /** By performance.now(). */
  #lookAfter = 0;
  #isStopped = false;

  constructor(db: Db, { clock, routers }: { clock: Clock; routers: Routers }) {
    this.#db = db;
    this.#clock = clock;
    this.#routers = routers;
  }

  /** Looks at one subscriber or card at once: its quota has just been used up, or a tier is reached. */
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
   * Gives sessions the rates that tiers, hours and windows have put in force, a wave at each router beside those at the others: what a
   * session is told is what is in force when its turn comes. Looks when the clock says that something has changed, and every 10 s, or
   * sooner where that costs little.
   * Resolves when the waves that it began are over; a router at which one goes on is left to that.
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

  /** Looks at everybody. Resolves when all routers have answered, or were given up. */
  async run(): Promise<Enforced> {
    return this.#track(this.#enforce(this.#due().slice(0, SESSIONS_A_RUN)));
  }

  /** Begins nothing new, and resolves when the routers have answered what is under way. */
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
    // who may not go on comes first
    return this.#ready([...cards, ...subscribers, ...cutShort]);
  }

  /** Without those that are left alone for a while. */
  #ready(all: readonly Due[]): Due[] {
    const now = this.#clock();
    return all.filter((due) => {
      const key = "until" in due ? timeKey(due.sessionId) : sessionKey(due.sessionId);
      return !this.#isLeftAlone(due) && !this.#backoff.isWaiting(key, now);
    });
  }

  /** Whether its router has not answered, and is not asked for a while; or has not about times, and is not asked about those. */
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
    // all sessions of a subscriber or a card are looked at together, so one of them is enough for those at other routers
    const holders = [...new Map(due.map((session) => [holderKey(session), session])).values()];
    const byRouter = Map.groupBy(holders, ({ nasAddress }) => nasAddress);
    const ids = new Set(due.map(({ sessionId }) => sessionId));
    // whose holders are all looked at from another router
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

  /** The first alone, the others when the router answers at all. */
  async #enforceAt({ sessions, ids, enforced, end, isFair }: Turn): Promise<void> {
    // a session of which its router never says anything does not stand before the others each time
    const waiting = isFair
      ? sessions.toSorted((a, b) => this.#hasFailed(a) - this.#hasFailed(b))
      : [...sessions];
    const work = async (limit: number) => {
      for (let count = 0; count < limit; count++) {
        if (this.#isStopped || performance.now() > end) return;
        const next = waiting.shift();
        // who may not go on comes first: if one is left alone, so are those behind it
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
        // nobody goes on who may not: a router that refuses is not asked a second time about it; one that is silent may know no
        // CoA-Request, and end sessions all the same
        if (answer.isSilent) this.#backoff.failed(timesKey(session.nasAddress), now);
        else this.#backoff.rest(timeKey(session.id), now);
        enforced.untold = [...(enforced.untold ?? []), `${session.username}: ${untold}`];
        continue;
      }
      if (answer.kind === "failed") {
        // what is lost while the router answers others is of this session alone
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
/** Of telling it how long it lasts, which is no reason not to end it. */
const timeKey = (id: number) => `time of ${id}`;
const timesKey = (nasAddress: string) => `times at ${nasAddress}`;
