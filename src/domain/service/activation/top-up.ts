import { type Db, type Tx, write } from "../../../../db/open.ts";
import { services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { beginWindow } from "../fair-use/begin-windows.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit, permitSelf } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { charge, listShares, type Quote } from "./activate.ts";
import type { AddedByTopUp } from "./unused.ts";
import type { PlanOptions, Service } from "./plan.ts";
import { planTopUp, type TopUp, type TopUpPlan } from "./top-up-plan.ts";

export interface ToppedUp {
  subscriberId: number;
  packageId: number;
  packageName: string;
  invoiceId: number;
  charged: number;
  bytes: number;
  days: number;
  expiresAt: Seconds;
  left: number | null;
}

/** Sells a top-up to a running service, in one transaction. Throws not_found, and refused in the order of `planTopUp`. */
export function topUp(db: Db, by: Actor, input: TopUp, { now }: { now: Seconds }): ToppedUp {
  permit(by, "topUp");
  return write(db, (tx) => sellTopUp(tx, by, input, { now }));
}

/**
 * Self-service at the displayed price from the existing balance. `after` is the newest invoice displayed: a newer one throws
 * `conflict`, so that a form sent twice buys once.
 */
export function topUpOwn(
  db: Db,
  by: Actor,
  { price, after, ...input }: TopUp & { price: number; after: number },
  { now }: { now: Seconds },
): ToppedUp {
  permitSelf(by, "topUpOwn", input.subscriberId);
  return write(db, (tx) => {
    if (findNewestInvoice(tx, input.subscriberId) !== after)
      throw new DomainError(
        "conflict",
        phrase`something was bought since that page was shown; look at it again`,
        {
          code: "stale",
        },
      );
    const done = sellTopUp(tx, by, input, { now });
    if (done.charged !== price)
      throw new DomainError("refused", phrase`the price has changed; look at it again`, {
        code: "price_changed",
      });
    if (readBalance(tx, { subscriberId: input.subscriberId }) < 0)
      throw new DomainError("refused", phrase`the balance does not cover it; pay first`, {
        code: "insufficient_balance",
      });
    return done;
  });
}

export type TopUpQuote = Quote & Pick<TopUpPlan, "bytes" | "days" | "left" | "until" | "rolls">;

/** Previews `topUp`. Throws what it would throw. */
export function quoteTopUp(db: Db, by: Actor, input: TopUp, { now }: { now: Seconds }): TopUpQuote {
  permit(by, "quoteTopUp");
  const read = db.$client.transaction(() => {
    const plan = planTopUp(db, by, input, { now });
    const { subscriber, sold, start, expiresAt, credited, balance, bytes, days, left, until, rolls } = plan;
    const balanceAfter = balance - sold.price;
    const paid = listShares(db, plan, balanceAfter);
    const does = { bytes, days, left, until, rolls };
    return { subscriber, sold, start, expiresAt, credited, balance, balanceAfter, paid, ...does };
  });
  return read();
}

/** The same within a transaction; the caller has checked permissions. */
export function sellTopUp(tx: Tx, by: Actor, input: TopUp, options: PlanOptions): ToppedUp {
  const { now } = options;
  beginWindow(tx, input.subscriberId, now);
  const plan = planTopUp(tx, by, input, options);
  const { subscriber, sold, service, expiresAt, anchor, bytes, days, left, rolls } = plan;
  const { id: subscriberId } = subscriber;
  const later = expiresAt - service.expiresAt;
  update(
    tx,
    services,
    {
      extraBytes: service.extraBytes + bytes,
      rollingBytes: service.rollingBytes + (rolls ? bytes : 0),
      ...(service.quotaTotal > 0 && bytes > 0 && { quotaTotal: service.quotaTotal + bytes }),
      ...(bytes > 0 && isBelow(service, bytes) && { quotaCrossedAt: null }),
      ...(days > 0 && {
        expiresAt,
        anchorDay: anchor?.day ?? null,
        anchorTime: anchor?.time ?? null,
        paidUntil: service.paidUntil === null ? null : service.paidUntil + later,
        renewsFrom: service.renewsFrom === null ? null : service.renewsFrom + later,
      }),
    },
    { subscriberId },
  );
  const added: AddedByTopUp = { bytes, rolls, expiresAt };
  const invoiceId = charge(tx, plan, now, by, added);
  audit(tx, by, now, {
    action: "subscriber.top_up",
    entity: "subscriber",
    entityId: subscriberId,
    ispId: subscriber.ispId,
    after: {
      package_id: sold.id,
      charged: formatAmount(sold.price),
      ...(bytes > 0 && { bytes }),
      ...(days > 0 && { days, expiration: formatTime(expiresAt) }),
    },
  });
  const done = { subscriberId, packageId: sold.id, packageName: sold.name, invoiceId, charged: sold.price };
  return { ...done, bytes, days, expiresAt, left };
}

/** Whether a used-up quota is available again. */
function isBelow({ quotaTotal, quotaUsed }: Service, bytes: number): boolean {
  return quotaTotal > 0 && quotaUsed < quotaTotal + bytes;
}

/** Number of a subscriber's newest invoice; 0: none. */
export function findNewestInvoice({ $client }: Db, subscriberId: number): number {
  const newest = $client
    .query<{ id: number }, [number]>(
      "SELECT id FROM invoices WHERE subscriber_id = ? ORDER BY id DESC LIMIT 1",
    )
    .get(subscriberId);
  return newest?.id ?? 0;
}

export interface TopUpOffer {
  readonly packageId: number;
  readonly name: string;
  readonly price: number;
  readonly bytes: number;
  readonly days: number;
  readonly rolls: 0 | 1;
}

/** Top-ups for a running service, for staff and portal, cheapest first. */
export function topUpOffers(
  { $client }: Db,
  { ispId }: { ispId: number },
  service: Service | undefined,
  now: Seconds,
): TopUpOffer[] {
  if (!service || service.expiresAt <= now || service.frozenAt !== null) return [];
  const hasVolume = service.quotaTotal > 0 || service.tiers !== null;
  return $client
    .query<TopUpOffer, [number]>(
      `SELECT id AS packageId, name, price, top_up_bytes AS bytes, top_up_days AS days, top_up_rolls AS rolls FROM packages
       WHERE isp_id = ? AND status = 1 AND (top_up_bytes > 0 OR top_up_days > 0) ORDER BY price, id`,
    )
    .all(ispId)
    .filter(({ bytes }) => bytes === 0 || hasVolume);
}
