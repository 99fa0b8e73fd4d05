import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { type Actor, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { packageById } from "./auto-renew.ts";
import { renewsAt } from "./auto-renew-row.ts";
import { findService, planSale } from "./plan.ts";

/** How far ahead automatic renewals are listed, so that problems can be fixed in time. */
const AHEAD = 7 * 86_400;

interface Row {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly packageId: number;
  readonly expiresAt: Seconds;
}

/** An automatic renewal due within a week, or overdue. */
export interface DueRenewal extends Row {
  readonly packageName: string;
  readonly price: number;
  readonly renewsAt: Seconds;
  /** Why it would fail now; null: it would not. */
  readonly reason: string | null;
}

/** Automatic renewals due within a week, next first, each with the reason if it would fail. */
export function listRenewals(
  db: Db,
  by: Actor,
  { limit, offset, descending }: { limit: number; offset: number; descending: boolean },
  { now }: { now: Seconds },
): { renewals: DueRenewal[]; total: number } {
  permit(by, "listRenewals");
  const { text, values } = all(
    { text: "v.expires_at <= ?", values: [now + AHEAD] },
    { text: "s.auto_renew = 1 AND s.archived_at IS NULL AND r.renewed_at IS NULL", values: [] },
    scopeCondition(by.scope),
  );
  const from = `services v JOIN subscribers s ON s.id = v.subscriber_id
    LEFT JOIN auto_renewals r ON r.subscriber_id = v.subscriber_id AND r.expires_at = v.expires_at WHERE ${text}`;
  const order = descending ? "v.expires_at DESC, s.id DESC" : "v.expires_at, s.id";
  const read = db.$client.transaction(() => {
    const rows = db.$client
      .query<Row, Value[]>(
        `SELECT s.id, s.username, s.name, s.package_id AS packageId, v.expires_at AS expiresAt
         FROM ${from} ORDER BY ${order} LIMIT ? + 0 OFFSET ?`,
      )
      .all(...values, limit, offset);
    const count = db.$client.query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM ${from}`);
    const total = count.get(...values)?.total ?? 0;
    return { renewals: rows.flatMap((row) => dueRenewal(db, by, row, now) ?? []), total };
  });
  return read();
}

/** A renewal at its time, previewed with the present balance. */
function dueRenewal(db: Db, by: Actor, row: Row, now: Seconds): DueRenewal | undefined {
  const { id, username, name, packageId, expiresAt } = row;
  const sold = packageById(db, packageId);
  const service = findService(db, id);
  if (!sold || !service) return undefined;
  const at = renewsAt(db, service, sold);
  const reason = findRefusal(db, by, { subscriberId: id, packageId }, Math.max(now, at));
  return {
    id,
    username,
    name,
    packageId,
    expiresAt,
    reason,
    renewsAt: at,
    packageName: sold.name,
    price: sold.price,
  };
}

function findRefusal(
  db: Db,
  by: Actor,
  activation: { subscriberId: number; packageId: number },
  now: Seconds,
): string | null {
  try {
    planSale(db, by, activation, { now, byItself: true });
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
