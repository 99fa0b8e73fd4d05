import type { Tx } from "../../../../db/open.ts";
import { formatMinor } from "../amounts/money.ts";
import type { Seconds } from "../time/time.ts";
import { announce, timestamp } from "./announce.ts";

interface Row {
  id: number;
  subscriberId: number;
  number: string | null;
  amount: number;
  open: number;
  currency: string;
  package: string;
  periodStart: Seconds;
  periodEnd: Seconds;
}

export function announceInvoice(
  tx: Tx,
  now: Seconds,
  {
    type,
    invoiceId,
  }: { type: "invoice.issued" | "invoice.paid" | "invoice.void" | "invoice.overdue"; invoiceId: number },
): number | null {
  const row = tx.$client
    .query<Row, [number]>(
      `SELECT id, subscriber_id AS subscriberId, number, amount, open, currency, package_name AS package,
         period_start AS periodStart, period_end AS periodEnd FROM invoices WHERE id = ?`,
    )
    .get(invoiceId);
  if (!row) throw new Error(`there is no invoice ${invoiceId} to tell of`);
  const { subscriberId, number, amount, open, periodStart, periodEnd, ...same } = row;
  const invoice = {
    ...same,
    number: number ?? "",
    amount: formatMinor(amount),
    open: formatMinor(open),
    period_start: timestamp(periodStart),
    period_end: timestamp(periodEnd),
  };
  const when = type === "invoice.overdue" ? { at: periodEnd, dueKey: `${invoiceId} ${periodEnd}` } : {};
  return announce(tx, now, { ...when, type, subscriberId, beside: { invoice } });
}
