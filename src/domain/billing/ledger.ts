import { desc, eq } from "drizzle-orm";
import type { Db, Tx } from "../../../db/open.ts";
import { ledgerEntries } from "../../../db/schema.ts";
import { addAmounts } from "../money.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";

/** Whose money: a subscriber's wallet, or that of a staff account (a reseller's commissions). */
export type Account = { subscriberId: number } | { staffId: number };

export interface Entry {
  account: Account;
  ispId: number | null;
  /** Minor units; negative debits. */
  amount: number;
  kind: (typeof ledgerEntries.$inferInsert)["kind"];
  invoiceId?: number;
}

/** Appends an entry and returns the account's new balance in minor units. */
export function book(tx: Tx, { account, ...entry }: Entry, now: Seconds, by: Actor): number {
  const balanceAfter = addAmounts(balanceOf(tx, account), entry.amount);
  tx.insert(ledgerEntries)
    .values({ ...entry, ...account, balanceAfter, actingStaffId: by.staffId, createdAt: now })
    .run();
  return balanceAfter;
}

/** The balance of an account in minor units: what its newest entry says, 0 without one. */
export function balanceOf(db: Db, account: Account): number {
  const ofAccount =
    "staffId" in account
      ? eq(ledgerEntries.staffId, account.staffId)
      : eq(ledgerEntries.subscriberId, account.subscriberId);
  const newest = db
    .select({ balance: ledgerEntries.balanceAfter })
    .from(ledgerEntries)
    .where(ofAccount)
    .orderBy(desc(ledgerEntries.id))
    .limit(1)
    .get();
  return newest?.balance ?? 0;
}
