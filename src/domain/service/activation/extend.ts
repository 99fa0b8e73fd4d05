import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { extensions, services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { giveByService } from "../../goods/address-pools/give.ts";
import { audit } from "../../core/audit/audit.ts";
import { actingColumns } from "../../money/billing/ledger.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { announceEnded } from "../../core/events/ended.ts";
import { flag, text, time, wholeNumber } from "../../core/fields/fields.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { requireThawed } from "../../goods/subscribers/frozen.ts";
import { formatTime, type Seconds, yearsAhead } from "../../core/time/time.ts";
import { findService, type Service } from "./plan.ts";

const HOUR = 3600;
const DAY = 86_400;
const MAX_YEARS = 10;

export const extensionFields = { hours: wholeNumber(1, 87_600), until: time, reason: text(500), trust: flag };

export interface Extension {
  subscriberId: number;
  hours?: number | undefined;
  until?: Seconds | undefined;
  reason: string;
  /** To be deducted from the next renewal. */
  trust: boolean;
}

export interface Extended {
  subscriberId: number;
  expiresAt: Seconds;
  paidUntil: Seconds;
}

/**
 * Extends free of charge, from now or the expiry if later; used quota stays used. Other roles than Admin may give at most
 * extend_days_max beyond the last paid period, in all. Throws not_found, invalid, refused, forbidden.
 */
export function extend(db: Db, by: Actor, input: Extension, { now }: { now: Seconds }): Extended {
  permit(by, "extend");
  return write(db, (tx) => {
    const { subscriberId, reason, trust } = input;
    const subscriber = subscriberById(tx, by.scope, subscriberId);
    const service = findService(tx, subscriberId);
    if (!service)
      throw new DomainError("refused", phrase`the subscriber was never activated; activate a package first`, {
        code: "never_activated",
      });
    if (subscriber.status !== 1)
      throw new DomainError("refused", phrase`the subscriber is disabled; enable it first`, {
        code: "subscriber_disabled",
      });
    requireThawed(service);
    const { ispId, branchId, areaId, salespersonId: sellerId } = subscriber;
    const from = Math.max(now, service.expiresAt);
    const expiresAt = requireEnd(input, from, now);
    const paidUntil = service.paidUntil ?? service.expiresAt;
    requireAllowed(by, expiresAt, paidUntil, setting(tx, "extend_days_max", ispId));
    announceEnded(tx, now, { ...service, subscriberId, ispId });
    update(
      tx,
      services,
      { expiresAt, paidUntil, ...nextRenewal(service, { from, expiresAt, trust }) },
      { subscriberId },
    );
    giveByService(tx, subscriberId, now); // it may have been freed meanwhile
    insert(tx, extensions, {
      ispId,
      branchId,
      areaId,
      sellerId,
      packageId: service.packageId,
      subscriberId,
      before: service.expiresAt,
      after: expiresAt,
      paidUntil,
      trust: trust ? 1 : 0,
      reason,
      ...actingColumns(by),
      createdAt: now,
    });
    audit(tx, by, now, {
      action: "subscriber.extend",
      entity: "subscriber",
      entityId: subscriberId,
      ispId,
      before: { expiration: formatTime(service.expiresAt) },
      after: { expiration: formatTime(expiresAt), reason, trust: trust ? 1 : 0 },
    });
    return { subscriberId, expiresAt, paidUntil };
  });
}

/** Throws `invalid` unless exactly one of both is given. */
export function requireLength({ hours, until }: Pick<Extension, "hours" | "until">): void {
  if ((hours === undefined) !== (until === undefined)) return;
  const fields = { hours: [phrase`is required, or until; not both`] };
  throw new DomainError("invalid", phrase`say how long: hours or until, one of both`, { fields });
}

function requireEnd({ hours, until }: Extension, from: Seconds, now: Seconds): Seconds {
  requireLength({ hours, until });
  const expiresAt = hours === undefined ? (until ?? 0) : from + hours * HOUR;
  if (expiresAt <= from)
    throw new DomainError(
      "refused",
      phrase`the end would not be later than ${formatTime(from)}; name a later one`,
      { code: "end_not_later" },
    );
  const latest = yearsAhead(now, MAX_YEARS);
  if (expiresAt <= latest) return expiresAt;
  throw new DomainError(
    "refused",
    phrase`the service would end more than ${MAX_YEARS} years from now, after ${formatTime(latest)}; name an earlier end`,
    { code: "end_too_far" },
  );
}

function requireAllowed({ admin }: Actor, expiresAt: Seconds, paidUntil: Seconds, days: number): void {
  const latest = paidUntil + days * DAY;
  if (admin || expiresAt <= latest) return;
  throw new DomainError(
    "forbidden",
    phrase`the last paid period ended or ends ${formatTime(paidUntil)}, and you may extend to ${formatTime(latest)} (extend_days_max ${days}); ask an Admin for more`,
    { code: "extension_limit" },
  );
}

/**
 * Where the next renewal starts: minus time given on trust, unaffected by later extensions. Free time moves the renewal day;
 * time on trust does not, because the renewal starts before it.
 */
function nextRenewal(
  service: Service,
  { from, expiresAt, trust }: { from: Seconds; expiresAt: Seconds; trust: boolean },
) {
  const { expiresAt: end, renewsFrom } = service;
  const owed = (renewsFrom === null ? 0 : end - renewsFrom) + (trust ? expiresAt - from : 0);
  const counts = { renewsFrom: owed === 0 ? null : expiresAt - owed };
  return trust ? counts : { ...counts, anchorDay: null, anchorTime: null };
}
