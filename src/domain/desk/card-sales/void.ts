import { type Db, type Tx, write } from "../../../../db/open.ts";
import { cardBatches, cards } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { append } from "../../money/billing/ledger.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { reverseSale } from "../payments/reverse.ts";
import type { Payment } from "../../money/payments/find.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type BatchRecord, findBatch } from "../../service/cards/batch-list.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { countMoves, countVoid } from "../../service/cards/days.ts";
import { type CardRecord, findCardRow } from "../../service/cards/list.ts";
import { requireOwnBranch } from "../../service/cards/reach.ts";
import type { CardBatch } from "../../service/cards/standing.ts";

export interface VoidedCard {
  readonly card: CardRecord;
  readonly payment: Payment | null;
  readonly givenBack: number;
}

export interface VoidedBatch {
  readonly batch: BatchRecord;
  readonly voided: number;
  readonly givenBack: number;
}

interface Reason {
  readonly id: number;
  readonly reason: string;
}

/**
 * Voids a card. An unused one refunds the reseller's charge and reverses the buyer's payment; a used one refunds nothing, and
 * its sessions are to be ended after the commit (`endAllCardSessions`). Throws `not_found`, `forbidden`, `conflict` if void.
 */
export function voidCard(db: Db, by: Actor, { id, reason }: Reason, { now }: { now: Seconds }): VoidedCard {
  permit(by, "voidCard");
  return write(db, (tx) => {
    const card = requireVoiding(tx, by, id, { now });
    if (card.state === "void")
      throw new DomainError(
        "conflict",
        phrase`${cardNumber(id)} is void since ${formatTime(card.voidedAt ?? now)}; nothing is left to do`,
        { code: "already_void" },
      );
    const isUnused = card.state !== "active";
    const { batchId, ispId, salePaymentId, chargedAt } = card;
    const batch = findBatch(tx, by.scope, batchId, now);
    const cardsBack = isUnused && chargedAt !== null ? 1 : 0;
    const givenBack = giveBack(tx, by, { batch, cards: cardsBack, cardId: id }, now);
    const payment =
      isUnused && salePaymentId !== null
        ? refunded(tx, by, { card, paymentId: salePaymentId, reason }, now)
        : null;
    const made = { state: "void", voidedAt: now, voidedBy: by.staffId, voidReason: reason } as const;
    update(tx, cards, { ...made, ...(cardsBack > 0 && { chargedAt: null }) }, { id });
    countVoid(tx, card, now);
    audit(tx, by, now, {
      action: "card.void",
      entity: "card",
      entityId: id,
      ispId,
      before: { state: card.state },
      after: {
        card: cardNumber(id),
        state: "void",
        reason,
        ...(givenBack > 0 && { given_back: formatAmount(givenBack) }),
        ...(payment && { number: payment.number }),
      },
    });
    return { card: findCardRow(tx, by.scope, id, now), payment, givenBack };
  });
}

/**
 * Voids all new cards of a batch and refunds their charges. Sold and used ones stay, because people hold them. Throws
 * `not_found`, `forbidden`, `conflict` without new ones.
 */
export function voidCardBatch(
  db: Db,
  by: Actor,
  { id, reason }: Reason,
  { now }: { now: Seconds },
): VoidedBatch {
  permit(by, "voidCardBatch");
  return write(db, (tx) => {
    const batch = requireVoidingBatch(tx, by, id, { now });
    const { voided, charged } = voidNew(tx, by, { batchId: id, reason }, now);
    if (voided === 0)
      throw new DomainError(
        "conflict",
        phrase`no card of batch ${id} is new any more; make those that were sold void one by one`,
        { code: "already_done" },
      );
    const givenBack = giveBack(tx, by, { batch, cards: charged }, now);
    update(tx, cardBatches, { voidedAt: batch.voidedAt ?? now }, { id });
    audit(tx, by, now, {
      action: "card_batch.void",
      entity: "card_batch",
      entityId: id,
      ispId: batch.ispId,
      after: { cards: voided, reason, ...(givenBack > 0 && { given_back: formatAmount(givenBack) }) },
    });
    return { batch: findBatch(tx, by.scope, id, now), voided, givenBack };
  });
}

/** Whatever its state. Throws `not_found`, `forbidden`. */
export function requireVoiding(db: Db, by: Actor, id: number, { now }: { now: Seconds }): CardRecord {
  const card = findCardRow(db, by.scope, id, now);
  requireOwnBranch(by, { id: card.batchId, branchId: card.branchId });
  return card;
}

/** A batch that the actor may void. */
export function requireVoidingBatch(db: Db, by: Actor, id: number, { now }: { now: Seconds }): BatchRecord {
  const batch = findBatch(db, by.scope, id, now);
  requireOwnBranch(by, batch);
  return batch;
}

interface Left {
  readonly batchId: number;
  readonly reason: string;
}

function voidNew(
  tx: Tx,
  { staffId }: Actor,
  { batchId, reason }: Left,
  now: Seconds,
): { voided: number; charged: number } {
  const charged =
    tx.$client
      .query<{ cards: number }, [number]>(
        `SELECT count(*) AS cards FROM cards WHERE batch_id = ? AND state = 'new' AND charged_at IS NOT NULL`,
      )
      .get(batchId)?.cards ?? 0;
  const { changes: voided } = tx.$client
    .query<unknown, [Seconds, number | null, string, number]>(
      `UPDATE cards SET state = 'void', voided_at = ?, voided_by = ?, void_reason = ?, charged_at = NULL
       WHERE batch_id = ? AND state = 'new'`,
    )
    .run(now, staffId, reason, batchId);
  if (voided > 0) countMoves(tx, { batchId, soldBy: null }, now, { void: voided });
  return { voided, charged };
}

/** Charges for unused cards; minor units. */
function giveBack(
  tx: Tx,
  by: Actor,
  { batch, cards: count, cardId }: { batch: CardBatch; cards: number; cardId?: number },
  now: Seconds,
): number {
  const { id: batchId, ispId, resellerId, resellerPrice } = batch;
  const amount = count * (resellerPrice ?? 0);
  if (resellerId === null || amount === 0) return 0;
  append(tx, { account: { staffId: resellerId }, ispId, amount, kind: "card", batchId, cardId }, now, by);
  return amount;
}

interface Refund {
  readonly card: CardRecord;
  readonly paymentId: number;
  readonly reason: string;
}

/** Payment reversed and card returned; the seller's wallet is unchanged. */
function refunded(tx: Tx, by: Actor, { card, paymentId, reason }: Refund, now: Seconds): Payment {
  const payment = reverseSale(tx, by, { paymentId, reason }, now);
  const { id: cardId, batchId, ispId } = card;
  const account = { staffId: payment.staffId ?? 0 };
  append(tx, { account, ispId, amount: payment.amount, kind: "card", batchId, cardId }, now, by);
  return payment;
}
