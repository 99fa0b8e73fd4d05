import type { Db } from "../../../../db/open.ts";
import { cappedSum } from "../../../../db/sum.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";

/** Whether the quota lasts at the recent pace. Bytes. */
export interface Pace {
  readonly total: number;
  readonly used: number;
  readonly left: number;
  readonly perDay: number;
  readonly expiresAt: Seconds;
  /** null: until the end. */
  readonly lastsUntil: Seconds | null;
}

const DAY = 86_400;
const DAYS = 7;

/** undefined: no running quota, or no recent use. Throws not_found. */
export function dataPace(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { now }: { now: Seconds },
): Pace | undefined {
  permit(by, "dataPace");
  subscriberById(db, by.scope, subscriberId);
  const service = db.$client
    .query<{ total: number; used: number; expiresAt: Seconds; activatedAt: Seconds | null }, [number]>(
      `SELECT quota_total AS total, quota_used AS used, expires_at AS expiresAt, activated_at AS activatedAt
       FROM services WHERE subscriber_id = ? AND frozen_at IS NULL AND fair_window = 'period'`,
    )
    .get(subscriberId);
  if (!service || service.total === 0 || service.expiresAt <= now) return undefined;
  const { total, used, expiresAt, activatedAt } = service;
  const since = activatedAt ?? 0;
  const isNew = since > now - DAYS * DAY;
  const perDay = isNew
    ? Math.round((used * DAY) / Math.max(DAY, now - since))
    : usedADay(db, subscriberId, now);
  if (perDay === 0) return undefined;
  const left = Math.max(0, total - used);
  const end = now + Math.floor((left / perDay) * DAY);
  return { total, used, left, perDay, expiresAt, lastsUntil: end < expiresAt ? end : null };
}

function usedADay({ $client }: Db, subscriberId: number, now: Seconds): number {
  const first = localDay(now - (DAYS - 1) * DAY);
  const row = $client
    .query<{ octets: number | null }, [number, number]>(
      `SELECT ${cappedSum("input_octets + output_octets")} AS octets FROM usage_days WHERE subscriber_id = ? AND day >= ?`,
    )
    .get(subscriberId, first);
  return Math.round(((row?.octets ?? 0) * DAY) / (now - startOfDay(first)));
}
