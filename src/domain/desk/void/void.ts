import { type Db, type Tx, write } from "../../../../db/open.ts";
import { invoices } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { type Before, readBefore, restoreBefore } from "../../service/activation/before.ts";
import { blockRenewal } from "../../service/activation/auto-renew-row.ts";
import { findService } from "../../service/activation/plan.ts";
import { takeBackUnused } from "../../service/activation/unused.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { book } from "../../money/billing/book.ts";
import { type Invoice, invoiceById } from "../../money/invoices/find-invoice.ts";

export interface Voiding {
  invoiceId: number;
  reason: string;
  /** Restores the service. */
  endService: boolean;
}

export interface Voided {
  invoiceId: number;
  number: string;
  subscriberId: number;
  amount: number;
}

/** Sessions are the caller's to update. */
export function voidSoldInvoice(db: Db, by: Actor, voiding: Voiding, { now }: { now: Seconds }): Voided {
  permit(by, "voidSoldInvoice");
  return write(db, (tx) => {
    const invoice = invoiceById(tx, by.scope, voiding.invoiceId);
    voidInvoice(tx, by, voiding, { now });
    const { id: invoiceId, subscriberId, amount, credited } = invoice;
    return { invoiceId, number: invoice.number ?? "", subscriberId, amount: amount - credited };
  });
}

/**
 * Credits the rest of an invoice; its number stays. `endService` restores the earlier service; sessions are to be updated.
 * Throws not_found, conflict if void or the service has changed since. Checks no permission.
 */
export function voidInvoice(
  tx: Tx,
  by: Actor,
  { invoiceId, reason, endService }: Voiding,
  { now }: { now: Seconds },
): void {
  const invoice = invoiceById(tx, by.scope, invoiceId);
  const { subscriberId, ispId, amount, credited, number } = invoice;
  if (invoice.voidedAt !== null)
    throw new DomainError(
      "conflict",
      phrase`the invoice ${number} is void since ${formatTime(invoice.voidedAt)}`,
      {
        code: "already_void",
      },
    );
  const before = endService ? requireBefore(tx, invoice) : undefined;
  const { staffId: voidedBy, name } = by;
  update(
    tx,
    invoices,
    { voidedAt: now, voidReason: reason, voidedBy, voidedActor: voidedBy === null ? name : null },
    { id: invoiceId },
  );
  const sale = tx.$client
    .query<{ id: number }, [number]>(
      "SELECT id FROM ledger_entries WHERE invoice_id = ? AND kind = 'activation'",
    )
    .get(invoiceId);
  const account = { subscriberId };
  const entry = { account, ispId, amount: amount - credited, kind: "void", invoiceId, reason } as const;
  book(tx, { ...entry, aboutId: sale?.id }, now, by, { touched: invoiceId });
  if (before) endVoidedService(tx, invoice, before, now, by);
  audit(tx, by, now, {
    action: "invoice.void",
    entity: "invoice",
    entityId: invoiceId,
    ispId,
    after: {
      number,
      user_id: subscriberId,
      given_back: formatAmount(amount - credited),
      reason,
      end_service: endService ? 1 : 0,
    },
  });
}

/** Throws conflict. */
function requireBefore(tx: Tx, invoice: Invoice): Before {
  const why = movedSince(tx, invoice);
  if (why !== undefined)
    throw new DomainError(
      "conflict",
      phrase`the service cannot go back to what it was before the invoice ${invoice.number}: ${why}; void it by invoice/void without end_service, and set the service right by hand`,
      { code: "not_undoable" },
    );
  if (invoice.serviceBefore === null)
    throw new DomainError(
      "conflict",
      phrase`the invoice ${invoice.number} does not say what the service was before it, as those that are older than version 0.2.0; void it by invoice/void without end_service`,
      { code: "not_undoable" },
    );
  return readBefore(invoice.serviceBefore);
}

interface Moved {
  at: Seconds;
  who: string | null;
}

function movedSince(tx: Tx, { id, subscriberId, createdAt, periodEnd, packageId, ...invoice }: Invoice) {
  const { $client } = tx;
  const newer = $client
    .query<{ number: string }, [number, number]>(
      "SELECT number FROM invoices WHERE subscriber_id = ? AND id > ? AND voided_at IS NULL ORDER BY id DESC LIMIT 1",
    )
    .get(subscriberId, id);
  if (newer) return phrase`the invoice ${newer.number} was written after it (void that one first)`;
  const by = "coalesce(a.username, e.actor) AS who";
  const extended = $client
    .query<Moved, [number, Seconds, Seconds]>(
      `SELECT e.created_at AS at, ${by} FROM extensions e LEFT JOIN staff a ON a.id = e.acting_staff_id
       WHERE e.subscriber_id = ?1 AND (e.created_at > ?2 OR (e.created_at = ?2 AND e.before = ?3)) ORDER BY e.id DESC LIMIT 1`,
    )
    .get(subscriberId, createdAt, periodEnd);
  if (extended) return phrase`an extension of ${formatTime(extended.at)} by ${extended.who} moved its end`;
  const frozen = $client
    .query<Moved, [number, Seconds]>(
      `SELECT e.frozen_at AS at, ${by} FROM freezes e LEFT JOIN staff a ON a.id = e.frozen_by
       WHERE e.subscriber_id = ? AND e.frozen_at >= ? ORDER BY e.id DESC LIMIT 1`,
    )
    .get(subscriberId, createdAt);
  if (frozen) return phrase`a freeze of ${formatTime(frozen.at)} by ${frozen.who} moved its end`;
  const service = findService(tx, subscriberId);
  const before = invoice.serviceBefore === null ? undefined : readBefore(invoice.serviceBefore);
  const isMoved = before?.topUp
    ? service?.expiresAt !== before.topUp.expiresAt || service.packageId !== before.service?.packageId
    : service?.expiresAt !== periodEnd || service.packageId !== packageId;
  if (isMoved)
    return phrase`an import, or an invoice that is void while its service went on, moved its end or its package`;
  return voidPart(tx, invoice.serviceBefore);
}

/** One whose own invoice is void. */
function voidPart({ $client }: Tx, serviceBefore: string | null): Phrase | undefined {
  const { unused } = serviceBefore === null ? { unused: [] } : readBefore(serviceBefore);
  const find = $client.query<{ number: string }, [number]>(
    "SELECT number FROM invoices WHERE id = ? AND voided_at IS NOT NULL",
  );
  const found = unused.map(({ invoiceId }) => find.get(invoiceId)).find((one) => one !== null);
  return found ? phrase`the invoice ${found.number} of the service before it is void` : undefined;
}

function endVoidedService(
  tx: Tx,
  { subscriberId, packageId: soldId, ispId }: Invoice,
  before: Before,
  now: Seconds,
  by: Actor,
): void {
  restoreBefore(tx, before, { subscriberId, soldId }, now);
  if (before.topUp) return;
  for (const value of before.unused) takeBackUnused(tx, value, subscriberId, now, by);
  if (before.service) blockRenewal(tx, { subscriberId, ispId, expiresAt: before.service.expiresAt }, now);
}
