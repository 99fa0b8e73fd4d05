import { type Db, type Tx, write } from "../../../../db/open.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { findPayment, type Payment } from "../../money/payments/find.ts";
import { type Payer, requirePayer, type WalletName } from "../../money/payments/payer.ts";
import { auditPayment, recordPayment } from "../../money/payments/record.ts";

export interface Refund extends WalletName {
  readonly amount: number;
  readonly method: string;
  readonly reference?: string | null | undefined;
  readonly note?: string | null | undefined;
}

export interface Booked {
  readonly payment: Payment;
  readonly balance: number;
}

/**
 * Pays out of a wallet. A Reseller pays with its own money, and its wallet is credited. Throws `not_found`, `invalid`,
 * `forbidden`, `conflict`, `refused` for too little.
 */
export function refundPayment(db: Db, by: Actor, refund: Refund, { now }: { now: Seconds }): Booked {
  permit(by, "refundPayment");
  return write(db, (tx) => {
    const payer = requirePayer(tx, by, refund);
    const { amount, method, reference = null, note = null } = refund;
    const held = readBalance(tx, payer.account);
    if (held < amount)
      throw new DomainError(
        "refused",
        phrase`the wallet of ${payer.name} holds ${formatAmount(held)}; hand back at most what it holds`,
        { code: "insufficient_balance" },
      );
    requireOwnMoney(tx, by, payer, amount);
    const handed = { kind: "refund", amount, method, reference, note } as const;
    const recorded = recordPayment(tx, by, payer, handed, now);
    auditPayment(tx, by, now, { payer, handed, recorded });
    return { payment: findPayment(tx, by.scope, recorded.id), balance: readBalance(tx, payer.account) };
  });
}

/** A Reseller buys cards below their value: their money must not be paid out, nor what voids return. Throws `refused`. */
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
      phrase`cards brought money into the wallet of ${name}; you hand back at most what is left of what you took, ${formatAmount(most)}, and staff of the ISP the rest`,
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

/** What a Reseller took, counted as spent first, so that old payments do not cover cards. */
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
