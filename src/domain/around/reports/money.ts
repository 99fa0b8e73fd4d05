import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Dimension, type Divided, ledgerSums, type Only } from "../../money/sums/ledger-sums.ts";
import type { Isps } from "../../money/sums/isps.ts";
import { type Range, requireDays } from "./range.ts";

const MOST_BY_DAY = 366;
const MOST = 20 * 366;

export interface SumsFilter extends Range {
  readonly by: readonly Dimension[];
  readonly only?: Only;
}

export interface SalesRow extends Divided {
  sold: number;
  sales: number;
  /** For unused time and void invoices. */
  unused: number;
  voided: number;
  net: number;
}

/** Sales by the day on which they were booked. Throws `invalid`. */
export function reportSales(
  db: Db,
  by: Actor,
  { from, to, by: dimensions, only = {} }: SumsFilter,
  isps?: Isps,
): { rows: SalesRow[] } {
  permit(by, "reportSales");
  const rows = ledgerSums(
    db,
    by.scope,
    {
      days: daysFor(dimensions, { from, to }),
      entries: { subscriber: ["activation", "unused", "void"] },
      only,
      by: dimensions,
      measures: {
        net: "-sum(amount)",
        sold: "-sum(iif(kind = 'activation', amount, 0))",
        sales: "sum(iif(kind = 'activation', entries, 0))",
        unused: "sum(iif(kind = 'unused', amount, 0))",
        voided: "sum(iif(kind = 'void', amount, 0))",
      },
    },
    isps,
  );
  return { rows };
}

export interface CollectionsRow extends Divided {
  /** Received by the ISP, and number. */
  taken: number;
  payments: number;
  /** Reversed and refunded. */
  reversed: number;
  refunded: number;
  net: number;
  byResellers: number;
}

const moneyKinds = ["payment", "reversal", "refund"] as const;

export function reportCollections(
  db: Db,
  by: Actor,
  { from, to, by: dimensions, only = {} }: SumsFilter,
  isps?: Isps,
): { rows: CollectionsRow[] } {
  permit(by, "reportCollections");
  const reached = (kind: string, value: string) => `sum(iif(reached = 1 AND kind = '${kind}', ${value}, 0))`;
  const rows = ledgerSums(
    db,
    by.scope,
    {
      days: daysFor(dimensions, { from, to }),
      entries: { subscriber: moneyKinds, staff: moneyKinds },
      only,
      by: dimensions,
      measures: {
        net: "sum(iif(reached = 1, amount, 0))",
        taken: reached("payment", "amount"),
        payments: reached("payment", "entries"),
        reversed: `-${reached("reversal", "amount")}`,
        refunded: `-${reached("refund", "amount")}`,
        byResellers: "sum(iif(reached = 0 AND account = 'subscriber', amount, 0))",
      },
    },
    isps,
  );
  return { rows };
}

/** Throws `invalid` for too long a range. */
export function daysFor(dimensions: readonly Dimension[], range: Range): { first: number; last: number } {
  return requireDays(range, dimensions.includes("day") ? MOST_BY_DAY : MOST);
}
