import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { Isps } from "../sums/isps.ts";
import { ledgerSums } from "../sums/ledger-sums.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { RESELLER } from "../../core/actor/profile-types.ts";
import { staffCondition } from "../../core/actor/reach.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

export interface ResellerWallet {
  readonly staffId: number;
  readonly ispId: number;
  readonly currency: string;
  readonly name: string;
  readonly username: string;
  readonly status: number;
  readonly balance: number;
  readonly creditLimit: number;
  readonly commission: number;
}

/** Lowest first; a Reseller sees its own. */
export function resellerWallets(db: Db, by: Actor, { now }: { now: Seconds }): ResellerWallet[] {
  permit(by, "resellerWallets");
  const { text, values } = all(
    { text: "a.profile_type = ? AND a.isp_id IS NOT NULL", values: [RESELLER] },
    staffCondition(by.scope),
  );
  const rows = db.$client
    .query<Omit<ResellerWallet, "balance" | "commission" | "currency">, Value[]>(
      `SELECT a.id AS staffId, a.isp_id AS ispId, a.name, a.username, a.status, a.credit_limit AS creditLimit
       FROM staff a WHERE ${text} ORDER BY a.name COLLATE NOCASE, a.id`,
    )
    .all(...values);
  const isps = new Isps(db);
  const today = localDay(now);
  const earned = ledgerSums(
    db,
    by.scope,
    {
      days: { first: Math.floor(today / 100) * 100 + 1, last: today },
      entries: { staff: ["commission"] },
      by: ["salesperson"],
      measures: { commission: "sum(amount)" },
    },
    isps,
  );
  const commissions = new Map(earned.map(({ salespersonId, commission }) => [salespersonId, commission]));
  const wallets = rows.map((row) =>
    Object.assign(row, {
      balance: readBalance(db, { staffId: row.staffId }),
      commission: commissions.get(row.staffId) ?? 0,
    }),
  );
  return isps.withCurrency(wallets).sort((a, b) => a.balance - b.balance);
}
