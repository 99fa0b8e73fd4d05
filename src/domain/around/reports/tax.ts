import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { dayAfter, type Seconds, startOfDay } from "../../core/time/time.ts";
import { Isps } from "../../money/sums/isps.ts";
import { nextMonth } from "../../money/sums/ledger-sums.ts";
import { type Range, requireDays } from "./range.ts";

/** Ten years of returns. */
const MOST_DAYS = 3660;

/** Minor units: `gross` = `invoiced` - `givenBack` = `net` + `tax`. */
export interface TaxRow {
  month: number;
  ispId: number;
  isp: string;
  currency: string;
  /** null: no tax. */
  taxName: string | null;
  taxPercent: number;
  /** Void ones included. */
  invoices: number;
  invoiced: number;
  /** Credits, and the rest of voided invoices, in their month. */
  givenBack: number;
  gross: number;
  net: number;
  tax: number;
}

interface Part {
  taxName: string | null;
  taxPercent: number;
  invoices: number;
  amount: number;
  tax: number;
}

const kept = "i.tax_name AS taxName, i.tax_percent AS taxPercent";
const group = "GROUP BY i.tax_percent, i.tax_name";
const noted = (column: "amount" | "tax") =>
  `(SELECT coalesce(sum(n.${column}), 0) FROM credit_notes n WHERE n.invoice_id = i.id)`;
const within = (column: string) => `${column} >= ? AND ${column} < ?`;

/** Tax by month and rate. Throws `invalid`. */
export function reportTax(db: Db, by: Actor, range: Range, isps = new Isps(db)): { rows: TaxRow[] } {
  permit(by, "reportTax");
  const { first, last } = requireDays(range, MOST_DAYS);
  const rows: Omit<TaxRow, "currency">[] = [];
  for (let month = Math.floor(first / 100); month <= Math.floor(last / 100); month = nextMonth(month)) {
    const from = startOfDay(Math.max(first, month * 100 + 1));
    const to = Math.min(startOfDay(nextMonth(month) * 100 + 1), startOfDay(dayAfter(last)));
    for (const { id: ispId, name: isp } of isps.in(by.scope))
      rows.push(
        ...readMonth(db, { ...by.scope, ispId }, from, to).map((sums) =>
          Object.assign(sums, { month, ispId, isp }),
        ),
      );
  }
  return { rows: isps.withCurrency(rows) };
}

function readMonth(db: Db, scope: Scope, from: Seconds, to: Seconds) {
  const { ispId, branchId, salespersonId } = scope;
  const theirs = all(equal("i.branch_id", branchId), equal("i.seller_id", salespersonId));
  const ofIsp = all(equal("i.isp_id", ispId), theirs);
  const read = ({ values }: Condition, sql: string) =>
    db.$client.query<Part, Value[]>(sql).all(...values, from, to);
  const rate = ({ taxName, taxPercent }: Part) => `${taxPercent} ${taxName}`;
  const made = read(
    ofIsp,
    `SELECT ${kept}, count(*) AS invoices, sum(i.amount) AS amount, sum(i.tax) AS tax
     FROM invoices i WHERE ${ofIsp.text} AND ${within("i.created_at")} ${group}`,
  );
  const ofNotes = all(equal("n.isp_id", ispId), theirs);
  const notes = read(
    ofNotes,
    `SELECT ${kept}, 0 AS invoices, sum(n.amount) AS amount, sum(n.tax) AS tax
     FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id
     WHERE ${ofNotes.text} AND ${within("n.created_at")} ${group}`,
  );
  const voided = read(
    ofIsp,
    `SELECT ${kept}, 0 AS invoices, sum(i.amount - ${noted("amount")}) AS amount, sum(i.tax - ${noted("tax")}) AS tax
     FROM invoices i WHERE ${ofIsp.text} AND i.voided_at IS NOT NULL AND ${within("i.voided_at")} ${group}`,
  );
  const back = Map.groupBy([...notes, ...voided], rate);
  const rates = Map.groupBy([...made, ...notes, ...voided], rate);
  return [...rates.values()]
    .flatMap(([one]) => one ?? [])
    .toSorted((one, other) => other.taxPercent - one.taxPercent)
    .map((one) => {
      const issued = made.find((part) => rate(part) === rate(one));
      const parts = back.get(rate(one)) ?? [];
      const sum = (of: "amount" | "tax") => parts.reduce((total, part) => total + part[of], 0);
      const gross = (issued?.amount ?? 0) - sum("amount");
      const tax = (issued?.tax ?? 0) - sum("tax");
      const { taxName, taxPercent } = one;
      const [invoices, invoiced] = [issued?.invoices ?? 0, issued?.amount ?? 0];
      return {
        taxName,
        taxPercent,
        invoices,
        invoiced,
        givenBack: sum("amount"),
        gross,
        net: gross - tax,
        tax,
      };
    });
}
