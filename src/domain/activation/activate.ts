import { and, eq } from "drizzle-orm";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { invoices, packages, services, staff, subscribers } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { balanceOf, book } from "../billing/ledger.ts";
import { DomainError } from "../errors.ts";
import { formatAmount } from "../money.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../staff/actor.ts";
import { type Subscriber, subscriberById } from "../subscribers/find.ts";
import { addDuration, formatTime, type Seconds } from "../time.ts";
import { writeService } from "./service.ts";

/** Seconds before the same subscriber can be activated again (interface.md, Limits). */
const REPEAT_WINDOW = 120;
const RESELLER = 3;

type Package = typeof packages.$inferSelect;
type Service = typeof services.$inferSelect;

export interface Activation {
  subscriberId: number;
  packageId: number;
  now: Seconds;
  by: Actor;
}

export interface Activated {
  subscriberId: number;
  packageId: number;
  expiresAt: Seconds;
  /** Minor units. */
  charged: number;
}

/**
 * First activation, renewal or change of package: charges the price and opens the line, in one transaction (interface.md D,
 * decisions.md Packages and activation). Throws not_found, refused, too_soon, in the order that decisions.md gives.
 */
export function activate(db: Db, { subscriberId, packageId, now, by }: Activation): Activated {
  return write(db, (tx) => {
    const subscriber = subscriberById(tx, by.scope, subscriberId);
    const sold = packageOf(tx, subscriber, packageId);
    requireEnabled(subscriber, sold);
    requireRadius(subscriber);
    const seller = sellerOf(tx, subscriber);
    const service = tx.select().from(services).where(eq(services.subscriberId, subscriberId)).get();
    requirePause(service, now);
    requireBalance(tx, subscriber, sold);

    const start =
      service && service.packageId === sold.id && service.expiresAt > now ? service.expiresAt : now;
    const expiresAt = addDuration(start, sold.duration, sold.durationUnit);
    writeService(tx, {
      subscriberId,
      passwordSealed: subscriber.passwordSealed,
      package: sold,
      expiresAt,
      activatedAt: now,
    });
    tx.update(subscribers)
      .set({ packageId: sold.id, updatedAt: now })
      .where(eq(subscribers.id, subscriberId))
      .run();
    charge(tx, { subscriber, sold, seller, start, expiresAt, now, by });
    audit(tx, by, now, {
      action: "subscriber.activate",
      entity: "subscriber",
      entityId: subscriberId,
      ispId: subscriber.ispId,
      before: service && { package_id: service.packageId, expiration: formatTime(service.expiresAt) },
      after: { package_id: sold.id, expiration: formatTime(expiresAt), charged: formatAmount(sold.price) },
    });
    return { subscriberId, packageId: sold.id, expiresAt, charged: sold.price };
  });
}

function packageOf(tx: Tx, { ispId }: Subscriber, packageId: number): Package {
  const found = tx
    .select()
    .from(packages)
    .where(and(eq(packages.id, packageId), eq(packages.ispId, ispId)))
    .get();
  if (!found) throw new DomainError("not_found", `there is no package ${packageId} in the subscriber's ISP`);
  return found;
}

function requireEnabled(subscriber: Subscriber, sold: Package): void {
  if (subscriber.status !== 1)
    throw new DomainError("refused", "the subscriber is disabled; enable it first");
  if (sold.status !== 1)
    throw new DomainError("refused", `the package ${sold.name} is disabled; choose another one`);
}

function requireRadius({ connectionTypeId }: Subscriber): void {
  if (connectionTypeId <= 2) return;
  throw new DomainError(
    "refused",
    `connection type ${connectionTypeId} is not served over RADIUS; only types 1 and 2 can be activated`,
  );
}

/** The salesperson: an enabled Admin or Reseller. */
function sellerOf(tx: Tx, { salespersonId, ispId }: Subscriber): { id: number; isReseller: boolean } {
  const seller =
    salespersonId === null ? undefined : tx.select().from(staff).where(eq(staff.id, salespersonId)).get();
  if (!seller)
    throw new DomainError("refused", "the subscriber has no reseller; set its salesperson_id first");
  const mine = seller.ispId === null || seller.ispId === ispId;
  if (!mine || seller.status !== 1 || (seller.profileType !== 1 && seller.profileType !== RESELLER)) {
    throw new DomainError(
      "refused",
      "the subscriber's reseller is disabled or not a reseller; set another salesperson_id",
    );
  }
  return { id: seller.id, isReseller: seller.profileType === RESELLER };
}

/** A clock that was set back must not lock anybody out, so only the last two minutes count. */
function requirePause(service: Service | undefined, now: Seconds): void {
  if (!service || service.activatedAt === null) return;
  const elapsed = now - service.activatedAt;
  if (elapsed < 0 || elapsed >= REPEAT_WINDOW) return;
  const retryAfter = REPEAT_WINDOW - elapsed;
  throw new DomainError(
    "too_soon",
    `the subscriber was activated ${elapsed} s ago; try again in ${retryAfter} s`,
    {
      retryAfter,
    },
  );
}

function requireBalance(tx: Tx, { id }: Subscriber, { billingType, price }: Package): void {
  if (billingType !== "prepaid") return;
  const balance = balanceOf(tx, { subscriberId: id });
  if (balance >= price) return;
  throw new DomainError(
    "refused",
    `insufficient balance: the package costs ${formatAmount(price)}, the wallet holds ${formatAmount(balance)}; credit the subscriber first`,
  );
}

interface Sale {
  subscriber: Subscriber;
  sold: Package;
  seller: { id: number; isReseller: boolean };
  start: Seconds;
  expiresAt: Seconds;
  now: Seconds;
  by: Actor;
}

/** The invoice, the debit, and the reseller's share. */
function charge(tx: Tx, { subscriber, sold, seller, start, expiresAt, now, by }: Sale): void {
  const { ispId } = subscriber;
  const { id: invoiceId } = tx
    .insert(invoices)
    .values({
      ispId,
      subscriberId: subscriber.id,
      packageId: sold.id,
      packageName: sold.name,
      amount: sold.price,
      currency: setting(tx, "currency", ispId),
      periodStart: start,
      periodEnd: expiresAt,
      createdAt: now,
      paidAt: sold.billingType === "prepaid" ? now : null,
    })
    .returning({ id: invoices.id })
    .get();
  book(
    tx,
    { account: { subscriberId: subscriber.id }, ispId, amount: -sold.price, kind: "activation", invoiceId },
    now,
    by,
  );
  const share = seller.isReseller && sold.resellerPrice !== null ? sold.price - sold.resellerPrice : 0;
  if (share > 0)
    book(
      tx,
      { account: { staffId: seller.id }, ispId, amount: share, kind: "commission", invoiceId },
      now,
      by,
    );
}
