import { insert } from "../../../../db/insert.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { autoRenewals } from "../../../../db/schema.ts";
import { setting } from "../../core/settings/settings.ts";
import { addDuration, type Seconds } from "../../core/time/time.ts";
import type { Package, Service } from "./plan.ts";

type Row = typeof autoRenewals.$inferSelect;

export function storeRenewal(tx: Tx, row: Row): void {
  insert(tx, autoRenewals, row, { replacing: ["subscriberId", "expiresAt"] });
}

export function renewalRow({ $client }: Db, subscriberId: number, expiresAt: Seconds): Row | undefined {
  const found = $client
    .query<Row, [number, Seconds]>(
      `SELECT subscriber_id AS subscriberId, expires_at AS expiresAt, tried_at AS triedAt, renewed_at AS renewedAt, reason
       FROM auto_renewals WHERE subscriber_id = ? AND expires_at = ?`,
    )
    .get(subscriberId, expiresAt);
  return found ?? undefined;
}

/** The longest lead in seconds of any of an ISP's packages. */
export function longestLead(db: Db, ispId: number): Seconds {
  return setting(db, "auto_renew_lead", ispId) * 60;
}

/** The time of the automatic renewal: shortly before the end, or with another package at the end. */
export function renewsAt(db: Db, { packageId, expiresAt }: Service, sold: Package): Seconds {
  if (packageId !== sold.id) return expiresAt;
  const { end } = addDuration(expiresAt, { count: sold.duration, unit: sold.durationUnit });
  const tenth = Math.floor((end - expiresAt) / 10);
  return expiresAt - Math.min(longestLead(db, sold.ispId), tenth);
}

/** A service restored by a void would renew again at once, so it is left to people. */
export function blockRenewal(
  tx: Tx,
  { subscriberId, ispId, expiresAt }: { subscriberId: number; ispId: number; expiresAt: Seconds },
  now: Seconds,
): void {
  if (expiresAt - longestLead(tx, ispId) > now) return;
  const reason = "its renewal is void; renew it by hand";
  storeRenewal(tx, { subscriberId, expiresAt, triedAt: now, renewedAt: now, reason });
}
