import type { Db } from "../../../../db/open.ts";
import { cappedSum } from "../../../../db/sum.ts";
import type { Service } from "../activation/plan.ts";
import { findService } from "../activation/plan.ts";
import { countedAt } from "../fair-use/terms.ts";
import { windowAt } from "../../goods/windows/window.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type ReadSubscriber, subscriberIn } from "../../goods/subscribers/find.ts";
import { type Seconds, lastDays } from "../../core/time/time.ts";

/** Octets of a local day, 20260131, or month, 202601. */
interface UsedIn {
  readonly period: number;
  readonly down: number;
  readonly up: number;
}

export interface Pace {
  /** Projected octets at the end of the period. */
  readonly atEnd: number;
  readonly end: Seconds;
  readonly isEnough: boolean;
}

export interface SubscriberUsage {
  /** Today last; days without usage included. */
  readonly days: readonly UsedIn[];
  readonly months: readonly UsedIn[];
  /** null: no quota. */
  readonly quota: { readonly total: number; readonly used: number; readonly since: Seconds | null } | null;
  /** null: too early, or nothing to run out. */
  readonly pace: Pace | null;
}

interface Choice {
  readonly subscriber: number | ReadSubscriber;
  readonly days: number;
  readonly months: number;
}

/** Usage by day and month, and whether the quota will last at this pace. Throws not_found. */
export function readUsage(
  db: Db,
  by: Actor,
  { subscriber, days, months }: Choice,
  { now, service: known }: { now: Seconds; service?: Service | null },
): SubscriberUsage {
  permit(by, "readUsage");
  const { id } = subscriberIn(db, by.scope, subscriber);
  const service = known === undefined ? findService(db, id) : known;
  const span = lastDays(now, days);
  return {
    days: filled(span, daysSince(db, id, span[0] ?? 0)),
    months: listMonths(db, id, months).toReversed(),
    quota: service && service.quotaTotal > 0 ? countQuota(service, now) : null,
    pace: service ? measurePace(service, now) : null,
  };
}

function countQuota(service: Service, now: Seconds) {
  const { total, used } = countedAt(service, now);
  return { total, used, since: windowAt(service.fairWindow, now)?.start ?? service.activatedAt };
}

// input and output as the router's: from and to the subscriber
function daysSince({ $client }: Db, subscriberId: number, day: number): UsedIn[] {
  return $client
    .query<UsedIn, [number, number]>(
      `SELECT day AS period, output_octets AS down, input_octets AS up FROM usage_days
       WHERE subscriber_id = ? AND day >= ?`,
    )
    .all(subscriberId, day);
}

/** Months summed from days, all of which are kept as long. */
function listMonths({ $client }: Db, subscriberId: number, count: number): UsedIn[] {
  return $client
    .query<UsedIn, [number, number]>(
      `SELECT day / 100 AS period, ${cappedSum("output_octets")} AS down, ${cappedSum("input_octets")} AS up FROM usage_days
       WHERE subscriber_id = ? GROUP BY day / 100 ORDER BY period DESC LIMIT ? + 0`,
    )
    .all(subscriberId, count);
}

function filled(days: readonly number[], rows: readonly UsedIn[]): UsedIn[] {
  const byDay = new Map(rows.map((row) => [row.period, row]));
  return days.map((period) => byDay.get(period) ?? { period, down: 0, up: 0 });
}

/** Seconds; less says nothing about a month. */
const ENOUGH_TO_GO_BY = 86_400;

/** Average since the activation or the window's start. */
function measurePace(service: Service, now: Seconds): Pace | null {
  const { activatedAt, expiresAt, frozenAt, fairWindow } = service;
  const { total, used } = countedAt(service, now);
  if (total === 0 || activatedAt === null || frozenAt !== null || expiresAt <= now) return null;
  const window = windowAt(fairWindow, now);
  const begin = Math.max(activatedAt, window?.start ?? activatedAt);
  const end = Math.min(expiresAt, window?.end ?? expiresAt);
  const elapsed = now - begin;
  if (elapsed < ENOUGH_TO_GO_BY || used >= total) return null;
  const atEnd = Math.round((used / elapsed) * (end - begin));
  return { atEnd, end, isEnough: atEnd <= total };
}
