import { type Db, write } from "../../../db/open.ts";
import { balanceOf } from "../billing/ledger.ts";
import { DomainError } from "../errors.ts";
import { formatAmount } from "../money.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { findPayment, type Payment } from "./find.ts";
import { requirePayer, type WalletName } from "./payer.ts";
import { auditPayment, recordPayment } from "./record.ts";

export interface Refund extends WalletName {
  /** Minor units, above 0. */
  readonly amount: number;
  readonly method: string;
  readonly reference?: string | null | undefined;
  readonly note?: string | null | undefined;
}

export interface Booked {
  readonly payment: Payment;
  /** Of the wallet, in minor units. */
  readonly balance: number;
}

/**
 * Hands money back from a wallet that holds it: a subscriber's, or a Reseller's (a payout). What a Reseller hands back is its own
 * money, which its wallet gets. Throws `not_found`, `invalid`, `forbidden`, `conflict`, and `refused` where the wallet has less.
 */
export function refundPayment(db: Db, by: Actor, refund: Refund, { now }: { now: Seconds }): Booked {
  permit(by, "refundPayment");
  return write(db, (tx) => {
    const payer = requirePayer(tx, by, refund);
    const { amount, method, reference = null, note = null } = refund;
    const held = balanceOf(tx, payer.account);
    if (held < amount)
      throw new DomainError(
        "refused",
        `the wallet of ${payer.name} holds ${formatAmount(held)}; hand back at most what it holds`,
      );
    const handed = { kind: "refund", amount, method, reference, note } as const;
    const recorded = recordPayment(tx, by, payer, handed, now);
    auditPayment(tx, by, now, { payer, handed, recorded });
    return { payment: findPayment(tx, by.scope, recorded.id), balance: balanceOf(tx, payer.account) };
  });
}
