import { columnsOf } from "../../../db/columns.ts";
import { insert } from "../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { invoices, packages, services } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { book } from "../billing/book.ts";
import { balanceOf } from "../billing/ledger.ts";
import { DomainError } from "../errors.ts";
import { formatAmount } from "../money.ts";
import { nextNumber } from "../billing/numbers.ts";
import { taxIn, taxOf } from "../billing/tax.ts";
import { setting } from "../settings/settings.ts";
import { ENABLED } from "../staff/accounts.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { RESELLER } from "../staff/profile-types.ts";
import { isSalesperson } from "../staff/rules.ts";
import { staffById } from "../staff/sign-in.ts";
import { requireRadius } from "../subscribers/connection-types.ts";
import { type Subscriber, subscriberById } from "../subscribers/find.ts";
import { addDuration, formatTime, type Seconds, yearsAhead } from "../time.ts";
import { anchorOf, writeService } from "./service.ts";

/** Seconds before the same subscriber can be activated again. */
const REPEAT_WINDOW = 120;
/** How far ahead a service can be sold. */
const MAX_YEARS = 10;

type Package = typeof packages.$inferSelect;
const SEALED = ["passwordSealed", "ntHashSealed"] as const;
type Service = Omit<typeof services.$inferSelect, (typeof SEALED)[number]>;

const selectPackage = `SELECT ${columnsOf(packages, "p")} FROM packages p WHERE p.id = ? AND p.isp_id = ?`;
const selectService = `SELECT ${columnsOf(services, "v", SEALED)} FROM services v WHERE v.subscriber_id = ?`;

export interface Activation {
  subscriberId: number;
  packageId: number;
}

export interface Activated {
  subscriberId: number;
  packageId: number;
  expiresAt: Seconds;
  /** Minor units. */
  charged: number;
  invoiceId: number;
}

/**
 * First activation, renewal or change of package: charges the price and opens the line, in one transaction. Throws
 * not_found, refused, too_soon, in the order of the checks below.
 */
export function activate(
  db: Db,
  by: Actor,
  { subscriberId, packageId }: Activation,
  { now }: { now: Seconds },
): Activated {
  permit(by, "activate");
  return write(db, (tx) => sell(tx, by, { subscriberId, packageId }, { now }));
}

/** The same within a transaction, for staff and for a subscriber who renews by itself; who calls it has checked which. */
export function sell(
  tx: Tx,
  by: Actor,
  { subscriberId, packageId }: Activation,
  { now }: { now: Seconds },
): Activated {
  const subscriber = subscriberById(tx, by.scope, subscriberId);
  const sold = packageOf(tx, subscriber, packageId);
  requireEnabled(subscriber, sold);
  requireRadius(subscriber, "can be activated");
  const seller = sellerOf(tx, subscriber);
  const service = tx.$client.query<Service, [number]>(selectService).get(subscriberId) ?? undefined;
  requirePause(service, now);
  requireBalance(tx, subscriber, sold);

  const { start, expiresAt, anchor } = periodOf(service, sold, now);
  writeService(tx, {
    subscriberId,
    passwordSealed: subscriber.passwordSealed,
    package: sold,
    expiresAt,
    activatedAt: now,
    anchor,
  });
  tx.$client
    .query("UPDATE subscribers SET package_id = ?, updated_at = ? WHERE id = ?")
    .run(sold.id, now, subscriberId);
  const invoiceId = charge(tx, { subscriber, sold, seller, service, start, expiresAt, now, by });
  audit(tx, by, now, {
    action: "subscriber.activate",
    entity: "subscriber",
    entityId: subscriberId,
    ispId: subscriber.ispId,
    before: service && { package_id: service.packageId, expiration: formatTime(service.expiresAt) },
    after: { package_id: sold.id, expiration: formatTime(expiresAt), charged: formatAmount(sold.price) },
  });
  return { subscriberId, packageId: sold.id, expiresAt, charged: sold.price, invoiceId };
}

function packageOf(tx: Tx, { ispId }: Subscriber, packageId: number): Package {
  const found = tx.$client.query<Package, [number, number]>(selectPackage).get(packageId, ispId);
  if (!found) throw new DomainError("not_found", `there is no package ${packageId} in the subscriber's ISP`);
  return found;
}

function requireEnabled(subscriber: Subscriber, sold: Package): void {
  if (subscriber.status !== 1)
    throw new DomainError("refused", "the subscriber is disabled; enable it first");
  if (sold.status !== 1)
    throw new DomainError("refused", `the package ${sold.name} is disabled; choose another one`);
}

/** The salesperson, whose account has to be enabled. */
function sellerOf(tx: Tx, { salespersonId, ispId }: Subscriber): { id: number; isReseller: boolean } {
  const seller = salespersonId === null ? undefined : staffById(tx, salespersonId);
  if (!seller)
    throw new DomainError("refused", "the subscriber has no reseller; set its salesperson_id first");
  if (seller.status !== ENABLED || !isSalesperson(seller, ispId)) {
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

/**
 * The unexpired service's own package goes on from where it ends, by the day and hour that it remembers; everything else
 * counts from now. Throws refused for an end that is too far ahead.
 */
function periodOf(service: Service | undefined, sold: Package, now: Seconds) {
  const renewed = service && service.packageId === sold.id && service.expiresAt > now ? service : undefined;
  const start = renewed?.expiresAt ?? now;
  const duration = { count: sold.duration, unit: sold.durationUnit };
  const { end: expiresAt, anchor } = addDuration(start, duration, renewed && anchorOf(renewed));
  const latest = yearsAhead(now, MAX_YEARS);
  if (expiresAt <= latest) return { start, expiresAt, anchor };
  throw new DomainError(
    "refused",
    `the service would end more than ${MAX_YEARS} years from now, after ${formatTime(latest)}; ${renewed ? "renew it later" : "choose a shorter package"}`,
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
  /** As it was before. */
  service: Service | undefined;
  start: Seconds;
  expiresAt: Seconds;
  now: Seconds;
  by: Actor;
}

/** The invoice with the reseller's share on it, and the debit, which settles the invoice as far as the wallet reaches. Returns its id. */
function charge(tx: Tx, { subscriber, sold, seller, service, start, expiresAt, now, by }: Sale): number {
  const { ispId } = subscriber;
  const tax = taxOf(tx, ispId);
  const invoiceId = insert(tx, invoices, {
    ispId,
    number: nextNumber(tx, ispId, "I", now),
    subscriberId: subscriber.id,
    branchId: subscriber.branchId,
    areaId: subscriber.areaId,
    packageId: sold.id,
    packageName: sold.name,
    amount: sold.price,
    currency: setting(tx, "currency", ispId),
    ...tax,
    tax: taxIn(sold.price, tax.taxPercent),
    periodStart: start,
    periodEnd: expiresAt,
    createdAt: now,
    open: sold.price,
    sellerId: seller.id,
    commission: commissionOf(seller, sold),
    serviceBefore: JSON.stringify(service ?? null),
  });
  book(
    tx,
    { account: { subscriberId: subscriber.id }, ispId, amount: -sold.price, kind: "activation", invoiceId },
    now,
    by,
  );
  return invoiceId;
}

function commissionOf({ isReseller }: Sale["seller"], { price, resellerPrice }: Package): number {
  return isReseller && resellerPrice !== null ? Math.max(0, price - resellerPrice) : 0;
}
