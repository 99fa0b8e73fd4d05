import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { book } from "../billing/book.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { requirePayer, type WalletName } from "../payments/payer.ts";
import { accountName } from "../payments/record.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface Adjustment extends WalletName {
  /** Minor units; negative takes away. */
  readonly amount: number;
  readonly reason: string;
}

export interface Adjusted {
  readonly entryId: number;
  /** Minor units. */
  readonly balance: number;
}

/** Manual correction. Not by Resellers, who could pay it out to themselves. Throws `not_found`, `invalid`, `forbidden`. */
export function adjustWallet(
  db: Db,
  by: Actor,
  { amount, reason, ...named }: Adjustment,
  { now }: { now: Seconds },
): Adjusted {
  permit(by, "adjustWallet");
  return write(db, (tx) => {
    const { account, ispId } = requirePayer(tx, by, named);
    if (by.scope.salespersonId !== null)
      throw new DomainError("forbidden", phrase`a reseller corrects no wallet; ask staff of the ISP`, {
        code: "staff_only",
      });
    const { id, balance } = book(tx, { account, ispId, amount, kind: "adjustment", reason }, now, by);
    audit(tx, by, now, {
      action: "wallet.adjust",
      entity: "entry",
      entityId: id,
      ispId,
      before: { ...accountName(account), balance: formatAmount(balance - amount) },
      after: { ...accountName(account), balance: formatAmount(balance), reason },
    });
    return { entryId: id, balance };
  });
}
