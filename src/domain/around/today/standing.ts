import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { sumsInScope } from "../reports/range.ts";
import { batchInScope } from "../../service/sessions/in-scope.ts";
import { type Actor, type Scope, scopeCondition, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { keepWhenMany, MANY } from "../../core/kept/kept.ts";
import { startOfMinute, type Looking, sessionsByRouter } from "../../money/sums/minutes.ts";
import type { Seconds } from "../../core/time/time.ts";
import { whoseService } from "../../goods/subscribers/whose.ts";

const DAY = 86_400;

export interface Standing {
  /** By samples where routers are visible. */
  readonly online: number;
  /** null: not counted. */
  readonly onlineBefore: number | null;
  /** Cached for many. */
  readonly subscribers: number;
  readonly active: number;
  /** In the last 7 days. */
  readonly lapsed: number;
}

export function standingNow(db: Db, by: Actor, looking: Looking): Standing {
  permit(by, "standingNow");
  const { now } = looking;
  const { total, active } = counted(db, by, now);
  return {
    online: onlineNow(db, by, looking),
    onlineBefore: seesWholeIsp(by.scope) ? sessionsAt(db, by, startOfMinute(now) - DAY) : null,
    subscribers: total,
    active,
    lapsed: lapsedSince(db, by, now - 7 * DAY, now),
  };
}

export function countsNow(
  db: Db,
  by: Actor,
  looking: Looking,
): { readonly subscribers: number; readonly online: number | null } {
  permit(by, "countsNow");
  return {
    subscribers: counted(db, by, looking.now).total,
    online: seesWholeIsp(by.scope) ? onlineNow(db, by, looking) : null,
  };
}

interface Counted {
  readonly total: number;
  readonly active: number;
}

/** Exact for few, cached for many. */
function counted(db: Db, by: Actor, now: Seconds): Counted {
  const last = lastCount(db, by);
  return last && last.total > MANY ? last : countedNow(db, by, now);
}

function lastCount({ $client }: Db, { scope }: Actor): Counted | undefined {
  const { text, values } = sumsInScope(scope);
  const row = $client
    .query<{ total: number | null; active: number | null }, Value[]>(
      `SELECT sum(total) AS total, sum(active) AS active FROM subscriber_days
       WHERE ${text} AND day = (SELECT max(day) FROM isps CROSS JOIN subscriber_days d ON d.isp_id = isps.id)`,
    )
    .get(...values);
  return !row || row.total === null || row.active === null
    ? undefined
    : { total: row.total, active: row.active };
}

const keptCounts = keepWhenMany<Counted>(60, ({ total }) => total > MANY);

/** One by one, before the first count or after an import. */
function countedNow(db: Db, { scope }: Actor, now: Seconds): Counted {
  const { text, values } = scopeCondition(scope);
  return keptCounts(
    db,
    { key: JSON.stringify([text, values]), now },
    () =>
      db.$client
        .query<Counted, Value[]>(
          `SELECT count(*) AS total, coalesce(sum(s.status = 1 AND ifnull(v.expires_at > ? AND v.frozen_at IS NULL, 0)), 0) AS active
           FROM subscribers s LEFT JOIN services v ON v.subscriber_id = s.id WHERE ${text}`,
        )
        .get(now, ...values) ?? { total: 0, active: 0 },
  );
}

function onlineNow(db: Db, { scope }: Actor, looking: Looking): number {
  if (seesWholeIsp(scope))
    return sessionsByRouter(db, scope.ispId, looking)
      .values()
      .reduce((sum, sessions) => sum + sessions, 0);
  const { text, values } = scopeEver(scope);
  const row = db.$client
    .query<{ n: number }, Value[]>(
      `SELECT count(*) AS n FROM subscribers s CROSS JOIN sessions o INDEXED BY sessions_open_subscriber ON o.subscriber_id = s.id
       WHERE o.stopped_at IS NULL AND ${text}`,
    )
    .get(...values);
  return (row?.n ?? 0) + cardsOnline(db, scope);
}

function cardsOnline({ $client }: Db, scope: Scope): number {
  const { text, values } = batchInScope(scope);
  const row = $client
    .query<{ n: number }, Value[]>(
      `SELECT count(*) AS n FROM sessions o INDEXED BY sessions_open_card CROSS JOIN cards c ON c.id = o.card_id
         JOIN card_batches b ON b.id = c.batch_id
       WHERE o.stopped_at IS NULL AND o.card_id IS NOT NULL AND ${text}`,
    )
    .get(...values);
  return row?.n ?? 0;
}

/** Sessions at a time; null: no sample. */
function sessionsAt({ $client }: Db, { scope }: Actor, at: Seconds): number | null {
  const row = $client
    .query<{ n: number | null }, [number, number | null]>(
      "SELECT sum(sessions) AS n FROM nas_minutes WHERE at = ? AND isp_id = coalesce(?, isp_id)",
    )
    .get(at, scope.ispId);
  return row?.n ?? null;
}

function lapsedSince({ $client }: Db, { scope }: Actor, from: Seconds, to: Seconds): number {
  const { text, values } = whoseService("v.subscriber_id", scope);
  const row = $client
    .query<{ n: number }, Value[]>(
      `SELECT count(*) AS n FROM services v INDEXED BY services_expires WHERE v.expires_at > ? AND v.expires_at <= ? AND ${text}`,
    )
    .get(from, to, ...values);
  return row?.n ?? 0;
}
