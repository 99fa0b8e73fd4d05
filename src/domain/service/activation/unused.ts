import type { Db, Tx } from "../../../../db/open.ts";
import { insert } from "../../../../db/insert.ts";
import { creditNotes, type invoices, type services } from "../../../../db/schema.ts";
import { book } from "../../money/billing/book.ts";
import { nextNumber } from "../../money/billing/numbers.ts";
import { taxIn } from "../../goods/tax/tax.ts";
import { carriedOver, countersAt, type FairTerms } from "../fair-use/terms.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";

/** A top-up's bytes, and the service's end it led to. */
export interface AddedByTopUp {
  readonly bytes: number;
  readonly rolls: boolean;
  readonly expiresAt: Seconds;
}

/** An invoice whose period ends early, and its credit in minor units. */
export interface Unused {
  readonly invoice: Credited;
  readonly amount: number;
}

interface Credited extends Pick<
  typeof invoices.$inferSelect,
  | "id"
  | "ispId"
  | "number"
  | "packageId"
  | "amount"
  | "credited"
  | "taxPercent"
  | "periodStart"
  | "periodEnd"
  | "paidAt"
  | "voidedAt"
  | "sellerId"
  | "commission"
  | "commissionAtSale"
> {
  /** The service as JSON at the next activation, which reset the quota; null: none since. */
  readonly afterwards: string | null;
  /** A top-up's addition as JSON; null: no top-up. */
  readonly topUp: string | null;
}

const selectRunning = `
  SELECT id, isp_id AS ispId, number, package_id AS packageId, amount, credited, tax_percent AS taxPercent,
    period_start AS periodStart, period_end AS periodEnd, paid_at AS paidAt, voided_at AS voidedAt,
    seller_id AS sellerId, commission, commission_at_sale AS commissionAtSale,
    (SELECT next.service_before ->> '$.service' FROM invoices next
     WHERE next.subscriber_id = i.subscriber_id AND next.id > i.id AND next.voided_at IS NULL
       AND next.service_before ->> '$.topUp' IS NULL ORDER BY next.id LIMIT 1) AS afterwards,
    service_before ->> '$.topUp' AS topUp
  FROM invoices i WHERE subscriber_id = ? AND voided_at IS NULL AND period_end > ? AND period_end > period_start ORDER BY id`;

type Volume = FairTerms & Pick<typeof services.$inferSelect, "subscriberId" | "packageId">;

/**
 * Credit of each invoice whose period is not over: its price pro rata by the remaining seconds, rounded down; the current one
 * at most by the remaining quota, or the quota remaining when a later activation reset it; a top-up by its remaining bytes, and
 * nothing when they are kept.
 */
export function listUnused({ $client }: Db, service: Volume, now: Seconds): Unused[] {
  return $client
    .query<Credited, [number, Seconds]>(selectRunning)
    .all(service.subscriberId, now)
    .map((invoice) => ({ invoice, amount: amountLeft(invoice, service, now) }));
}

function amountLeft(
  { amount, credited, packageId, periodStart, periodEnd, afterwards, topUp }: Credited,
  service: Volume,
  now: Seconds,
): number {
  const left = periodEnd - Math.max(now, periodStart);
  const parts = [amount - credited, proRata(amount, left, periodEnd - periodStart)];
  const counts: Volume[] = afterwards === null ? [service] : [service, JSON.parse(afterwards) as Volume];
  for (const { packageId: counted, quotaTotal, quotaUsed, extraBytes = 0, fairWindow } of periodStart <= now
    ? counts
    : []) {
    // top-up bytes are not part of this price and used last; a monthly quota returns within the period
    const own = quotaTotal - extraBytes;
    const isWholePeriod = (fairWindow ?? "period") === "period";
    if (counted === packageId && quotaTotal > 0 && isWholePeriod)
      parts.push(proRata(amount, Math.max(0, own - quotaUsed), own));
  }
  const added = topUp === null ? null : (JSON.parse(topUp) as AddedByTopUp);
  if (added !== null && added.bytes > 0) parts.push(unusedBytesAmount(amount, added, service, now));
  return Math.max(0, Math.min(...parts));
}

/** The part of a top-up's price for bytes that a change of package removes unused; those without rollover are used first. */
function unusedBytesAmount(amount: number, { rolls }: AddedByTopUp, service: Volume, now: Seconds): number {
  const counted = countersAt(service, now);
  const { extraBytes, rollingBytes } = counted;
  const going = extraBytes - rollingBytes;
  if (rolls || going <= 0) return 0;
  const left = carriedOver({ ...service, ...counted, rollingBytes: extraBytes });
  return proRata(amount, Math.max(0, left - rollingBytes), going);
}

/** amount x left / whole, rounded down; exact for large numbers. */
function proRata(amount: number, left: number, whole: number): number {
  return Number((BigInt(amount) * BigInt(left)) / BigInt(whole));
}

/** Books the credits, each with a credit note, and ends the periods now. */
export function creditUnused(
  tx: Tx,
  unused: readonly Unused[],
  subscriberId: number,
  now: Seconds,
  by: Actor,
): void {
  for (const { invoice, amount } of unused) {
    const { id, periodStart } = invoice;
    tx.$client
      .query("UPDATE invoices SET credited = credited + ?, period_start = ?, period_end = ? WHERE id = ?")
      .run(amount, Math.min(periodStart, now), now, id);
    if (amount > 0) noteCredit(tx, { invoice, amount, subscriberId }, now, by);
  }
}

/** A credit of an invoice, and its period before. */
export interface GivenBack {
  readonly invoiceId: number;
  readonly amount: number;
  readonly periodStart: Seconds;
  readonly periodEnd: Seconds;
}

export function givenBack({ invoice: { id: invoiceId, periodStart, periodEnd }, amount }: Unused): GivenBack {
  return { invoiceId, amount, periodStart, periodEnd };
}

/** Reverses it, and restores the invoice's period. */
export function takeBackUnused(
  tx: Tx,
  { invoiceId, amount, periodStart, periodEnd }: GivenBack,
  subscriberId: number,
  now: Seconds,
  by: Actor,
): void {
  const invoice = tx.$client
    .query<{ ispId: number; taxPercent: number }, [number]>(
      "SELECT isp_id AS ispId, tax_percent AS taxPercent FROM invoices WHERE id = ?",
    )
    .get(invoiceId);
  if (!invoice) throw new Error(`there is no invoice ${invoiceId}`);
  tx.$client
    .query("UPDATE invoices SET credited = credited - ?, period_start = ?, period_end = ? WHERE id = ?")
    .run(amount, periodStart, periodEnd, invoiceId);
  if (amount > 0)
    noteCredit(tx, { invoice: { ...invoice, id: invoiceId }, amount: -amount, subscriberId }, now, by);
}

interface Note {
  invoice: Pick<Credited, "id" | "ispId" | "taxPercent">;
  /** Negative: reverses one. */
  amount: number;
  subscriberId: number;
}

function noteCredit(
  tx: Tx,
  { invoice: { id: invoiceId, ispId, taxPercent }, amount, subscriberId }: Note,
  now: Seconds,
  by: Actor,
): void {
  const about = tx.$client
    .query<{ id: number }, [number, string]>(
      "SELECT id FROM ledger_entries WHERE invoice_id = ? AND kind = ? ORDER BY id DESC LIMIT 1",
    )
    .get(invoiceId, amount > 0 ? "activation" : "unused");
  const { id: entryId } = book(
    tx,
    { account: { subscriberId }, ispId, amount, kind: "unused", invoiceId, aboutId: about?.id },
    now,
    by,
    { touched: invoiceId },
  );
  const tax = Math.sign(amount) * taxIn(Math.abs(amount), taxPercent);
  const number = nextNumber(tx, ispId, "I", now);
  insert(tx, creditNotes, { ispId, number, invoiceId, entryId, amount, tax, createdAt: now });
}
