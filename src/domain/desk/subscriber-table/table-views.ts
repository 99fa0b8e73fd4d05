import { all, type Condition, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";
import { countMatching } from "../../goods/subscribers/list.ts";
import { type Narrowing, tableMatching } from "./table-filters.ts";

const DAY = 86_400;

export const tableViews = ["all", "active", "expiring", "lapsed", "owe", "silent"] as const;
export type TableView = (typeof tableViews)[number];

const endOfDay = (now: Seconds, days: number) => startOfDay(localDay(now + (days + 1) * DAY)) - 1;

export function viewFilters(view: TableView, now: Seconds): Narrowing {
  const filters: Readonly<Record<TableView, Narrowing>> = {
    all: {},
    active: { status: ["active"] },
    expiring: { status: ["active"], expires_to: endOfDay(now, 7) },
    lapsed: { status: ["expired"] },
    owe: { owes: 1 },
    silent: { status: ["active"], no_login_for: 14 },
  };
  return filters[view];
}

export type ViewCounts = Readonly<Record<Exclude<TableView, "silent">, number>>;

/** Counts of the views, without the slow `countSilent`. */
export function countViews(
  db: Db,
  scope: Scope,
  { everybody, isWhole }: { everybody: number; isWhole: boolean },
  now: Seconds,
): ViewCounts {
  if (isWhole) return { all: everybody, owe: countOwing(db), ...countEnds(db, now) };
  const owe = countMatching(db, tableMatching(scope, viewFilters("owe", now), now));
  return { all: everybody, owe, ...endsWithin(db, scope, now) };
}

export function countSilent(db: Db, by: Actor, { now }: { now: Seconds }): number {
  permit(by, "countSilent");
  return countMatching(db, tableMatching(by.scope, viewFilters("silent", now), now));
}

type Ends = Pick<ViewCounts, "active" | "expiring" | "lapsed">;

/** Counts by the index of ends, less exceptions: UNION ALL, or SQLite merges and reads everybody. */
const COUNTED = `
  SELECT count(*) AS active, count(*) FILTER (WHERE expires_at <= ?2) AS expiring FROM services WHERE expires_at > ?1`;
const LAPSED = "SELECT count(*) AS lapsed FROM services WHERE expires_at <= ?1";
const APART = `
  SELECT subscriber_id FROM services WHERE frozen_at IS NOT NULL UNION ALL SELECT id FROM subscribers WHERE archived_at IS NOT NULL
  UNION ALL SELECT id FROM subscribers WHERE status = 0`;

function countEnds({ $client }: Db, now: Seconds): Ends {
  const soon = endOfDay(now, 7);
  const running = $client.query<Omit<Ends, "lapsed">, [number, number]>(COUNTED).get(now, soon);
  const ended = $client.query<{ lapsed: number }, [number]>(LAPSED).get(now);
  const apart = $client
    .query<Ends, [number, number]>(
      `SELECT count(*) FILTER (WHERE expires_at > ?1) AS active, count(*) FILTER (WHERE expires_at > ?1 AND expires_at <= ?2) AS expiring,
         count(*) FILTER (WHERE expires_at <= ?1) AS lapsed
       FROM services WHERE subscriber_id IN (${APART})`,
    )
    .get(now, soon);
  if (!running || !ended || !apart) throw new Error("a count has no row");
  return {
    active: running.active - apart.active,
    expiring: running.expiring - apart.expiring,
    lapsed: ended.lapsed - apart.lapsed,
  };
}

function countOwing({ $client }: Db): number {
  const row = $client
    .query<{ owe: number }, []>(
      `SELECT (SELECT count(*) FROM wallets WHERE balance < 0) - (SELECT count(*) FROM subscribers s
         CROSS JOIN wallets w ON w.subscriber_id = s.id WHERE s.archived_at IS NOT NULL AND w.balance < 0) AS owe`,
    )
    .get();
  return row?.owe ?? 0;
}

/** Row by row for a part of the box. */
function endsWithin({ $client }: Db, scope: Scope, now: Seconds): Ends {
  const counts: Condition = { text: "s.status = 1 AND v.frozen_at IS NULL", values: [] };
  const { text, values } = all(scopeCondition(scope), counts);
  const found = $client
    .query<Ends, Value[]>(
      `SELECT count(*) FILTER (WHERE v.expires_at > ?) AS active, count(*) FILTER (WHERE v.expires_at > ? AND v.expires_at <= ?) AS expiring,
         count(*) FILTER (WHERE v.expires_at <= ?) AS lapsed
       FROM subscribers s CROSS JOIN services v ON v.subscriber_id = s.id WHERE ${text}`,
    )
    .get(now, now, endOfDay(now, 7), now, ...values);
  if (!found) throw new Error("a count has no row");
  return found;
}
