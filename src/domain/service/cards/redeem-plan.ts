import { selectColumns } from "../../../../db/columns.ts";
import type { Db } from "../../../../db/open.ts";
import { cards } from "../../../../db/schema.ts";
import { isTopUp } from "../../goods/packages/top-up.ts";
import { type Package, type Plan, planSale } from "../activation/plan.ts";
import { planTopUp, type TopUpPlan } from "../activation/top-up-plan.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireFlag } from "../../core/actor/actor.ts";
import { permissions } from "../../core/actor/permissions.ts";
import { type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { storedBatch } from "./batches.ts";
import { CodeKeys, normalCode } from "../../goods/codes/codes.ts";
import { CardRefusal } from "./refusal.ts";
import { type Card, type CardBatch, standingOf } from "./standing.ts";

export interface Redeeming {
  readonly subscriberId: number;
  readonly code: string;
}

export interface RedeemPlan {
  readonly subscriber: Subscriber;
  readonly card: Card;
  readonly batch: CardBatch;
  readonly credited: number;
  readonly balance: number;
  readonly sale: Plan | TopUpPlan | undefined;
  readonly topUp: TopUpPlan | undefined;
}

/** Longest input that is looked up, with separators. */
export const MAX_LENGTH = 100;

/**
 * Plans redeeming, for all who redeem or preview. Throws `CardRefusal` for the card's faults, `refused` for a disabled
 * subscriber in self-service, and for a package card what `planSale` throws; staff need the permission to activate for that.
 */
export function planRedeem(
  db: Db,
  by: Actor,
  { subscriberId, code }: Redeeming,
  { now }: { now: Seconds },
): RedeemPlan {
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const { card, batch } = usable(db, subscriber, code, now);
  if (by.subscriberId !== null && subscriber.status !== 1)
    throw new DomainError(
      "refused",
      phrase`the account is disabled, and the card is not used; ask the provider`,
      {
        code: "subscriber_disabled",
      },
    );
  const balance = readBalance(db, { subscriberId });
  const { packageId } = batch;
  if (packageId === null)
    return { subscriber, card, batch, credited: batch.price, balance, sale: undefined, topUp: undefined };
  if (by.subscriberId === null) requireFlag(by, permissions.activate);
  const sold = soldBy(db, packageId);
  const options = { now, arriving: sold.price, marginHolder: batch.resellerId };
  const request = { subscriberId, packageId };
  const topUp = isTopUp(sold) ? planTopUp(db, by, request, options) : undefined;
  const sale = topUp ?? planSale(db, by, request, options);
  return { subscriber, card, batch, credited: sold.price, balance, sale, topUp };
}

const selectCard = `SELECT ${selectColumns(cards, "c")} FROM cards c WHERE c.code_key = ?`;
type Sealed = typeof cards.$inferSelect;

/** The card, if this subscriber can redeem it now. An unknown code takes as long as a known one. */
function usable(
  db: Db,
  subscriber: Subscriber,
  code: string,
  now: Seconds,
): Pick<RedeemPlan, "card" | "batch"> {
  const key = new CodeKeys(db.vault).of(normalCode(code.slice(0, MAX_LENGTH)));
  const card = db.$client.query<Sealed, [Buffer]>(selectCard).get(key);
  const batch = card ? storedBatch(db, card.batchId) : undefined;
  if (!card || batch?.ispId !== subscriber.ispId) throw new CardRefusal("unknown");
  const about = { cardId: card.id };
  if (batch.kind === "access") throw new CardRefusal("access", about);
  if (batch.branchId !== null && batch.branchId !== subscriber.branchId)
    throw new CardRefusal("branch", about);
  switch (standingOf(card, batch, now)) {
    case "void":
      throw new CardRefusal("void", about);
    case "active":
    case "used_up":
      throw new CardRefusal("used", {
        ...about,
        at: card.firstUsedAt,
        isOwn: card.redeemedBy === subscriber.id,
      });
    case "expired":
      throw new CardRefusal("expired", { ...about, at: card.state === "new" ? batch.sellBy : batch.useBy });
    case "new":
      if (batch.needsSale === 1) throw new CardRefusal("unsold", about);
      return { card, batch };
    case "sold":
      return { card, batch };
  }
}

function soldBy({ $client }: Db, packageId: number): Pick<Package, "price" | "topUpBytes" | "topUpDays"> {
  const sold = $client
    .query<Pick<Package, "price" | "topUpBytes" | "topUpDays">, [number]>(
      "SELECT price, top_up_bytes AS topUpBytes, top_up_days AS topUpDays FROM packages WHERE id = ?",
    )
    .get(packageId);
  if (!sold) throw new Error(`there is no package ${packageId}`);
  return sold;
}
