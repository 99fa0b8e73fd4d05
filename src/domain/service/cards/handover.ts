import type { Tx } from "../../../../db/open.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { append } from "../../money/billing/ledger.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { CardBatch } from "./standing.ts";

/** Charges a reseller for a batch paid at handover. Throws `refused` beyond wallet and credit limit. */
export function chargeHandover(tx: Tx, by: Actor, batch: CardBatch, now: Seconds): void {
  const { id, ispId, resellerId, resellerPrice, chargeOn, quantity } = batch;
  if (resellerId === null || resellerPrice === null || chargeOn !== "handover") return;
  const total = resellerPrice * quantity;
  const account = { staffId: resellerId };
  const limit =
    tx.$client
      .query<{ creditLimit: number }, [number]>("SELECT credit_limit AS creditLimit FROM staff WHERE id = ?")
      .get(resellerId)?.creditLimit ?? 0;
  const left = readBalance(tx, account) + limit;
  if (total > left)
    throw new DomainError(
      "refused",
      phrase`the batch costs the reseller ${formatAmount(total)}, and the wallet reaches for ${formatAmount(left)}; take a payment first, or charge each card when it is used`,
      { code: "insufficient_balance" },
    );
  if (total > 0) append(tx, { account, ispId, amount: -total, kind: "card", batchId: id }, now, by);
  tx.$client
    .query<unknown, [Seconds, number]>("UPDATE cards SET charged_at = ? WHERE batch_id = ?")
    .run(now, id);
}
