import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { freezes, services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { findService, type Service } from "../../service/activation/plan.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import { endAsThawed, requireThawed } from "../../goods/subscribers/frozen.ts";
import { storeRadiusPassword } from "../../goods/subscribers/password.ts";

const DAY = 86_400;
const YEAR = 365 * DAY;

export interface Frozen {
  subscriberId: number;
  frozenAt: Seconds;
  until: Seconds;
}

/** Freezes within a transaction; sessions are to be ended. Throws not_found, refused. */
export function freezeService(tx: Tx, by: Actor, subscriberId: number, now: Seconds): Frozen {
  const subscriber = subscriberById(tx, by.scope, subscriberId);
  const service = findService(tx, subscriberId);
  requireThawed(service);
  requireActive(subscriber, service, now);
  forgetOpen(tx, subscriberId);
  const left = setting(tx, "freeze_days_max", subscriber.ispId) * DAY - frozenTime(tx, subscriberId, now);
  if (left <= 0)
    throw new DomainError(
      "refused",
      phrase`the days of a year in which a service may be frozen are used up (freeze_days_max); extend it instead`,
      { code: "freeze_days_used" },
    );
  update(tx, services, { frozenAt: now }, { subscriberId });
  touch(tx, subscriberId, now);
  const { staffId: frozenBy, name } = by;
  insert(tx, freezes, { subscriberId, frozenAt: now, frozenBy, actor: frozenBy === null ? name : null });
  audit(tx, by, now, {
    action: "subscriber.freeze",
    entity: "subscriber",
    entityId: subscriberId,
    ispId: subscriber.ispId,
    after: { frozen_since: formatTime(now) },
  });
  return { subscriberId, frozenAt: now, until: now + left };
}

function requireActive({ status }: Subscriber, service: Service | undefined, now: Seconds): void {
  if (status !== 1)
    throw new DomainError("refused", phrase`the subscriber is disabled; enable it first`, {
      code: "subscriber_disabled",
    });
  if (service && service.expiresAt > now) return;
  throw new DomainError("refused", phrase`there is no active service to freeze; activate a package first`, {
    code: "not_active",
  });
}

/** Imports rewrite services. */
function forgetOpen({ $client }: Tx, subscriberId: number): void {
  $client
    .query("UPDATE freezes SET thawed_at = frozen_at WHERE subscriber_id = ? AND thawed_at IS NULL")
    .run(subscriberId);
}

export interface Thawed {
  subscriberId: number;
  expiresAt: Seconds;
}

/** The rest continues from now. Throws not_found, refused. */
export function thawSubscriber(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { now }: { now: Seconds },
): Thawed {
  permit(by, "thawSubscriber");
  return write(db, (tx) => thawService(tx, by, subscriberId, now));
}

/** Thaws a service after checks. */
function thawService(tx: Tx, by: Actor, subscriberId: number, now: Seconds): Thawed {
  const subscriber = subscriberById(tx, by.scope, subscriberId);
  const service = findService(tx, subscriberId);
  if (!service || service.frozenAt === null)
    throw new DomainError("refused", phrase`the service is not frozen; there is nothing to thaw`, {
      code: "not_frozen",
    });
  const { frozenAt } = service;
  const expiresAt = endAsThawed(service.expiresAt, frozenAt, now);
  const moved = expiresAt - service.expiresAt;
  const later = (time: Seconds | null) => (time === null ? null : time + moved);
  const times = { expiresAt, paidUntil: later(service.paidUntil), renewsFrom: later(service.renewsFrom) };
  const anew = { frozenAt: null, anchorDay: null, anchorTime: null };
  update(tx, services, { ...times, ...anew }, { subscriberId });
  moveInvoices(tx, { subscriberId, frozenAt, moved });
  touch(tx, subscriberId, now);
  tx.$client
    .query("UPDATE freezes SET thawed_at = ? WHERE subscriber_id = ? AND thawed_at IS NULL")
    .run(now, subscriberId);
  // RADIUS missed changes meanwhile
  storeRadiusPassword(tx, subscriberId, tx.vault.openText(subscriber.passwordSealed));
  audit(tx, by, now, {
    action: "subscriber.thaw",
    entity: "subscriber",
    entityId: subscriberId,
    ispId: subscriber.ispId,
    before: { frozen_since: formatTime(frozenAt), expiration: formatTime(service.expiresAt) },
    after: { expiration: formatTime(expiresAt) },
  });
  return { subscriberId, expiresAt };
}

/** Shifts the period. */
function moveInvoices(
  { $client }: Tx,
  { subscriberId, frozenAt, moved }: { subscriberId: number; frozenAt: Seconds; moved: Seconds },
): void {
  $client
    .query(
      `UPDATE invoices SET period_start = period_start + ?1, period_end = period_end + ?1
       WHERE subscriber_id = ?2 AND voided_at IS NULL AND period_end > ?3`,
    )
    .run(moved, subscriberId, frozenAt);
}

/** Retries a refused renewal. */
function touch({ $client }: Tx, subscriberId: number, now: Seconds): void {
  $client.query("UPDATE subscribers SET updated_at = ? WHERE id = ?").run(now, subscriberId);
}

/** Seconds of the last 365 days. */
function frozenTime({ $client }: Db, subscriberId: number, now: Seconds): Seconds {
  const since = now - YEAR;
  const sum = $client
    .query<{ seconds: number }, [Seconds, Seconds, number]>(
      `SELECT coalesce(sum(max(0, coalesce(thawed_at, ?1) - max(frozen_at, ?2))), 0) AS seconds
       FROM freezes WHERE subscriber_id = ?3`,
    )
    .get(now, since, subscriberId);
  return sum?.seconds ?? 0;
}

/** Thaws services at the ISP's limit of days. Returns how many. */
export function thawOverdue(db: Db, by: Actor, { now }: { now: Seconds }): number {
  permit(by, "thawOverdue");
  const frozen = db.$client
    .query<{ id: number; ispId: number }, []>(
      `SELECT s.id, s.isp_id AS ispId FROM services v JOIN subscribers s ON s.id = v.subscriber_id
       WHERE v.frozen_at IS NOT NULL`,
    )
    .all();
  const overdue = frozen.filter(
    ({ id, ispId }) => frozenTime(db, id, now) >= setting(db, "freeze_days_max", ispId) * DAY,
  );
  for (const { id } of overdue) write(db, (tx) => thawService(tx, by, id, now));
  return overdue.length;
}
