import type { Db } from "../../../../db/open.ts";
import type { packages } from "../../../../db/schema.ts";
import { listShares } from "../../service/activation/activate.ts";
import { findService, type Plan, planSale, type SoldTo } from "../../service/activation/plan.ts";
import { type OutstandingInvoice, openInvoices, openWithoutInvoice } from "../../money/billing/statement.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, may } from "../../core/actor/actor.ts";
import { permissions, permit } from "../../core/actor/permissions.ts";
import { staffById } from "../../people/staff/sign-in.ts";
import { type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import { endAsThawed } from "../../goods/subscribers/frozen.ts";
import { type ProfileStatus, profileStatus } from "../../goods/subscribers/record.ts";
import type { Seconds } from "../../core/time/time.ts";
import { referenceKey } from "../../money/payments/find.ts";
import { type KnownReference, knownReference } from "../../money/payments/record.ts";

export interface DeskInput {
  readonly subscriberId: number;
  /** null: nothing; absent: the profile's. */
  readonly packageId?: number | null | undefined;
  /** Absent: all due. Minor units. */
  readonly amount?: number | undefined;
}

export type DeskPackage = Pick<
  typeof packages.$inferSelect,
  "id" | "name" | "price" | "billingType" | "duration" | "durationUnit" | "rateLimit"
>;

/** An amount and its purpose; 0: covered or on credit. */
interface Suggested {
  readonly amount: number;
  readonly what: "all" | "package" | "owed" | "wallet" | "later";
}

interface DeskSale {
  readonly sold: DeskPackage;
  readonly start: Seconds;
  readonly expiresAt: Seconds;
  /** Starts at the end of the current service. */
  readonly goesOn: boolean;
}

export interface Desk {
  readonly subscriber: Pick<Subscriber, "id" | "ispId" | "name" | "username" | "mobileNumber">;
  readonly status: ProfileStatus;
  readonly expiresAt: Seconds | null;
  readonly currency: string;
  readonly methods: readonly string[];
  readonly balance: number;
  readonly open: readonly OutstandingInvoice[];
  readonly openWithoutInvoice: number;
  readonly packages: readonly DeskPackage[];
  readonly amounts: readonly Suggested[];
  readonly amount: number;
  readonly sale: DeskSale | null;
  /** null: possible, or nothing chosen. */
  readonly refusal: DomainError | null;
  readonly missing: number;
  readonly balanceAfter: number;
  readonly settled: readonly OutstandingInvoice[];
  /** A Reseller's own wallet: now, after, lowest. */
  readonly own: { readonly balance: number; readonly after: number; readonly lowest: number } | null;
}

/** What a payment of a subscriber may be for, and what it would do. Throws `not_found`. */
export function paymentDesk(db: Db, by: Actor, input: DeskInput, { now }: { now: Seconds }): Desk {
  permit(by, "paymentDesk");
  const read = db.$client.transaction(() => {
    const subscriber = subscriberById(db, by.scope, input.subscriberId);
    const { id: subscriberId, ispId, name, username, mobileNumber } = subscriber;
    const service = findService(db, subscriberId);
    const balance = readBalance(db, { subscriberId });
    const known = may(by, permissions.activate) ? packagesFor(db, subscriber) : [];
    const chosen =
      input.packageId === null
        ? undefined
        : known.find(({ id }) => id === (input.packageId ?? subscriber.packageId));
    const amounts = suggestAmounts(balance, chosen);
    const amount = input.amount ?? amounts[0]?.amount ?? 0;
    const open = openInvoices(db, subscriberId);
    const sale = chosen
      ? trySale(db, by, { chosen, amount, now, read: { subscriber, service } })
      : { plan: null, refusal: null };
    const price = sale.plan?.sold.price ?? 0;
    const balanceAfter = balance + amount - price;
    return {
      subscriber: { id: subscriberId, ispId, name, username, mobileNumber },
      status: profileStatus(subscriber.status, service?.expiresAt ?? null, now, service?.frozenAt ?? null),
      expiresAt: service ? endAsThawed(service.expiresAt, service.frozenAt, now) : null,
      currency: setting(db, "currency", ispId),
      methods: setting(db, "payment_methods", ispId).split(", "),
      balance,
      open,
      openWithoutInvoice: openWithoutInvoice(db, subscriberId),
      packages: known,
      amounts,
      amount,
      balanceAfter,
      sale: sale.plan && chosen ? saleView(sale.plan, chosen) : null,
      refusal: sale.refusal,
      missing: chosen?.billingType === "prepaid" ? Math.max(0, chosen.price - balance - amount) : 0,
      settled: settledBy(open, Math.max(0, -balanceAfter) - price),
      own: ownWallet(db, by, { amount, plan: sale.plan, balanceAfter }),
    };
  });
  return read();
}

function packagesFor({ $client }: Db, { ispId, packageId }: Subscriber): DeskPackage[] {
  return $client
    .query<DeskPackage, [number, number]>(
      `SELECT id, name, price, billing_type AS billingType, duration, duration_unit AS durationUnit, rate_limit AS rateLimit
       FROM packages WHERE isp_id = ? AND status = 1 ORDER BY id <> ?, price, id`,
    )
    .all(ispId, packageId);
}

function suggestAmounts(balance: number, chosen: DeskPackage | undefined): Suggested[] {
  const price = chosen?.price ?? 0;
  const suggestions: Suggested[] = [
    { amount: price - balance, what: "all" },
    { amount: price, what: "package" },
    { amount: -balance, what: "owed" },
  ];
  const requested = suggestions.filter(({ amount }) => amount > 0);
  const isOnly = requested.some(({ amount, what }) => what !== "all" && amount === requested[0]?.amount);
  const paid = requested.filter(({ what }) => !(isOnly && what === "all"));
  if (chosen && balance >= price) return [{ amount: 0, what: "wallet" }, ...paid];
  return chosen?.billingType === "postpaid" ? [...paid, { amount: 0, what: "later" }] : paid;
}

/** Sale or refusal; lack of money is shown separately. */
function trySale(
  db: Db,
  by: Actor,
  { read, chosen, amount, now }: { read: SoldTo; chosen: DeskPackage; amount: number; now: Seconds },
): { plan: Plan | null; refusal: DomainError | null } {
  try {
    const activation = { subscriberId: read.subscriber.id, packageId: chosen.id };
    return { plan: planSale(db, by, activation, { now, arriving: amount, read }), refusal: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { plan: null, refusal: error };
  }
}

function saleView({ start, expiresAt, service }: Plan, sold: DeskPackage): DeskSale {
  return { sold, start, expiresAt, goesOn: service !== undefined && start === service.expiresAt };
}

/** Debt lies on the newest charges: the oldest open invoices beyond `left` are settled. */
function settledBy(open: readonly OutstandingInvoice[], left: number): OutstandingInvoice[] {
  let reach = left;
  return open
    .toReversed()
    .filter((invoice) => {
      const isSettled = reach <= 0;
      reach -= invoice.open;
      return isSettled;
    })
    .toReversed();
}

function ownWallet(
  db: Db,
  { scope: { salespersonId } }: Actor,
  { amount, plan, balanceAfter }: { amount: number; plan: Plan | null; balanceAfter: number },
): Desk["own"] {
  if (salespersonId === null) return null;
  const balance = readBalance(db, { staffId: salespersonId });
  const earned = (plan ? listShares(db, plan, balanceAfter) : [])
    .filter(({ staffId, isNow }) => staffId === salespersonId && isNow)
    .reduce((sum, share) => sum + share.amount, 0);
  const lowest = -(staffById(db, salespersonId)?.creditLimit ?? 0);
  return { balance, after: balance - amount + earned, lowest };
}

/** The payment that has the reference already; null: none, or such references are not compared. Throws `not_found`. */
export function referenceUse(
  db: Db,
  by: Actor,
  { subscriberId, method, reference }: { subscriberId: number; method: string; reference: string },
): KnownReference | null {
  permit(by, "referenceUse");
  const { ispId } = subscriberById(db, by.scope, subscriberId);
  const key = referenceKey(reference);
  return key === "" ? null : (knownReference(db, by.scope, { ispId, method, referenceKey: key }) ?? null);
}
