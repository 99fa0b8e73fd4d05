import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { RESELLER } from "../../core/actor/profile-types.ts";
import { Isps } from "../../money/sums/isps.ts";
import { ledgerSums } from "../../money/sums/ledger-sums.ts";
import { daysFor } from "./money.ts";
import type { Range } from "./range.ts";

export interface ResellerRow {
  ispId: number;
  isp: string;
  currency: string;
  resellerId: number;
  reseller: string;
  /** Net of credits, and number. */
  sold: number;
  sales: number;
  commission: number;
  /** Kept, and debited. */
  taken: number;
  cards: number;
  /** Net of payouts. */
  toppedUp: number;
  wallet: number;
  creditLimit: number;
}

/** Throws `invalid`. */
export function reportResellers(
  db: Db,
  by: Actor,
  range: Range,
  isps = new Isps(db),
): { rows: ResellerRow[] } {
  permit(by, "reportResellers");
  const days = daysFor([], range);
  const sold = ledgerSums(
    db,
    by.scope,
    {
      days,
      entries: { subscriber: ["activation", "unused", "void"] },
      by: ["salesperson"],
      measures: { sold: "-sum(amount)", sales: "sum(iif(kind = 'activation', entries, 0))" },
    },
    isps,
  );
  const earned = ledgerSums(
    db,
    by.scope,
    {
      days,
      entries: { staff: ["commission", "transfer", "payment", "reversal", "refund", "card"] },
      by: ["salesperson"],
      measures: {
        commission: "sum(iif(kind = 'commission', amount, 0))",
        taken: "-sum(iif(kind NOT IN ('commission', 'card') AND reached = 0, amount, 0))",
        cards: "-sum(iif(kind = 'card', amount, 0))",
        toppedUp: "sum(iif(reached = 1, amount, 0))",
      },
    },
    isps,
  );
  const rows = resellers(db, by).map((reseller) => {
    const isOwn = (row: { salespersonId: number | null }) => row.salespersonId === reseller.resellerId;
    const { sold: amount = 0, sales = 0 } = sold.find(isOwn) ?? {};
    const { commission = 0, taken = 0, cards = 0, toppedUp = 0 } = earned.find(isOwn) ?? {};
    const wallet = readBalance(db, { staffId: reseller.resellerId });
    return Object.assign(reseller, { sold: amount, sales, commission, taken, cards, toppedUp, wallet });
  });
  return { rows: isps.withCurrency(rows) };
}

type Reseller = Pick<ResellerRow, "ispId" | "isp" | "resellerId" | "reseller" | "creditLimit">;

/** Resellers that the actor sees. One sees itself. */
function resellers({ $client }: Db, { scope: { ispId, branchId, salespersonId } }: Actor): Reseller[] {
  const { text, values } = all(
    equal("staff.isp_id", ispId),
    equal("staff.branch_id", branchId),
    equal("staff.id", salespersonId),
  );
  return $client
    .query<Reseller, Value[]>(
      `SELECT staff.isp_id AS ispId, isps.name AS isp, staff.id AS resellerId, staff.name AS reseller, staff.credit_limit AS creditLimit
       FROM staff JOIN isps ON isps.id = staff.isp_id WHERE staff.profile_type = ${RESELLER} AND ${text}
       ORDER BY staff.isp_id, staff.name, staff.id`,
    )
    .all(...values);
}
