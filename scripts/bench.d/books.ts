import type { Database } from "bun:sqlite";

/** What is written into the books of an ISP. */
export interface Books {
  readonly subscribers: number;
  /** About so many entries: two for each sale, three where a reseller sold. */
  readonly entries: number;
  /** UTC seconds; the books end now and begin three years before. */
  readonly now: number;
  /** How the store was before payments: money was an entry of the kind `credit`, and an invoice had no number. */
  readonly isOld?: boolean;
}

const YEARS = 3;
const AREAS = 40;
const BRANCHES = 5;
const PACKAGES = 12;
/** Accounts by their ids: the Admin is 1, clerks and resellers follow. */
const CLERKS = 6;
const RESELLERS = 8;

/** Places, packages and staff of the ISP 1 beside its Admin and its first package, and gives each subscriber its own of them. */
export function writePlaces(client: Database): void {
  const insert = (count: number, sql: string) =>
    client
      .query(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) ${sql}`)
      .run();
  client.run("PRAGMA synchronous = OFF");
  client.run("BEGIN IMMEDIATE");
  insert(BRANCHES, "INSERT INTO branches (id, isp_id, name) SELECT i, 1, 'Branch ' || i FROM n");
  client.run("INSERT INTO cities (id, isp_id, name) VALUES (1, 1, 'Riverton')");
  insert(AREAS, "INSERT INTO areas (id, isp_id, city_id, name) SELECT i, 1, 1, 'Area ' || i FROM n");
  insert(
    PACKAGES - 1,
    `INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at)
     SELECT 1 + i, 1, 'Home ' || (1 + i), 1000 + 100 * (1 + i), 'prepaid', 1, 'month', 1 FROM n`,
  );
  insert(
    CLERKS + RESELLERS,
    `INSERT INTO staff (id, isp_id, name, username, username_key, password_hash, profile_type, created_at, updated_at)
     SELECT 1 + i, 1, iif(i > ${CLERKS}, 'Reseller ', 'Clerk ') || i, 'staff' || i, 'staff' || i, '-', iif(i > ${CLERKS}, 3, 2), 1, 1 FROM n`,
  );
  client.run(
    `UPDATE subscribers SET area_id = 1 + id % ${AREAS}, branch_id = 1 + (1 + id % ${AREAS}) % ${BRANCHES}, package_id = 1 + id % ${PACKAGES},
       salesperson_id = iif(id % 5, 1, ${2 + CLERKS} + id / 5 % ${RESELLERS})`,
  );
  client.run("COMMIT");
}

/**
 * Payments, invoices and entries of three years in the order of their time, through the triggers of the store. Each
 * subscriber buys so many times, every twentieth has not paid the newest one; every eighth payment is by bank, and resellers
 * get their commission.
 */
export function writeBooks(client: Database, { subscribers, entries, now, isOld = false }: Books): void {
  const sales = Math.max(1, Math.floor(entries / (2.2 * subscribers)));
  const period = Math.floor((YEARS * 365 * 86_400) / sales);
  client.run("PRAGMA synchronous = OFF");
  client.run("BEGIN IMMEDIATE");
  client.run("CREATE TEMP TABLE sales (id INTEGER PRIMARY KEY, buyer INTEGER, at INTEGER, unpaid INTEGER)");
  client
    .query(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $sales * $subscribers)
       INSERT INTO temp.sales (buyer, at, unpaid)
       SELECT s, $now - (k + 1) * $period + (s * 7919 % $subscribers) * $period / $subscribers, k = 0 AND s % 20 = 0
       FROM (SELECT 1 + i % $subscribers AS s, i / $subscribers AS k FROM n) ORDER BY 2`,
    )
    .run({ sales, subscribers, now, period });
  const last = (table: string) =>
    client.query<{ id: number }, []>(`SELECT coalesce(max(id), 0) AS id FROM ${table}`).get()?.id ?? 0;
  const from = {
    invoice: last("invoices"),
    payment: isOld ? 0 : last("payments"),
    entry: last("ledger_entries"),
  };
  if (!isOld) client.query(paymentsSql).run({ from: from.payment });
  client
    .query(invoicesSql(isOld))
    .run({ from: from.invoice, period, ...(isOld ? {} : { payment: from.payment }) });
  client
    .query(entriesSql(isOld))
    .run({ entry: from.entry, invoice: from.invoice, ...(isOld ? {} : { payment: from.payment }) });
  client.run("DROP TABLE temp.sales");
  client.run("COMMIT");
  client.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

const price = "(1000 + 100 * p.id)";
const clerk = `iif(s.salesperson_id = 1, 2 + o.id % ${CLERKS}, s.salesperson_id)`;

const paymentsSql = `
  INSERT INTO payments (id, isp_id, branch_id, subscriber_id, kind, amount, currency, method, reference, reference_key, number, taken_by, created_at)
  SELECT o.id + $from, 1, s.branch_id, s.id, 'payment', ${price}, 'USD', iif(o.id % 8, 'cash', 'bank'),
    iif(o.id % 8, NULL, 'T-' || o.id), iif(o.id % 8, NULL, 't' || o.id), printf('R-%d', o.id + $from), 2 + o.id % ${CLERKS}, o.at
  FROM temp.sales o JOIN subscribers s ON s.id = o.buyer JOIN packages p ON p.id = s.package_id
  WHERE NOT o.unpaid ORDER BY o.id`;

function invoicesSql(isOld: boolean): string {
  return `
  INSERT INTO invoices (id, isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end,
    created_at, paid_at, open, seller_id, commission${isOld ? "" : ", number, branch_id, area_id, payment_id"})
  SELECT o.id + $from, 1, s.id, p.id, p.name, ${price}, 'USD', o.at, o.at + $period, o.at, iif(o.unpaid, NULL, o.at),
    iif(o.unpaid, ${price}, 0), s.salesperson_id, iif(s.salesperson_id = 1, 0, 300)
    ${isOld ? "" : ", printf('I-%d', o.id + $from), s.branch_id, s.area_id, iif(o.unpaid, NULL, o.id + $payment)"}
  FROM temp.sales o JOIN subscribers s ON s.id = o.buyer JOIN packages p ON p.id = s.package_id ORDER BY o.id`;
}

function entriesSql(isOld: boolean): string {
  const rows = [
    `SELECT o.id, 0 AS part, s.id AS subscriber, NULL AS staff, ${price} AS amount, '${isOld ? "credit" : "payment"}' AS kind,
       0 AS invoiced, ${clerk} AS clerk, o.at, 1 AS paid FROM`,
    `SELECT o.id, 1, s.id, NULL, -${price}, 'activation', 1, ${clerk}, o.at, 0 FROM`,
    `SELECT o.id, 2, NULL, s.salesperson_id, 300, 'commission', 1, ${clerk}, o.at, 0 FROM`,
  ];
  const sold = "temp.sales o JOIN subscribers s ON s.id = o.buyer JOIN packages p ON p.id = s.package_id";
  const which = ["NOT o.unpaid", "TRUE", "s.salesperson_id <> 1 AND NOT o.unpaid"];
  return `
  INSERT INTO ledger_entries (isp_id, subscriber_id, staff_id, amount, balance_after, kind, invoice_id, acting_staff_id, created_at
    ${isOld ? "" : ", payment_id, branch_id, area_id, package_id, seller_id, day"})
  SELECT 1, subscriber, staff, e.amount,
    coalesce((SELECT b.balance_after FROM ledger_entries b WHERE b.id <= $entry AND b.subscriber_id = subscriber ORDER BY b.id DESC LIMIT 1), 0)
      + sum(e.amount) OVER (PARTITION BY subscriber, staff ORDER BY e.id, part), e.kind, iif(invoiced, e.id + $invoice, NULL), clerk, e.at
    ${isOld ? "" : ", iif(paid, e.id + $payment, NULL), h.branch_id, h.area_id, h.package_id, coalesce(staff, h.salesperson_id), CAST(strftime('%Y%m%d', e.at, 'unixepoch', 'localtime') AS INTEGER)"}
  FROM (${rows.map((row, index) => `${row} ${sold} WHERE ${which[index]}`).join(" UNION ALL ")}) e
    JOIN temp.sales o ON o.id = e.id JOIN subscribers h ON h.id = o.buyer
  ORDER BY e.id, part`;
}
