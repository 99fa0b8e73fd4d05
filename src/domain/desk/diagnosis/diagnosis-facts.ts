import type { Db } from "../../../../db/open.ts";
import type { Head } from "../subscriber-page/head.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { LoginRun } from "../../service/access/login-runs.ts";
import type { Act, FailedRenewal, Outage, Fix } from "./diagnosis-kinds.ts";
import type { Service } from "../../service/activation/plan.ts";

/** Inputs of a diagnosis. */
export interface DiagnosisFacts {
  readonly head: Head;
  readonly runs: readonly LoginRun[];
  readonly outage: Outage | null;
  readonly change: Act | null;
  readonly renewal: FailedRenewal | null;
  readonly passwordChangedAt: Seconds | null;
  /** For a missing Message-Authenticator. */
  readonly isUnsigned: boolean;
  /** Seconds of silence after which a session is uncertain. */
  readonly patience: Seconds;
  readonly now: Seconds;
}

export function openOutage({ $client }: Db, subscriberId: number): Outage | null {
  return $client
    .query<Outage, [number]>(
      `SELECT o.id, o.kind, coalesce(nas.name, areas.name, o.box_number, '') AS name, o.began_at AS since,
         l.dark_at AS darkAt, o.lines
       FROM outage_lines l JOIN outages o ON o.id = l.outage_id
         LEFT JOIN nas ON nas.id = o.nas_id AND o.kind = 'router' LEFT JOIN areas ON areas.id = o.area_id AND o.kind = 'area'
       WHERE l.subscriber_id = ? AND l.back_at IS NULL AND o.ended_at IS NULL ORDER BY o.began_at DESC LIMIT 1`,
    )
    .get(subscriberId);
}

export function newestStateChange({ $client }: Db, subscriberId: number): Act | null {
  return $client
    .query<Act, [string]>(
      `SELECT e.at, coalesce(a.name, e.actor) AS by FROM audit_entries e LEFT JOIN staff a ON a.id = e.staff_id
       WHERE e.entity = 'subscriber' AND e.entity_id = ?
         AND e.action IN ('subscriber.disable', 'subscriber.freeze', 'subscriber.archive') ORDER BY e.id DESC LIMIT 1`,
    )
    .get(String(subscriberId));
}

export function passwordChangedAt({ $client }: Db, subscriberId: number): Seconds | null {
  const entry = $client
    .query<{ at: Seconds }, [string]>(
      `SELECT at FROM audit_entries WHERE entity = 'subscriber' AND entity_id = ?
         AND (action = 'subscriber.reset_password' OR (action = 'subscriber.update' AND after ->> '$.password_changed'))
       ORDER BY id DESC LIMIT 1`,
    )
    .get(String(subscriberId));
  return entry?.at ?? null;
}

export function failedRenewal(
  { $client }: Db,
  subscriberId: number,
  expiresAt: Seconds,
): FailedRenewal | null {
  return $client
    .query<FailedRenewal, [number, Seconds]>(
      `SELECT tried_at AS at, reason FROM auto_renewals
       WHERE subscriber_id = ? AND expires_at = ? AND renewed_at IS NULL AND reason IS NOT NULL`,
    )
    .get(subscriberId, expiresAt);
}

const DAY = 86_400;

export function isUnsigned({ $client }: Db, nasId: number | null, now: Seconds): boolean {
  if (nasId === null) return false;
  const found = $client
    .query<{ found: number }, [number, Seconds]>(
      "SELECT 1 AS found FROM nas_sources WHERE nas_id = ? AND dropped_since IS NOT NULL AND dropped_last > ? LIMIT 1",
    )
    .get(nasId, now - DAY);
  return found !== null;
}

/** Whether accounting came since an accepted login. */
export function hasBegunSince({ last, open }: Head, at: Seconds): boolean {
  return [last, ...open].some((one) => one !== null && one.session.startedAt >= at - ACCOUNTING_MAY_BE_DATED);
}
/** Seconds that a delayed Start may predate its Accept. */
const ACCOUNTING_MAY_BE_DATED = 60;

/** Hours. */
const ON_TRUST = 24;

export function termOf({ head, renewal }: DiagnosisFacts, { expiresAt: since }: Service) {
  return { packageName: head.sold.name, since, money: head.money, renewal };
}

/** undefined: none. */
export function dataOf({ head }: DiagnosisFacts, { quotaTotal: total, quotaUsed: used }: Service) {
  if (total === 0) return undefined;
  return { packageName: head.sold.name, total, used, money: head.money, isOver: used >= total };
}

/** Payment first; `then` once enough is there. */
export function paymentFor({ head: { money } }: DiagnosisFacts, then: "renew" | "activate"): Fix[] {
  const amount = money?.due ?? 0;
  return amount > 0 ? [{ kind: "pay", amount }, { kind: then }] : [{ kind: then }];
}

export function renewalFor(facts: DiagnosisFacts): Fix[] {
  return [...paymentFor(facts, "renew"), { kind: "trust", hours: ON_TRUST }];
}

export function toOutage(outage: Outage | null): Fix[] {
  return outage ? [{ kind: "outage", outageId: outage.id, lines: outage.lines }] : [];
}
