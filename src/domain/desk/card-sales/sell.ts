import { type Db, type Tx, write } from "../../../../db/open.ts";
import { cards, payments } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { actingColumns, append } from "../../money/billing/ledger.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, type PhraseValue } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { findPayment, type Payment } from "../../money/payments/find.ts";
import { recordPayment } from "../../money/payments/record.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { staffById } from "../../people/staff/sign-in.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { findBatch } from "../../service/cards/batch-list.ts";
import { countMoves } from "../../service/cards/days.ts";
import { type CardName, requireCardId } from "../../service/cards/find.ts";
import { type CardRecord, type CardRow, findCardRow } from "../../service/cards/list.ts";
import { requireOwnBranch } from "../../service/cards/reach.ts";

/** Payment for cards. */
export interface Handed {
  /** For staff sales; a reseller's money is its own. */
  readonly method?: string | null | undefined;
  readonly reference?: string | null | undefined;
  readonly note?: string | null | undefined;
}

export interface CardSale extends CardName, Handed {}

/** Cards of a batch by their serials, from the first to the last. */
export interface Strip extends Handed {
  readonly batchId: number;
  readonly first: number;
  readonly last: number;
}

/** Most cards of a sale. */
export const MOST_AT_ONCE = 500;

export interface SoldCard {
  readonly card: CardRecord;
  /** null: sold by a reseller, or free. */
  readonly payment: Payment | null;
}

/**
 * Sells a new card: by staff for money in their till, or by its reseller. Throws as `findCard`; `forbidden` for the ISP's card
 * to accounts of a branch; `conflict` if sold meanwhile; `refused` after its day, for another's card, on the command line, and
 * to a reseller below its limit.
 */
export function sellCard(db: Db, by: Actor, sale: CardSale, { now }: { now: Seconds }): SoldCard {
  permit(by, "sellCard");
  return write(db, (tx) => {
    const card = requireSelling(tx, by, sale, { now });
    if (by.scope.salespersonId !== null) requireWithinLimit(tx, by.scope.salespersonId);
    return sellOne(tx, by, { card, sale }, now);
  });
}

/**
 * Sells a strip, all or none, as `sellCard`: each with its own payment and receipt, so that one can be voided alone. The
 * reference is on the first; others name its receipt. Throws as `sellCard`, and `invalid` for unknown serials.
 */
export function sellCards(db: Db, by: Actor, strip: Strip, { now }: { now: Seconds }): SoldCard[] {
  permit(by, "sellCards");
  return write(db, (tx) => {
    const ids = requireSellingStrip(tx, by, strip, { now });
    if (by.scope.salespersonId !== null) requireWithinLimit(tx, by.scope.salespersonId);
    const { method, reference = null, note = null } = strip;
    const sold: SoldCard[] = [];
    for (const id of ids) {
      const card = findCardRow(tx, by.scope, id, now);
      const receipt = sold[0]?.payment?.number;
      const isRest = reference !== null && receipt !== undefined;
      const restNote = isRest ? [note, `paid with ${receipt}`].filter(Boolean).join("; ") : note;
      const sale = { method, reference: isRest ? null : reference, note: restNote };
      sold.push(sellOne(tx, by, { card, sale }, now));
    }
    return sold;
  });
}

function sellOne(tx: Tx, by: Actor, { card, sale }: Sold, now: Seconds): SoldCard {
  requireNew(card, now);
  const paymentId = takeMoney(tx, by, { card, sale }, now);
  const sold = { state: "sold", soldAt: now, soldBy: by.staffId, salePaymentId: paymentId } as const;
  update(tx, cards, sold, { id: card.id });
  countMoves(tx, { batchId: card.batchId, soldBy: by.staffId }, now, { sold: 1 });
  const payment = paymentId === null ? null : findPayment(tx, by.scope, paymentId);
  audit(tx, by, now, {
    action: "card.sell",
    entity: "card",
    entityId: card.id,
    ispId: card.ispId,
    after: {
      card: cardNumber(card.id),
      price: formatAmount(card.price),
      ...(payment && { number: payment.number, method: payment.method }),
    },
  });
  return { card: findCardRow(tx, by.scope, card.id, now), payment };
}

/** A card that the actor may sell, whatever its state. Throws as `sellCard`. */
export function requireSelling(db: Db, by: Actor, named: CardName, { now }: { now: Seconds }): CardRecord {
  const card = findCardRow(db, by.scope, requireCardId(db, by, named, { now }), now);
  const { id, batchId } = card;
  requireSeller(by, { ...card, id: batchId }, cardNumber(id));
  return card;
}

/** Ids of the cards of a strip that the actor may sell, in order of serials. Throws as `sellCards`. */
export function requireSellingStrip(
  db: Db,
  by: Actor,
  { batchId, first, last }: Pick<Strip, "batchId" | "first" | "last">,
  { now }: { now: Seconds },
): number[] {
  const batch = findBatch(db, by.scope, batchId, now);
  requireSeller(by, batch, phrase`batch ${batchId}`);
  const fault =
    last > batch.quantity
      ? phrase`must not be above the last serial of the batch, ${batch.quantity}`
      : last < first
        ? phrase`must not be below first_serial`
        : last - first >= MOST_AT_ONCE
          ? phrase`must be ${first + MOST_AT_ONCE - 1} at the most: ${MOST_AT_ONCE} cards are sold at once`
          : undefined;
  if (fault !== undefined)
    throw new DomainError("invalid", phrase`last_serial ${fault}`, { fields: { last_serial: [fault] } });
  return db.$client
    .query<{ id: number }, [number, number, number]>(
      "SELECT id FROM cards WHERE batch_id = ? AND serial BETWEEN ? AND ? ORDER BY serial",
    )
    .all(batchId, first, last)
    .map(({ id }) => id);
}

type Held = Pick<CardRow, "id" | "branchId" | "resellerId" | "resellerName">;

/** `what` is the noun of the refusal. */
function requireSeller(by: Actor, { id, branchId, resellerId, resellerName }: Held, what: PhraseValue): void {
  requireOwnBranch(by, { id, branchId });
  if (by.staffId === null)
    throw new DomainError(
      "refused",
      phrase`the command line has no till and sells no cards; sell it in the console, or by the API`,
      { code: "no_till" },
    );
  if (by.scope.salespersonId === null && resellerId !== null)
    throw new DomainError(
      "refused",
      phrase`${resellerName} holds ${what}, sells it and keeps the money; sell cards of another batch`,
      { code: "not_own" },
    );
}

/** Cards charged at use may exceed the limit; then it sells no more. */
function requireWithinLimit(db: Db, resellerId: number): void {
  const balance = readBalance(db, { staffId: resellerId });
  const limit = staffById(db, resellerId)?.creditLimit ?? 0;
  if (balance >= -limit) return;
  throw new DomainError(
    "refused",
    phrase`your wallet is at ${formatAmount(balance)}, below its limit of ${formatAmount(-limit)}; pay into it first, then sell on`,
    { code: "wallet_limit_reached" },
  );
}

function requireNew({ id, state, standing, soldAt, sellerName, sellBy, useBy }: CardRow, now: Seconds): void {
  const number = cardNumber(id);
  if (state === "sold")
    throw new DomainError(
      "conflict",
      phrase`${number} was sold on ${formatTime(soldAt ?? now)}${sellerName === null ? "" : phrase` by ${sellerName}`}; take another card`,
      { code: "card_sold" },
    );
  if (state !== "new")
    throw new DomainError(
      "conflict",
      phrase`${number} is ${state === "void" ? phrase`void` : phrase`in use already`}; take another card`,
    );
  if (standing === "expired")
    throw new DomainError(
      "refused",
      phrase`${number} was to be sold by ${formatTime(sellBy ?? now)}; take one of another batch`,
      { code: "card_expired" },
    );
  // expired by its use-by day
  if (useBy !== null && useBy <= now)
    throw new DomainError(
      "refused",
      phrase`${number} was to be used by ${formatTime(useBy)}; take one of another batch`,
      { code: "card_expired" },
    );
}

interface Sold {
  readonly card: CardRow;
  readonly sale: Handed;
}

/** Payment in and card out of the seller's wallet, which is unchanged. null: no money of the ISP. */
function takeMoney(tx: Tx, by: Actor, { card, sale }: Sold, now: Seconds): number | null {
  const { method, reference = null, note = null } = sale;
  const { id: cardId, batchId, ispId, branchId, price } = card;
  const { actingStaffId: staffId } = actingColumns(by);
  if (by.scope.salespersonId !== null) {
    if (!method) return null;
    throw new DomainError("invalid", phrase`leave method out: what you take for your cards is yours`, {
      fields: { method: [phrase`must be left out by a reseller`] },
    });
  }
  if (price === 0 || staffId === null) return null;
  if (!method)
    throw new DomainError("invalid", phrase`say how it is paid: method`, {
      fields: { method: [phrase`is required`] },
    });
  const account = { staffId };
  const payer = { account, ispId, branchId, name: by.name, packageId: null };
  const handed = { kind: "payment", amount: price, method, reference, note } as const;
  const { id: paymentId } = recordPayment(tx, by, payer, handed, now);
  update(tx, payments, { cardId }, { id: paymentId });
  append(tx, { account, ispId, amount: -price, kind: "card", batchId, cardId }, now, by);
  return paymentId;
}
