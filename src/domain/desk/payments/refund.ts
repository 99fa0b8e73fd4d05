import { type Db, type Tx, write } from "../../../../db/open.ts";
import { balanceOf } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { findPayment, type Payment } from "../../money/payments/find.ts";
import { type Payer, requirePayer, type WalletName } from "../../money/payments/payer.ts";
import { auditPayment, recordPayment } from "../../money/payments/record.ts";

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
 * money, which its wallet gets. Throws `not_found`, `invalid`, `forbidden`, `conflict`, and `refused` where the wallet
 * has less.
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
        { code: "insufficient_balance" },
      );
    requireOwnMoney(tx, by, payer, amount);
    const handed = { kind: "refund", amount, method, reference, note } as const;
    const recorded = recordPayment(tx, by, payer, handed, now);
    auditPayment(tx, by, now, { payer, handed, recorded });
    return { payment: findPayment(tx, by.scope, recorded.id), balance: balanceOf(tx, payer.account) };
  });
}

/**
 * A Reseller pays less for a refill or package card than it brings, which is for selling it: what a card brought is not turned into
 * money by handing it back, nor by making void what it activated. Throws `refused`.
 */
function requireOwnMoney({ $client }: Tx, { scope }: Actor, { account, name }: Payer, amount: number): void {
  const { salespersonId } = scope;
  if (salespersonId === null || "staffId" in account) return;
  const { subscriberId } = account;
  const hasCards = $client.query<{ found: number }, [number]>(
    "SELECT 1 AS found FROM cards WHERE redeemed_by = ? LIMIT 1",
  );
  if (hasCards.get(subscriberId) === null) return;
  const most = cashLeft($client, { subscriberId, salespersonId });
  if (amount > most)
    throw new DomainError(
      "refused",
      `cards brought money into the wallet of ${name}; you hand back at most what is left of what you took, ${formatAmount(most)}, and staff of the ISP the rest`,
      { code: "insufficient_balance" },
    );
}

interface RefundBooking {
  readonly subscriberId: number;
  readonly salespersonId: number;
}

interface Entry {
  readonly amount: number;
  readonly balance: number;
  readonly isOwn: 0 | 1;
}

/** What a Reseller took and is still in a wallet, where that was spent first; else what was spent long ago would cover a card. */
function cashLeft($client: Tx["$client"], { subscriberId, salespersonId }: RefundBooking): number {
  const entries = $client
    .query<Entry, [number, number]>(
      `SELECT e.amount, e.balance_after AS balance, p.reseller_id IS ? AS isOwn
       FROM ledger_entries e LEFT JOIN payments p ON p.id = e.payment_id WHERE e.subscriber_id = ? ORDER BY e.id`,
    )
    .all(salespersonId, subscriberId);
  let left = 0;
  for (const { amount, balance, isOwn } of entries) {
    if (isOwn === 1 || amount < 0) left += amount;
    left = Math.max(0, Math.min(left, balance)); // what paid a debt is spent
  }
  return left;
}
