import type { Db } from "../../../db/open.ts";
import { error, type Finding, ok } from "./finding.ts";

type Store = Pick<Db, "$client">;

/** That the books add up: balances, invoices, what is still to pay, commissions. Reads all of them. */
export function checkMoney(db: Store): Finding[] {
  return [checkLedger(db), checkInvoices(db), checkOpen(db), checkCommissions(db)];
}

interface Wrong {
  rows: number;
  wrong: number;
  first: number | null;
}

/** A query of `rows`, `wrong` and the `first` wrong one. */
function count({ $client }: Store, sql: string): Wrong {
  return $client.query<Wrong, []>(sql).get() ?? { rows: 0, wrong: 0, first: null };
}

/** Each entry's balance is the one before plus its amount, so the balance is the sum of the entries. */
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
  return error(
    "ledger",
    `${wrong} balances are not the sum of their entries, the first in entry ${first}; restore the last backup`,
  );
}

/** Each invoice is charged once, in its subscriber's wallet and by its amount, and nothing is charged without one. */
function checkInvoices(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `SELECT count(*) AS rows, count(CASE WHEN NOT isRight THEN 1 END) AS wrong, min(CASE WHEN NOT isRight THEN id END) AS first
     FROM (SELECT i.id, count(e.id) = 1 AND min(e.amount = -i.amount AND e.subscriber_id IS i.subscriber_id) AS isRight
           FROM invoices i LEFT JOIN ledger_entries e ON e.invoice_id = i.id AND e.kind = 'activation' GROUP BY i.id)`,
  );
  if (wrong > 0)
    return error(
      "invoices",
      `${wrong} are not charged once and by their amount in the ledger, the first is invoice ${first}; restore the last backup`,
    );
  const loose = count(
    db,
    `SELECT count(*) AS rows, count(*) AS wrong, min(id) AS first FROM ledger_entries
     WHERE kind = 'activation' AND invoice_id IS NULL`,
  );
  return loose.wrong === 0
    ? ok("invoices", `${rows} are charged in the ledger, each once`)
    : error(
        "invoices",
        `${loose.wrong} activations are charged without one, the first in entry ${loose.first}; restore the last backup`,
      );
}

/**
 * What a subscriber owes lies on its newest charges, so that what is open of invoices and what is owed without one are what
 * the balance is below zero; an invoice is paid exactly when nothing of it is open.
 */
function checkOpen(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `SELECT count(*) AS rows, count(CASE WHEN isWrong THEN 1 END) AS wrong, min(CASE WHEN isWrong THEN id END) AS first
     FROM (SELECT i.id, i.open IS NOT ifnull(max(0, min(i.amount, p.rest)), 0) OR (i.paid_at IS NULL) <> (i.open > 0) AS isWrong
           FROM invoices i LEFT JOIN (
             SELECT invoice_id, kind, max(0, -sum(amount) OVER (PARTITION BY subscriber_id))
                 - sum(max(0, -amount)) OVER (PARTITION BY subscriber_id ORDER BY id DESC) + max(0, -amount) AS rest
             FROM ledger_entries WHERE subscriber_id IS NOT NULL
           ) p ON p.invoice_id = i.id AND p.kind = 'activation')`,
  );
  if (wrong === 0) return ok("open invoices", "what is still to pay is what the subscribers owe");
  return error(
    "open invoices",
    `of ${wrong} of ${rows} invoices another amount is still to pay than their subscribers owe on them, or they are marked as paid wrongly, the first is invoice ${first}; restore the last backup`,
  );
}

/** Commission is booked for what is settled only, to its seller; of invoices from before, what was booked with the sale. */
function checkCommissions(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `SELECT count(*) AS rows, count(CASE WHEN isWrong THEN 1 END) AS wrong, min(CASE WHEN isWrong THEN invoice_id END) AS first
     FROM (SELECT i.id AS invoice_id, ifnull(sum(e.amount), 0) <> iif(i.paid_at IS NOT NULL OR i.commission_at_sale = 1, i.commission, 0)
               OR count(CASE WHEN e.staff_id IS NOT i.seller_id THEN e.id END) > 0 AS isWrong
           FROM invoices i LEFT JOIN ledger_entries e ON e.invoice_id = i.id AND e.kind = 'commission'
           GROUP BY i.id HAVING i.commission <> 0 OR count(e.id) > 0
           UNION ALL SELECT NULL, 1 FROM ledger_entries WHERE kind = 'commission' AND invoice_id IS NULL)`,
  );
  if (wrong === 0)
    return ok("commissions", `those of ${rows} invoices are booked as far as they are settled`);
  return error(
    "commissions",
    `of ${wrong} invoices another commission is booked than is due, the first is invoice ${first ?? "of no number"}; restore the last backup`,
  );
}
