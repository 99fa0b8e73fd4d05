import { commissionDue } from "../../money/billing/commission.ts";
import { count, type Store } from "./count.ts";
import { damaged, type Finding, ok } from "./finding.ts";
import { checkDocuments } from "./documents.ts";
import { checkSums } from "./sums.ts";

/** The books add up: balances, invoices, outstanding amounts, commissions, payments, numbers, sums. Reads all of them. */
export function checkMoney(db: Store): Finding[] {
  return [
    checkLedger(db),
    checkInvoices(db),
    checkOutstanding(db),
    checkCommissions(db),
    ...checkDocuments(db),
    ...checkSums(db),
  ];
}

/** Checks that each balance is the one before plus the amount. */
function checkLedger(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `SELECT count(*) AS rows, count(CASE WHEN balance_after <> total THEN 1 END) AS wrong,
       min(CASE WHEN balance_after <> total THEN id END) AS first
     FROM (SELECT id, balance_after,
             sum(amount) OVER (PARTITION BY subscriber_id, staff_id ORDER BY id) AS total
           FROM ledger_entries)`,
  );
  if (wrong === 0) return ok("ledger", `${rows} entries add up to the balances`);
  return damaged(
    "ledger",
    `${wrong} balances are not the sum of their entries, the first in entry ${first}; restore the last backup`,
    wrong,
  );
}

/** Checks that each invoice is charged once, and nothing without one. */
function checkInvoices(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `SELECT count(*) AS rows, count(CASE WHEN NOT isRight THEN 1 END) AS wrong, min(CASE WHEN NOT isRight THEN id END) AS first
     FROM (SELECT i.id, count(e.id) = 1 AND min(e.amount = -i.amount AND e.subscriber_id IS i.subscriber_id) AS isRight
           FROM invoices i LEFT JOIN ledger_entries e ON e.invoice_id = i.id AND e.kind = 'activation' GROUP BY i.id)`,
  );
  if (wrong > 0)
    return damaged(
      "invoices",
      `${wrong} are not charged once and by their amount in the ledger, the first is invoice ${first}; restore the last backup`,
      wrong,
    );
  const loose = count(
    db,
    `SELECT count(*) AS rows, count(*) AS wrong, min(id) AS first FROM ledger_entries
     WHERE kind = 'activation' AND invoice_id IS NULL`,
  );
  return loose.wrong === 0
    ? ok("invoices", `${rows} are charged in the ledger, each once`)
    : damaged(
        "invoices",
        `${loose.wrong} activations are charged without one, the first in entry ${loose.first}; restore the last backup`,
        loose.wrong,
      );
}

/*
 * Charges as in open.ts: invoices less credits, none when void; negative adjustments and openings. The newest are outstanding,
 * as far as the debt reaches.
 */
const PLACED = `
  owed AS MATERIALIZED (
    SELECT subscriber_id, -sum(amount) AS owed FROM ledger_entries WHERE subscriber_id IS NOT NULL GROUP BY subscriber_id HAVING sum(amount) < 0),
  charges AS MATERIALIZED (
    SELECT e.id, e.subscriber_id, e.invoice_id, o.owed,
      iif(e.kind <> 'activation', -e.amount, iif(i.voided_at IS NULL, i.amount - i.credited, 0)) AS charge
    FROM owed o JOIN ledger_entries e ON e.subscriber_id = o.subscriber_id LEFT JOIN invoices i ON i.id = e.invoice_id
    WHERE e.amount < 0 AND e.kind IN ('activation', 'adjustment', 'opening')),
  placed AS MATERIALIZED (
    SELECT id, subscriber_id, invoice_id,
      max(0, min(charge, owed + charge - sum(charge) OVER (PARTITION BY subscriber_id ORDER BY id DESC))) AS open
    FROM charges)`;

/**
 * A debt lies on the newest charges: outstanding amounts add up to the negative balance, and an invoice is paid when nothing of
 * it is outstanding.
 */
function checkOutstanding(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `WITH ${PLACED}
     SELECT count(*) AS rows, count(CASE WHEN isWrong THEN 1 END) AS wrong, min(CASE WHEN isWrong THEN id END) AS first
     FROM (SELECT i.id, i.open IS NOT ifnull(p.open, 0) OR (i.paid_at IS NULL) <> (i.open > 0) AS isWrong
           FROM invoices i LEFT JOIN placed p ON p.invoice_id = i.id)`,
  );
  if (wrong > 0)
    return damaged(
      "open invoices",
      `of ${wrong} of ${rows} invoices another amount is still to pay than their subscribers owe on them, or they are marked as paid wrongly, the first is invoice ${first}; restore the last backup`,
      wrong,
    );
  const charges = count(
    db,
    `WITH ${PLACED},
     due AS MATERIALIZED (
       SELECT subscriber_id, id AS entry_id, open FROM placed WHERE invoice_id IS NULL AND open > 0
       UNION ALL SELECT o.subscriber_id, 0, o.owed - ifnull(c.charged, 0)
       FROM owed o LEFT JOIN (SELECT subscriber_id, sum(charge) AS charged FROM charges GROUP BY subscriber_id) c USING (subscriber_id)
       WHERE o.owed > ifnull(c.charged, 0))
     SELECT (SELECT count(*) FROM due) AS rows, count(*) AS wrong, min(subscriber_id) AS first FROM (
       SELECT * FROM (SELECT * FROM due EXCEPT SELECT subscriber_id, entry_id, open FROM open_charges)
       UNION ALL SELECT * FROM (SELECT subscriber_id, entry_id, open FROM open_charges EXCEPT SELECT * FROM due))`,
  );
  if (charges.wrong === 0) return ok("open invoices", "what is still to pay is what the subscribers owe");
  return damaged(
    "open invoices",
    `what is owed without an invoice is kept wrongly in ${charges.wrong} rows, the first of subscriber ${charges.first}; restore the last backup`,
    charges.wrong,
  );
}

/** Commission is booked to the seller for settled amounts, less credits; for older invoices, what the sale booked. */
function checkCommissions(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `SELECT count(*) AS rows, count(CASE WHEN isWrong THEN 1 END) AS wrong, min(CASE WHEN isWrong THEN invoice_id END) AS first
     FROM (SELECT i.id AS invoice_id, count(CASE WHEN e.staff_id IS NOT i.seller_id THEN e.id END) > 0
             OR (i.credited = 0 AND ifnull(sum(e.amount), 0) <> iif(i.voided_at IS NULL AND (i.paid_at IS NOT NULL OR i.commission_at_sale = 1), i.commission, 0)) AS isWrong
           FROM invoices i LEFT JOIN ledger_entries e ON e.invoice_id = i.id AND e.kind = 'commission'
           GROUP BY i.id HAVING i.commission <> 0 OR count(e.id) > 0
           UNION ALL SELECT NULL, 1 FROM ledger_entries WHERE kind = 'commission' AND invoice_id IS NULL)`,
  );
  const credited = wrongShares(db);
  if (wrong + credited.length === 0)
    return ok("commissions", `those of ${rows} invoices are booked as far as they are settled`);
  return damaged(
    "commissions",
    `of ${wrong + credited.length} invoices another commission is booked than is due, the first is invoice ${first ?? credited[0] ?? "of no number"}; restore the last backup`,
    wrong + credited.length,
  );
}

type Credited = Parameters<typeof commissionDue>[0] & { id: number; booked: number };

/** Partly credited invoices with a wrong share. */
function wrongShares({ $client }: Store): number[] {
  const rows = $client
    .query<Credited, []>(
      `SELECT i.id, i.amount, i.credited, i.voided_at AS voidedAt, i.paid_at AS paidAt, i.commission,
         i.commission_at_sale AS commissionAtSale, ifnull(sum(e.amount), 0) AS booked
       FROM invoices i LEFT JOIN ledger_entries e ON e.invoice_id = i.id AND e.kind = 'commission'
       WHERE i.credited <> 0 GROUP BY i.id`,
    )
    .all();
  return rows.filter((row) => row.booked !== commissionDue(row)).map(({ id }) => id);
}
