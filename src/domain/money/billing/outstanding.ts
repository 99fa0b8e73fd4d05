import type { Tx } from "../../../../db/open.ts";
import type { invoices } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { announceInvoice } from "../../core/events/invoices.ts";
import type { Seconds } from "../../core/time/time.ts";
import { bookCommission, type Commissioned } from "./commission.ts";

export interface Wallet {
  subscriberId: number;
  balance: number;
}

type Placed = Commissioned & Pick<typeof invoices.$inferSelect, "open">;

/** Outstanding amounts by invoice, and by entry for charges without one; 0: without charge. */
interface Outstanding {
  readonly invoices: ReadonlyMap<number, number>;
  readonly charges: ReadonlyMap<number, number>;
}

/**
 * A debt lies on the newest charges, from the newest back. Updates outstanding amounts after each entry, marks settled
 * invoices, and books or takes back commissions. Reads only as far back as the debt reaches. `touched`: an invoice just voided
 * or credited.
 */
export function placeOwed(tx: Tx, wallet: Wallet, now: Seconds, by: Actor, touched?: number): void {
  const open = readOutstanding(tx, wallet);
  const write = tx.$client.query("UPDATE invoices SET open = ?, paid_at = ? WHERE id = ?");
  for (const invoice of concerned(tx, wallet, open.invoices, touched)) {
    const left = open.invoices.get(invoice.id) ?? 0;
    const isSettled = left === 0;
    const wasSettled = invoice.paidAt !== null;
    const isSame = left === invoice.open && isSettled === wasSettled;
    if (isSame && invoice.id !== touched) continue;
    const paidAt = isSettled ? (invoice.paidAt ?? now) : null;
    if (!isSame) write.run(left, paidAt, invoice.id);
    bookCommission(tx, { ...invoice, paidAt }, now, by);
    if (isSettled && !wasSettled && invoice.voidedAt === null)
      announceInvoice(tx, now, { type: "invoice.paid", invoiceId: invoice.id });
  }
  writeCharges(tx, wallet, open.charges);
}

/** Invoices formerly unpaid, now outstanding, or touched, the oldest first. */
function concerned(
  { $client }: Tx,
  { subscriberId }: Wallet,
  open: ReadonlyMap<number, number>,
  touched: number | undefined,
): Placed[] {
  // two queries: one would read every invoice of the subscriber
  const select = `SELECT id, isp_id AS ispId, amount, credited, voided_at AS voidedAt, open, paid_at AS paidAt,
    seller_id AS sellerId, commission, commission_at_sale AS commissionAtSale FROM invoices`;
  const unpaid = $client
    .query<Placed, [number]>(`${select} WHERE subscriber_id = ? AND paid_at IS NULL`)
    .all(subscriberId);
  const known = new Set(unpaid.map(({ id }) => id));
  const byId = $client.query<Placed, [number]>(`${select} WHERE id = ?`);
  const named = new Set(touched === undefined ? open.keys() : [...open.keys(), touched]);
  const others = [...named].filter((id) => !known.has(id));
  return [...unpaid, ...others.flatMap((id) => byId.all(id))].sort((a, b) => a.id - b.id);
}

interface Charge {
  id: number;
  charge: number;
  invoiceId: number | null;
}

/* Charges: invoices less credits, none when void; negative adjustments and openings. Refunds and reversals are none: they reopen charges. */
const nextCharge = `
  SELECT e.id, e.invoice_id AS invoiceId, iif(e.kind <> 'activation', -e.amount, iif(i.voided_at IS NULL, i.amount - i.credited, 0)) AS charge
  FROM ledger_entries e LEFT JOIN invoices i ON i.id = e.invoice_id
  WHERE e.subscriber_id = ? AND e.id < ? AND e.amount < 0 AND e.kind IN ('activation', 'adjustment', 'opening')
  ORDER BY e.id DESC LIMIT 1`;

function readOutstanding(tx: Tx, { subscriberId, balance }: Wallet): Outstanding {
  const invoices = new Map<number, number>();
  const charges = new Map<number, number>();
  let left = Math.max(0, -balance);
  const next = tx.$client.query<Charge, [number, number]>(nextCharge);
  let before = Number.MAX_SAFE_INTEGER;
  while (left > 0) {
    const found = next.get(subscriberId, before);
    const part = found ? Math.min(found.charge, left) : left;
    const { id, invoiceId } = found ?? { id: 0, invoiceId: null };
    if (part > 0) {
      if (invoiceId === null) charges.set(id, part);
      else invoices.set(invoiceId, part);
    }
    left -= part;
    before = id;
  }
  return { invoices, charges };
}

function writeCharges({ $client }: Tx, { subscriberId }: Wallet, charges: ReadonlyMap<number, number>): void {
  const stored = $client
    .query<{ id: number; open: number }, [number]>(
      "SELECT entry_id AS id, open FROM open_charges WHERE subscriber_id = ?",
    )
    .all(subscriberId);
  for (const { id } of stored)
    if (!charges.has(id))
      $client
        .query("DELETE FROM open_charges WHERE subscriber_id = ? AND entry_id = ?")
        .run(subscriberId, id);
  for (const [id, open] of charges) {
    if (stored.some((charge) => charge.id === id && charge.open === open)) continue;
    $client
      .query(
        `INSERT INTO open_charges (subscriber_id, entry_id, open) VALUES (?, ?, ?)
         ON CONFLICT (subscriber_id, entry_id) DO UPDATE SET open = excluded.open`,
      )
      .run(subscriberId, id, open);
  }
}
