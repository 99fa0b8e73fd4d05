import { type Db, writePatiently } from "../../../../db/open.ts";
import { dueRenewals, renewDue, type Tried } from "../activation/auto-renew.ts";
import { operator } from "../../core/actor/operator.ts";
import type { Clock, Seconds } from "../../core/time/time.ts";
import { enforceService } from "./apply.ts";
import type { Routers } from "./routers.ts";

/** Seconds between two checks for services about to end. */
const LOOK_EVERY = 15;
/** Subscribers renewed per transaction. */
const AT_ONCE = 10;

/** Result of a run; `messages`: one line per notice. */
export interface AutoRenewed {
  renewed: number;
  refused: number;
  messages: string[];
}

interface Needs {
  readonly clock: Clock;
  readonly routers: Routers;
  /** Called when an open session does not have what was bought. */
  readonly failed: (reason: string) => void;
}

/**
 * Renews services automatically, including those missed while down, and at once on incoming money (new ledger entries of any
 * process). Sessions are updated afterwards.
 */
export class AutoRenewer {
  readonly #db: Db;
  readonly #needs: Needs;
  readonly #by = operator("gatehouse", "system");
  /** The newest ledger entry seen; undefined before the first run. */
  #seen: number | undefined;
  #nextLook: Seconds = 0;
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;

  constructor(db: Db, needs: Needs) {
    this.#db = db;
    this.#needs = needs;
  }

  async run(): Promise<AutoRenewed> {
    const due = this.#due();
    const done: AutoRenewed = { renewed: 0, refused: 0, messages: [] };
    for (let from = 0; from < due.length && !this.#isStopped; from += AT_ONCE) {
      const subscriberIds = due.slice(from, from + AT_ONCE);
      const now = this.#needs.clock();
      const tried = await writePatiently(this.#db, (tx) =>
        renewDue(tx, this.#by, { subscriberIds }, { now }),
      );
      note(tried, done);
      this.#apply(tried);
      await Bun.sleep(0);
    }
    return done;
  }

  /** Starts nothing more, and resolves when routers have answered or timed out. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#underWay);
  }

  #due(): number[] {
    const now = this.#needs.clock();
    const isFirst = this.#seen === undefined;
    const paid = this.#paidSince();
    const isLater = now < this.#nextLook && now > this.#nextLook - 2 * LOOK_EVERY; // a clock may be set back
    if (!isFirst && isLater) return paid;
    this.#nextLook = now + LOOK_EVERY;
    const looked = dueRenewals(this.#db, this.#by, { all: isFirst }, { now });
    return [...new Set([...paid, ...looked])];
  }

  /** Subscribers credited since the last run. */
  #paidSince(): number[] {
    const { $client } = this.#db;
    const newest = $client
      .query<{ id: number }, []>("SELECT coalesce(max(id), 0) AS id FROM ledger_entries")
      .get()?.id;
    const seen = this.#seen ?? newest ?? 0;
    this.#seen = newest ?? 0;
    if (this.#seen === seen) return [];
    return $client
      .query<{ id: number }, [number, number]>(
        `SELECT DISTINCT s.id FROM ledger_entries e JOIN subscribers s ON s.id = e.subscriber_id
         WHERE e.id > ? AND e.id <= ? AND e.amount > 0 AND s.auto_renew = 1`,
      )
      .all(seen, this.#seen)
      .map(({ id }) => id);
  }

  /** Runs beside the next run, so that a silent router delays no renewals. */
  #apply(tried: readonly Tried[]): void {
    const renewed = tried.filter((one) => one.kind === "renewed");
    const inTime = new Set(renewed.filter((one) => one.inTime).map(({ subscriber }) => subscriber.id));
    const found = this.#online(renewed.map(({ subscriber }) => subscriber.id));
    const online = found.map((one) => Object.assign(one, { inTime: inTime.has(one.id) }));
    const byRouter = Map.groupBy(online, ({ nasAddress }) => nasAddress);
    for (const [, sessions] of byRouter) {
      const work: Promise<void> = this.#applyAt(sessions).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
    }
  }

  #online(ids: readonly number[]): Omit<Online, "inTime">[] {
    return this.#db.$client
      .query<Omit<Online, "inTime">, [string]>(
        `SELECT subscriber_id AS id, nas_address AS nasAddress, username FROM sessions
         WHERE stopped_at IS NULL AND subscriber_id IN (SELECT value FROM json_each(?)) GROUP BY subscriber_id`,
      )
      .all(JSON.stringify(ids));
  }

  /** One after another; a silent router is not asked again. */
  async #applyAt(online: readonly Online[]): Promise<void> {
    const { clock, routers, failed } = this.#needs;
    let isSilent = false;
    for (const { id: subscriberId, username, inTime } of online) {
      if (this.#isStopped) return;
      if (isSilent) {
        failed(`${username}: not asked, for its router does not answer`);
        continue;
      }
      try {
        // a session with an unknown grant is left, unless it may be in the walled garden
        const whom = inTime ? { subscriberId, due: new Set<number>() } : { subscriberId };
        const { answers } = await enforceService(this.#db, this.#by, whom, { clock, routers });
        for (const { answer, untold } of answers) {
          const reason = answer.kind === "failed" ? answer.reason : untold;
          if (reason !== undefined) failed(`${username}: ${reason}`);
          isSilent ||= answer.kind === "failed" && answer.isSilent === true;
        }
      } catch (error) {
        failed(`${username}: ${String(error)}`);
      }
    }
  }
}

interface Online {
  id: number;
  nasAddress: string;
  username: string;
  inTime: boolean;
}

function note(tried: readonly Tried[], done: AutoRenewed): void {
  for (const one of tried) {
    if (one.kind === "refused") done.refused++;
    else {
      done.renewed++;
      if (one.activated.remark !== undefined)
        done.messages.push(`${one.subscriber.username} renewed with ${one.activated.remark}`);
    }
  }
}
