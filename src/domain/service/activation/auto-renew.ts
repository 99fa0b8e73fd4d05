import { selectColumns } from "../../../../db/columns.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { packages } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Subscriber, subscribersWhere } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Activated, sell } from "./activate.ts";
import { longestLead, renewalRow, renewsAt, storeRenewal } from "./auto-renew-row.ts";
import { findService, type Package, type Service } from "./plan.ts";

/** Seconds after which a refused renewal is retried although nothing seems to have changed. */
const RETRY = 3600;

/** The result of an attempt: null when not due, or done already. */
export type Tried =
  | {
      readonly kind: "renewed";
      readonly subscriber: Subscriber;
      readonly activated: Activated;
      readonly inTime: boolean;
    }
  | { readonly kind: "refused"; readonly subscriber: Subscriber; readonly reason: string };

/** Services to renew about now: not yet tried for this end, or refused and since changed, or tried an hour ago; `all`: all refused ones. */
export function dueRenewals(
  db: Db,
  by: Actor,
  { all }: { all: boolean },
  { now }: { now: Seconds },
): number[] {
  permit(by, "dueRenewals");
  const isps = db.$client.query<{ id: number }, []>("SELECT id FROM isps").all();
  const lead = Math.max(0, ...isps.map(({ id }) => longestLead(db, id)));
  return db.$client
    .query<{ id: number }, [Seconds, Seconds, Seconds]>(
      `SELECT v.subscriber_id AS id FROM services v JOIN subscribers s ON s.id = v.subscriber_id
         LEFT JOIN auto_renewals r ON r.subscriber_id = v.subscriber_id AND r.expires_at = v.expires_at
       WHERE v.expires_at <= ?1 AND v.frozen_at IS NULL AND s.auto_renew = 1 AND s.archived_at IS NULL
         AND (r.subscriber_id IS NULL OR (r.renewed_at IS NULL
           AND (r.tried_at <= ?2 OR r.tried_at > ?3 OR s.updated_at >= r.tried_at)))
       ORDER BY v.expires_at`,
    )
    .all(now + lead, all ? now : now - RETRY, now)
    .map(({ id }) => id);
}

/** Renews what is due, each once for its end. A refusal is stored with its reason and charges nothing. */
export function renewDue(
  db: Db,
  by: Actor,
  { subscriberIds }: { subscriberIds: readonly number[] },
  { now }: { now: Seconds },
): Tried[] {
  permit(by, "renewDue");
  return write(db, (tx) => subscriberIds.flatMap((id) => renewOne(tx, by, id, now) ?? []));
}

function renewOne(tx: Tx, by: Actor, subscriberId: number, now: Seconds): Tried | undefined {
  const [subscriber] = subscribersWhere(tx, { text: "s.id = ?", values: [subscriberId] });
  const service = findService(tx, subscriberId);
  if (!subscriber || !service || !isWaiting(tx, subscriber, service)) return undefined;
  const sold = packageById(tx, subscriber.packageId);
  if (!sold || now < renewsAt(tx, service, sold)) return undefined;
  const row = { subscriberId, expiresAt: service.expiresAt, triedAt: now };
  try {
    const activated = write(tx, () =>
      sell(tx, by, { subscriberId, packageId: sold.id }, { now, byItself: true }),
    );
    storeRenewal(tx, { ...row, renewedAt: now, reason: activated.remark ?? null });
    return { kind: "renewed", subscriber, activated, inTime: service.expiresAt > now };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { message: reason, retryAfter } = error;
    // backdated so that an hour has passed when it may be retried
    const triedAt = retryAfter === undefined ? now : now - RETRY + retryAfter;
    storeRenewal(tx, { ...row, triedAt, renewedAt: null, reason });
    return { kind: "refused", subscriber, reason };
  }
}

function isWaiting(
  tx: Tx,
  { id, autoRenew, archivedAt }: Subscriber,
  { expiresAt, frozenAt }: Service,
): boolean {
  if (autoRenew !== 1 || archivedAt !== null || frozenAt !== null) return false;
  return (renewalRow(tx, id, expiresAt)?.renewedAt ?? null) === null;
}

const selectPackage = `SELECT ${selectColumns(packages, "p")} FROM packages p WHERE p.id = ?`;

export function packageById({ $client }: Db, id: number): Package | undefined {
  return $client.query<Package, [number]>(selectPackage).get(id) ?? undefined;
}
