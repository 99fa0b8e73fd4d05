import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Dimension, type Divided, ledgerSums, type Only } from "../../money/sums/ledger-sums.ts";
import type { Isps } from "../../money/sums/isps.ts";
import { daysOf, type Range } from "./range.ts";

/** Days of a report that has a row for each of them, and of one by longer times. */
const MOST_BY_DAY = 366;
const MOST = 20 * 366;

export interface SumsFilter extends Range {
  readonly by: readonly Dimension[];
  readonly only?: Only;
}

/** In minor units. */
export interface SalesRow extends Divided {
  /** Prices of what was activated. */
  sold: number;
  /** How many activations. */
  sales: number;
  /** What was given back for time that was not used, and of void invoices. */
  unused: number;
  voided: number;
  /** What is left of `sold`. */
  net: number;
}

/** What was sold, by the days on which that was booked. Throws `invalid`. */
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

/** In minor units. */
export interface CollectionsRow extends Divided {
  /** Money that reached the ISP, from subscribers and as top-ups of resellers; how many payments that were. */
  taken: number;
  payments: number;
  /** What of it was reversed, and what was handed back. */
  reversed: number;
  refunded: number;
  net: number;
  /** What resellers took from subscribers and keep, less what of it was reversed or handed back: no part of the others. */
  byResellers: number;
}

const moneyKinds = ["payment", "reversal", "refund"] as const;

/** What was collected, by the days on which that was booked; by staff it is whose payments they are. Throws `invalid`. */
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

/** Throws `invalid` for a range that is too long for its rows. */
export function daysFor(dimensions: readonly Dimension[], range: Range): { first: number; last: number } {
  return daysOf(range, dimensions.includes("day") ? MOST_BY_DAY : MOST);
}
