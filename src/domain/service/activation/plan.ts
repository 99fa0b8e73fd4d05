import { selectColumns } from "../../../../db/columns.ts";
import type { Db } from "../../../../db/open.ts";
import { packages, services } from "../../../../db/schema.ts";
import { requireRoom } from "../../goods/address-pools/give.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { isTopUp } from "../../goods/packages/top-up.ts";
import { ENABLED } from "../../people/staff/accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { RESELLER } from "../../core/actor/profile-types.ts";
import { isSalesperson } from "../../people/staff/rules.ts";
import { staffById } from "../../people/staff/sign-in.ts";
import { requireRadius } from "../../goods/subscribers/connection-types.ts";
import { type ReadSubscriber, type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import { requireThawed } from "../../goods/subscribers/frozen.ts";
import { addDuration, type Anchor, formatTime, type Seconds, yearsAhead } from "../../core/time/time.ts";
import { anchorOf } from "./service.ts";
import { listUnused, type Unused } from "./unused.ts";

/** Seconds before the same subscriber can be activated again. */
const REPEAT_WINDOW = 120;
/** Longest prepayment of a service. */
export const MAX_YEARS = 10;

export type Package = typeof packages.$inferSelect;
const SEALED = ["passwordSealed", "ntHashSealed"] as const;
export type Service = Omit<typeof services.$inferSelect, (typeof SEALED)[number]>;

const selectPackage = `SELECT ${selectColumns(packages, "p")} FROM packages p WHERE p.id = ? AND p.isp_id = ?`;
const selectService = `SELECT ${selectColumns(services, "v", SEALED)} FROM services v WHERE v.subscriber_id = ?`;

export interface Activation {
  subscriberId: number;
  packageId: number;
  /** Whether unused paid periods are credited; a renewal has none. */
  creditUnused?: boolean | undefined;
}

export interface PlanOptions {
  now: Seconds;
  /** Automatic renewal: a missing salesperson does not stop it, and postpaid debt is limited. */
  byItself?: boolean;
  /** The wallet has to cover a postpaid package too: nobody has decided to lend. */
  mustCover?: boolean;
  /** Paid into the wallet first, in minor units. */
  arriving?: number;
  /** The Reseller with the margin of the card used, who gets no further commission. */
  marginHolder?: number | null;
  /** The subscriber, when already read in the same transaction. */
  read?: SoldTo | undefined;
}

export interface SoldTo<Read = Subscriber> {
  readonly subscriber: Read;
  readonly service: Service | undefined;
}

/** Who gets the commission; `id` is null and `remark` says why when an automatic renewal has none. */
export interface Seller {
  readonly id: number | null;
  readonly name: string;
  readonly isReseller: boolean;
  readonly remark?: string;
}

export interface Plan<Read = Subscriber> {
  readonly subscriber: Read;
  readonly sold: Package;
  readonly seller: Seller;
  readonly service: Service | undefined;
  readonly start: Seconds;
  readonly expiresAt: Seconds;
  /** Of the invoice, when not the service's end. */
  readonly periodEnd?: Seconds;
  readonly anchor: Anchor | null;
  /** Credits for periods that end now. */
  readonly unused: readonly Unused[];
  readonly credited: number;
  readonly balance: number;
  readonly commission: number;
}

/** Plans an activation, for all who activate or preview. Throws not_found, refused, too_soon in the order of the checks. */
export function planSale(db: Db, by: Actor, activation: Activation, { read, ...options }: PlanOptions): Plan {
  const { subscriberId } = activation;
  const to = read ?? {
    subscriber: subscriberById(db, by.scope, subscriberId),
    service: findService(db, subscriberId),
  };
  return planFor(db, to, activation, options);
}

export function planFor<Read extends ReadSubscriber>(
  db: Db,
  { subscriber, service }: SoldTo<Read>,
  { packageId, creditUnused = false }: Activation,
  { now, byItself = false, mustCover = false, arriving = 0, marginHolder = null }: Omit<PlanOptions, "read">,
): Plan<Read> {
  const subscriberId = subscriber.id;
  const sold = findPackage(db, subscriber, packageId);
  requireEnabled(subscriber, sold);
  if (isTopUp(sold))
    throw new DomainError(
      "refused",
      phrase`${sold.name} is a top-up of a service that runs; sell it by activation/top_up`,
      { code: "is_top_up" },
    );
  requireThawed(service);
  requireRadius(subscriber, phrase`can be activated`);
  const seller = byItself ? sellerIfAny(db, subscriber) : requireSeller(db, subscriber);
  requirePause(service, now);
  const isChange = service !== undefined && service.packageId !== sold.id;
  const unused = creditUnused && isChange ? listUnused(db, service, now) : [];
  const credited = unused.reduce((sum, { amount }) => sum + amount, 0);
  const balance = readBalance(db, { subscriberId }) + arriving;
  requireBalance(sold, { balance, credited, mustCover });
  if (byItself) requireWithinLimit(subscriber, sold, balance);
  const commission = seller.id !== null && seller.id === marginHolder ? 0 : commissionOf(seller, sold);
  const period = planPeriod(service, sold, now);
  requireRoom(db, subscriberId, sold);
  return { subscriber, sold, seller, service, ...period, unused, credited, balance, commission };
}

export function commissionOf({ isReseller }: Seller, { price, resellerPrice }: Package): number {
  return isReseller && resellerPrice !== null ? Math.max(0, price - resellerPrice) : 0;
}

export function findService({ $client }: Db, subscriberId: number): Service | undefined {
  return $client.query<Service, [number]>(selectService).get(subscriberId) ?? undefined;
}

export function findPackage({ $client }: Db, { ispId }: ReadSubscriber, packageId: number): Package {
  const found = $client.query<Package, [number, number]>(selectPackage).get(packageId, ispId);
  if (!found)
    throw new DomainError("not_found", phrase`there is no package ${packageId} in the subscriber's ISP`, {
      param: "package_id",
    });
  return found;
}

export function requireEnabled(subscriber: ReadSubscriber, sold: Package): void {
  if (subscriber.status !== 1)
    throw new DomainError("refused", phrase`the subscriber is disabled; enable it first`, {
      code: "subscriber_disabled",
    });
  if (sold.status !== 1)
    throw new DomainError("refused", phrase`the package ${sold.name} is disabled; choose another one`, {
      code: "package_disabled",
    });
}

/** The salesperson, whose account has to be enabled. */
export function requireSeller(db: Db, { salespersonId, ispId }: ReadSubscriber): Seller {
  const seller = salespersonId === null ? undefined : staffById(db, salespersonId);
  if (!seller)
    throw new DomainError("refused", phrase`the subscriber has no reseller; set its salesperson_id first`, {
      code: "no_reseller",
    });
  if (seller.status !== ENABLED || !isSalesperson(seller, ispId)) {
    throw new DomainError(
      "refused",
      phrase`the subscriber's reseller is disabled or not a reseller; set another salesperson_id`,
      { code: "no_reseller" },
    );
  }
  return { id: seller.id, name: seller.name, isReseller: seller.profileType === RESELLER };
}

function sellerIfAny(db: Db, subscriber: ReadSubscriber): Seller {
  try {
    return requireSeller(db, subscriber);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { id: null, name: "", isReseller: false, remark: `no commission: ${error.message}` };
  }
}

/** The wallet does not cover a prepaid package. */
export class BalanceTooLow extends DomainError {}

/** Throws within two minutes of an activation; one in the future, by a clock that was set back, blocks nobody. */
function requirePause(service: Service | undefined, now: Seconds): void {
  if (!service || service.activatedAt === null) return;
  const elapsed = now - service.activatedAt;
  if (elapsed < 0 || elapsed >= REPEAT_WINDOW) return;
  const retryAfter = REPEAT_WINDOW - elapsed;
  throw new DomainError(
    "too_soon",
    phrase`the subscriber was activated ${elapsed} s ago; try again in ${retryAfter} s`,
    {
      retryAfter,
    },
  );
}

export function requireBalance(
  { billingType, price }: Package,
  { balance, credited, mustCover = false }: { balance: number; credited: number; mustCover?: boolean },
): void {
  if ((billingType !== "prepaid" && !mustCover) || balance + credited >= price) return;
  const unused = credited === 0 ? "" : phrase` and ${formatAmount(credited)} of what was unused`;
  throw new BalanceTooLow(
    "refused",
    phrase`insufficient balance: the package costs ${formatAmount(price)}, the wallet holds ${formatAmount(balance)}${unused}; credit the subscriber first`,
    { code: "insufficient_balance" },
  );
}

/** Postpaid subscribers renew automatically up to their debt limit. */
function requireWithinLimit(
  { creditLimit }: ReadSubscriber,
  { billingType, price }: Package,
  balance: number,
): void {
  const limit = creditLimit ?? price;
  if (billingType !== "postpaid" || -balance <= limit) return;
  throw new DomainError(
    "refused",
    phrase`${formatAmount(-balance)} are owed already, more than the limit of ${formatAmount(limit)}; take a payment, raise its credit_limit, or activate it by hand`,
    { code: "credit_limit_reached" },
  );
}

/**
 * The same package continues from its end, keeping its day and hour; everything else starts now. Time used on trust is
 * deducted: while it lasts, the renewal starts where it began, afterwards now minus its length; a period that would be over
 * already starts now. Throws refused for an end too far ahead.
 */
function planPeriod(service: Service | undefined, sold: Package, now: Seconds) {
  const renewed = service?.packageId === sold.id ? service : undefined;
  const isRunning = renewed !== undefined && renewed.expiresAt > now;
  const onTrust = renewed && renewed.renewsFrom !== null ? renewed.expiresAt - renewed.renewsFrom : 0;
  const duration = { count: sold.duration, unit: sold.durationUnit };
  const period = (start: Seconds, anchor: Anchor | null) => {
    const { end: expiresAt, anchor: next } = addDuration(start, duration, anchor);
    return { start, expiresAt, anchor: next };
  };
  const term = isRunning
    ? period(renewed.expiresAt - onTrust, anchorOf(renewed))
    : period(now - onTrust, null);
  const planned = term.expiresAt > now ? term : period(now, null);
  const latest = yearsAhead(now, MAX_YEARS);
  if (planned.expiresAt <= latest) return planned;
  throw new DomainError(
    "refused",
    phrase`the service would end more than ${MAX_YEARS} years from now, after ${formatTime(latest)}; ${isRunning ? phrase`renew it later` : phrase`choose a shorter package`}`,
    { code: "end_too_far" },
  );
}
