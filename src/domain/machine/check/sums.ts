import { count, type Store } from "./count.ts";
import { damaged, type Finding, ok } from "./finding.ts";

/** Balances and sums kept by triggers. */
export function checkSums(db: Store): Finding[] {
  return [checkWallets(db), checkDays(db)];
}

function checkWallets(db: Store): Finding {
  const { rows, wrong, first } = count(
    db,
    `WITH newest AS MATERIALIZED (
       SELECT s.id AS subscriber_id, coalesce(e.balance_after, 0) AS balance FROM subscribers s LEFT JOIN ledger_entries e
         ON e.id = (SELECT max(id) FROM ledger_entries WHERE subscriber_id = s.id))
     SELECT (SELECT count(*) FROM newest) AS rows, count(*) AS wrong, min(subscriber_id) AS first FROM (
       SELECT * FROM (SELECT * FROM newest EXCEPT SELECT subscriber_id, balance FROM wallets)
       UNION ALL SELECT * FROM (SELECT subscriber_id, balance FROM wallets EXCEPT SELECT * FROM newest))`,
  );
  if (wrong === 0) return ok("wallets", `${rows} hold what the ledger says`);
  return damaged(
    "wallets",
    `${wrong} hold something else than the ledger says, the first of subscriber ${first}; restore the last backup`,
    wrong,
  );
}

const BY = "isp_id, branch_id, area_id, package_id, seller_id, staff_id, account, kind, method, reached";

/** Days add up to entries, months to days. */
function checkDays(db: Store): Finding {
  const days = `
    SELECT e.day, ifnull(e.isp_id, 0), ifnull(e.branch_id, 0), ifnull(e.area_id, 0), ifnull(e.package_id, 0), ifnull(e.seller_id, 0),
      ifnull(iif(p.id IS NULL, e.acting_staff_id, p.taken_by), 0), iif(e.subscriber_id IS NULL, 'staff', 'subscriber'), e.kind, ifnull(p.method, ''),
      p.id IS NOT NULL AND p.reseller_id IS NULL, count(*), sum(e.amount)
    FROM ledger_entries e LEFT JOIN payments p ON p.id = e.payment_id
    WHERE e.kind <> 'history' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`;
  const months = `SELECT day / 100, ${BY}, sum(entries), sum(amount) FROM ledger_days GROUP BY day / 100, ${BY}`;
  const ofDays = count(db, differences(days, "ledger_days", "day"));
  const ofMonths = count(db, differences(months, "ledger_months", "month"));
  const wrong = ofDays.wrong + ofMonths.wrong;
  if (wrong === 0) return ok("sums", `${ofDays.rows} sums of days are those of the ledger`);
  return damaged(
    "sums",
    `${wrong} sums of reports are not those of the ledger, the first of ${ofDays.first ?? ofMonths.first}; restore the last backup`,
    wrong,
  );
}

function differences(counted: string, table: string, time: string): string {
  const kept = `SELECT ${time}, ${BY}, entries, amount FROM ${table}`;
  return `WITH counted(${time}, ${BY}, entries, amount) AS MATERIALIZED (${counted}), kept AS (${kept})
     SELECT (SELECT count(*) FROM counted) AS rows, count(*) AS wrong, min(${time}) AS first FROM (
       SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted)
       UNION ALL SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept))`;
}
