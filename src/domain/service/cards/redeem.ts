import { type Db, type Tx, write } from "../../../../db/open.ts";
import { type Activated, sell } from "../activation/activate.ts";
import type { Package } from "../activation/plan.ts";
import { sellTopUp } from "../activation/top-up.ts";
import { audit } from "../../core/audit/audit.ts";
import { book } from "../../money/billing/book.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit, permitSelf } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { chargeCard } from "./charge.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { countFirstUse } from "./days.ts";
import { tellFirstUse } from "./first-use.ts";
import { planRedeem, type Redeeming, type RedeemPlan } from "./redeem-plan.ts";

export interface Redeemed {
  readonly cardId: number;
  readonly subscriberId: number;
  /** Added to the wallet; a package card spends it at once. */
  readonly credited: number;
  readonly balance: number;
  readonly activated: (Activated & { readonly packageName: string; readonly isTopUp: boolean }) | null;
}

export interface RedeemPreview extends Pick<Redeemed, "cardId" | "subscriberId" | "credited"> {
  readonly balance: number;
  readonly balanceAfter: number;
  readonly activation: {
    readonly packageName: string;
    readonly start: Seconds;
    readonly expiresAt: Seconds;
    /** End of another running package, which would end at once. */
    readonly cutsShort: Seconds | null;
    readonly isTopUp: boolean;
    readonly gives: Pick<Package, "rateLimit" | "dataQuotaBytes" | "duration" | "durationUnit">;
  } | null;
}

interface At {
  readonly now: Seconds;
}

/** Redeems a refill or package card for a subscriber, in one transaction. Throws `not_found`, `CardRefusal`, and what activating throws. */
export function redeemCard(db: Db, by: Actor, redeeming: Redeeming, { now }: At): Redeemed {
  permit(by, "redeemCard");
  return write(db, (tx) => redeem(tx, by, redeeming, now));
}

/** The same by the subscriber itself. */
export function redeemOwn(db: Db, by: Actor, redeeming: Redeeming, { now }: At): Redeemed {
  permitSelf(by, "redeemOwn", redeeming.subscriberId);
  return write(db, (tx) => redeem(tx, by, redeeming, now));
}

/** Previews `redeemCard`. Throws what it would throw. */
export function previewCard(db: Db, by: Actor, redeeming: Redeeming, { now }: At): RedeemPreview {
  permit(by, "previewCard");
  return preview(db, by, redeeming, now);
}

/** The same by the subscriber itself. */
export function previewOwnCard(db: Db, by: Actor, redeeming: Redeeming, { now }: At): RedeemPreview {
  permitSelf(by, "previewOwnCard", redeeming.subscriberId);
  return preview(db, by, redeeming, now);
}

function preview(db: Db, by: Actor, redeeming: Redeeming, now: Seconds): RedeemPreview {
  const read = db.$client.transaction(() => planRedeem(db, by, redeeming, { now }));
  const { card, subscriber, credited, balance, sale, topUp } = read();
  const seen = { cardId: card.id, subscriberId: subscriber.id, credited, balance };
  if (!sale) return { ...seen, balanceAfter: balance + credited, activation: null };
  const { sold, start, expiresAt, service } = sale;
  const isCut = !topUp && service !== undefined && service.packageId !== sold.id && service.expiresAt > now;
  const activation = {
    packageName: sold.name,
    start,
    expiresAt,
    cutsShort: isCut ? service.expiresAt : null,
    gives: topUp
      ? { rateLimit: null, dataQuotaBytes: topUp.bytes, duration: topUp.days, durationUnit: "day" as const }
      : sold,
    isTopUp: topUp !== undefined,
  };
  return { ...seen, balanceAfter: balance + credited - sold.price, activation };
}

function redeem(tx: Tx, by: Actor, redeeming: Redeeming, now: Seconds): Redeemed {
  const plan = planRedeem(tx, by, redeeming, { now });
  const { card, batch, subscriber, credited, sale, topUp } = plan;
  const { id: subscriberId, ispId } = subscriber;
  tx.$client
    .query<unknown, [Seconds, number, number]>(
      "UPDATE cards SET state = 'active', first_used_at = ?, redeemed_by = ? WHERE id = ?",
    )
    .run(now, subscriberId, card.id);
  countFirstUse(tx, card, now);
  tellFirstUse(tx, { cardId: card.id, batchId: batch.id, ispId, at: now, subscriberId }, now);
  if (credited > 0)
    book(
      tx,
      {
        account: { subscriberId },
        ispId,
        amount: credited,
        kind: "card",
        batchId: batch.id,
        cardId: card.id,
        reason: cardNumber(card.id),
      },
      now,
      by,
    );
  const request = sale && { subscriberId, packageId: sale.sold.id };
  const options = { now, marginHolder: batch.resellerId };
  const activated =
    request &&
    (topUp ? { ...sellTopUp(tx, by, request, options), credited: 0 } : sell(tx, by, request, options));
  chargeCard(tx, by, { card, batch }, { now });
  auditRedeem(tx, by, plan, now);
  return {
    cardId: card.id,
    subscriberId,
    credited,
    balance: readBalance(tx, { subscriberId }),
    activated:
      activated && sale ? { ...activated, packageName: sale.sold.name, isTopUp: topUp !== undefined } : null,
  };
}

function auditRedeem(
  tx: Tx,
  by: Actor,
  { card, batch, subscriber, credited, sale }: RedeemPlan,
  now: Seconds,
) {
  audit(tx, by, now, {
    action: "card.redeem",
    entity: "card",
    entityId: card.id,
    ispId: subscriber.ispId,
    after: {
      card: cardNumber(card.id),
      kind: batch.kind,
      batch_id: batch.id,
      subscriber_id: subscriber.id,
      credited: formatAmount(credited),
      ...(sale && { package_id: sale.sold.id, expiration: formatTime(sale.expiresAt) }),
    },
  });
}

export interface OwnCard {
  readonly cardId: number;
  readonly at: Seconds;
  readonly credited: number;
  readonly balance: number;
  readonly packageName: string | null;
  readonly expiresAt: Seconds | null;
}

/** Most cards that a subscriber is shown. */
const LISTED = 10;

export function ownCards(db: Db, by: Actor, subscriberId: number): OwnCard[] {
  permitSelf(by, "ownCards", subscriberId);
  return db.$client
    .query<OwnCard, [number]>(
      `SELECT c.id AS cardId, c.first_used_at AS at, coalesce(e.amount, 0) AS credited, p.name AS packageName,
         i.period_end AS expiresAt, coalesce(sold.balance_after, e.balance_after, 0) AS balance
       FROM cards c JOIN card_batches b ON b.id = c.batch_id LEFT JOIN packages p ON p.id = b.package_id
         LEFT JOIN ledger_entries e ON e.card_id = c.id AND e.subscriber_id = c.redeemed_by AND e.kind = 'card'
         LEFT JOIN ledger_entries sold ON b.kind = 'package' AND sold.kind = 'activation' AND sold.subscriber_id = c.redeemed_by
           AND sold.id > coalesce(e.id, 0) AND sold.created_at = c.first_used_at
         LEFT JOIN invoices i ON i.id = sold.invoice_id
       WHERE c.redeemed_by = ? AND c.first_used_at IS NOT NULL ORDER BY c.first_used_at DESC, c.id DESC LIMIT ${LISTED}`,
    )
    .all(subscriberId);
}

/** Whether an ISP has redeemable cards, so that its portal mentions them. */
export function hasRedeemableCards({ $client }: Db, ispId: number): boolean {
  return (
    $client
      .query<{ found: number }, [number]>(
        "SELECT 1 AS found FROM card_batches WHERE isp_id = ? AND kind IN ('refill', 'package') AND voided_at IS NULL LIMIT 1",
      )
      .get(ispId) !== null
  );
}
