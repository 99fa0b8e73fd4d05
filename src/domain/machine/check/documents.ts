import { count, type Store } from "./count.ts";
import { damaged, type Finding, ok } from "./finding.ts";

/** Credits, voids, payments and numbers agree with the ledger. */
export function checkDocuments(db: Store): Finding[] {
  return [checkCredits(db), checkPayments(db), checkNumbers(db)];
}

/** Credits are booked with a credit note each; a void invoice gives back the rest. */
function checkCredits(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `SELECT count(*) AS rows, count(CASE WHEN isWrong THEN 1 END) AS wrong, min(CASE WHEN isWrong THEN id END) AS first
     FROM (SELECT i.id, i.credited <> ifnull(sum(iif(e.kind = 'unused', e.amount, 0)), 0)
               OR ifnull(sum(iif(e.kind = 'void', e.amount, 0)), 0) <> iif(i.voided_at IS NULL, 0, i.amount - i.credited) AS isWrong
           FROM invoices i LEFT JOIN ledger_entries e ON e.invoice_id = i.id AND e.kind IN ('unused', 'void')
           GROUP BY i.id HAVING i.credited <> 0 OR i.voided_at IS NOT NULL OR count(e.id) > 0
           UNION ALL SELECT n.invoice_id, 1 FROM credit_notes n LEFT JOIN ledger_entries e ON e.id = n.entry_id
           WHERE e.kind IS NOT 'unused' OR e.invoice_id IS NOT n.invoice_id OR e.amount IS NOT n.amount
           UNION ALL SELECT NULL, 1 FROM ledger_entries WHERE kind IN ('unused', 'void') AND invoice_id IS NULL)`,
  );
  if (wrong === 0) return ok("credits", `${rows} invoices that are void or credited gave back what they say`);
  return damaged(
    "credits",
    `${wrong} invoices gave back something else than they say, the first is invoice ${first ?? "of no number"}; restore the last backup`,
    wrong,
  );
}

const MOVED = "iif(p.kind = 'payment', p.amount, -p.amount)";
const OWN = "e.subscriber_id IS p.subscriber_id AND e.staff_id IS p.staff_id";

/** Checks that each payment and refund moves its wallet once, and its Reseller's the other way; reversed ones, both back. */
function checkPayments(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `SELECT count(*) AS rows, count(CASE WHEN isWrong THEN 1 END) AS wrong, min(CASE WHEN isWrong THEN id END) AS first
     FROM (SELECT p.id,
             count(e.id) <> (1 + (p.reseller_id IS NOT NULL)) * (1 + (p.reversed_at IS NOT NULL))
               OR total(${OWN} AND e.kind = p.kind AND e.amount = ${MOVED}) <> 1
               OR total(${OWN} AND e.kind = 'reversal' AND e.amount = -${MOVED}) <> (p.reversed_at IS NOT NULL)
               OR total(e.staff_id = p.reseller_id AND e.kind = 'transfer' AND e.amount = -${MOVED}) <> (p.reseller_id IS NOT NULL)
               OR total(e.staff_id = p.reseller_id AND e.kind = 'reversal' AND e.amount = ${MOVED}) <> (p.reseller_id IS NOT NULL AND p.reversed_at IS NOT NULL) AS isWrong
           FROM payments p LEFT JOIN ledger_entries e ON e.payment_id = p.id GROUP BY p.id
           UNION ALL SELECT NULL, 1 FROM ledger_entries
           WHERE kind IN ('payment', 'transfer', 'refund', 'reversal') AND payment_id IS NULL)`,
  );
  if (wrong === 0) return ok("payments", `${rows} are booked in the ledger, each once on both sides`);
  return damaged(
    "payments",
    `${wrong} are booked otherwise in the ledger than they say, the first is payment ${first ?? "of no number"}; restore the last backup`,
    wrong,
  );
}

interface Series {
  rows: number;
  wrong: number;
  first: string | null;
}

/* I-2026b-000123 is number 123 of series I in 2026b. An unused counter belongs to no series yet. */
const selectSeries = `
  WITH used AS (
    SELECT isp_id, number FROM invoices UNION ALL SELECT isp_id, number FROM credit_notes UNION ALL SELECT isp_id, number FROM payments),
  series AS (
    SELECT isp_id, substr(number, 1, instr(substr(number, 3), '-') + 1) AS name, count(*) AS numbers, max(nth) AS most, count(DISTINCT nth) AS different
    FROM (SELECT *, CAST(substr(number, instr(substr(number, 3), '-') + 3) AS INTEGER) AS nth FROM used) GROUP BY 1, 2),
  counted AS (SELECT isp_id, series || '-' || year || letter AS name, last FROM counters)
  SELECT count(*) AS rows, count(CASE WHEN isWrong THEN 1 END) AS wrong, min(CASE WHEN isWrong THEN name END) AS first
  FROM (SELECT ifnull(s.name, 'no number') AS name, s.numbers <> s.most OR s.different <> s.numbers OR s.name IS NULL OR ifnull(c.last, s.most) <> s.most AS isWrong
        FROM series s LEFT JOIN counted c USING (isp_id, name)
        UNION ALL SELECT name, 1 FROM counted WHERE last > 0 AND (isp_id, name) NOT IN (SELECT isp_id, name FROM series WHERE name IS NOT NULL))`;

/** Numbers have no gaps, and match their counters. */
function checkNumbers({ $client }: Store): Finding {
  const found = $client.query<Series, []>(selectSeries).get();
  const { rows, wrong, first } = found ?? { rows: 0, wrong: 0, first: null };
  if (wrong === 0) return ok("numbers", `${rows} series of invoices and receipts have no gap`);
  return damaged(
    "numbers",
    `${wrong} series of invoices and receipts have a gap or a number twice, the first is ${first}; restore the last backup`,
    wrong,
  );
}
