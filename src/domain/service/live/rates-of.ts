import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { RateHistory, RateSample } from "./rate-history.ts";

/** A recent session and its rates, as far as seen by this process. */
interface SessionRates {
  readonly sessionId: number;
  readonly startedAt: Seconds;
  /** null: open. */
  readonly stoppedAt: Seconds | null;
  readonly samples: readonly RateSample[];
}

const DAY = 86_400;
/** Newest sessions read: a graph of more is unreadable. */
const MOST = 50;

/** Rates of a subscriber's sessions that are open or ended within a day, oldest first. Throws `not_found`. */
export function rateHistory(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { now, history }: { now: Seconds; history: RateHistory },
): SessionRates[] {
  permit(by, "rateHistory");
  subscriberById(db, by.scope, subscriberId);
  return db.$client
    .query<Omit<SessionRates, "samples">, [number, number]>(
      `SELECT * FROM (
         SELECT id AS sessionId, started_at AS startedAt, stopped_at AS stoppedAt FROM sessions INDEXED BY sessions_subscriber
         WHERE subscriber_id = ? ORDER BY started_at DESC LIMIT ${MOST}
       ) WHERE ifnull(stoppedAt >= ?, TRUE)`,
    )
    .all(subscriberId, now - DAY)
    .map((session) => Object.assign(session, { samples: history.of(session.sessionId) }))
    .reverse();
}
