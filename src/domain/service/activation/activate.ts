import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { invoices } from "../../../../db/schema.ts";
import { giveAddresses } from "../../goods/address-pools/give.ts";
import { audit } from "../../core/audit/audit.ts";
import { book } from "../../money/billing/book.ts";
import { commissionDue } from "../../money/billing/commission.ts";
import { announceEnded } from "../../core/events/ended.ts";
import { announceInvoice } from "../../core/events/invoices.ts";
import { carriedOver, countersAt } from "../fair-use/terms.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { nextNumber } from "../../money/billing/numbers.ts";
import { readTax, taxIn } from "../../goods/tax/tax.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { staffById } from "../../people/staff/sign-in.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type ReadSubscriber, subscriberIn } from "../../goods/subscribers/find.ts";
import {
  type Activation,
  type Plan,
  planFor,
  planSale,
  type PlanOptions,
  type Service,
  findService,
  type SoldTo,
} from "./plan.ts";
import { writeService } from "./service.ts";
import { type Before, writeBefore } from "./before.ts";
import { type AddedByTopUp, creditUnused, givenBack } from "./unused.ts";

export interface Activated {
  subscriberId: number;
  packageId: number;
  expiresAt: Seconds;
  /** Minor units. */
  charged: number;
  /** Minor units credited for ended periods. */
  credited: number;
  invoiceId: number;
  /** A note when it differs from what was expected. */
  remark?: string | undefined;
}

/**
 * First activation, renewal or change of package: charges the price and activates, in one transaction. Throws not_found,
 * refused, too_soon, in the order of `planSale`.
 */
export function activate(db: Db, by: Actor, activation: Activation, { now }: { now: Seconds }): Activated {
  permit(by, "activate");
  return write(db, (tx) => sell(tx, by, activation, { now }));
}

/** The same within a transaction, for staff and self-renewal; the caller has checked permissions. */
export function sell(tx: Tx, by: Actor, activation: Activation, options: PlanOptions): Activated {
  const plan = planSale(tx, by, activation, options);
  const { now } = options;
  const { subscriber, sold, service, expiresAt, anchor, unused, credited, seller } = plan;
  const { id: subscriberId } = subscriber;
  if (service) announceEnded(tx, now, { ...service, subscriberId, ispId: subscriber.ispId });
  creditUnused(tx, unused, subscriberId, now, by);
  writeService(tx, {
    subscriberId,
    passwordSealed: subscriber.passwordSealed,
    package: sold,
    expiresAt,
    activatedAt: now,
    anchor,
    rolledOver: service === undefined ? 0 : rolledOver(service, now),
  });
  tx.$client
    .query("UPDATE subscribers SET package_id = ?, updated_at = ? WHERE id = ?")
    .run(sold.id, now, subscriberId);
  giveAddresses(tx, subscriberId, sold);
  const invoiceId = charge(tx, plan, now, by);
  audit(tx, by, now, {
    action: "subscriber.activate",
    entity: "subscriber",
    entityId: subscriberId,
    ispId: subscriber.ispId,
    before: service && { package_id: service.packageId, expiration: formatTime(service.expiresAt) },
    after: {
      package_id: sold.id,
      expiration: formatTime(expiresAt),
      charged: formatAmount(sold.price),
      ...(unused.length > 0 && { credited: formatAmount(credited) }),
      ...(seller.remark !== undefined && { remark: seller.remark }),
    },
  });
  const done = { subscriberId, packageId: sold.id, expiresAt, charged: sold.price, credited, invoiceId };
  return { ...done, remark: seller.remark };
}

/** Rollover of top-ups: paid separately, so it is kept at any activation. */
function rolledOver(service: Service, now: Seconds): number {
  return carriedOver({ ...service, ...countersAt(service, now) });
}

/** Creates the invoice with the reseller's commission, and the debit, which settles the invoice as far as the wallet covers it. Returns its id. */
export function charge(tx: Tx, plan: Plan, now: Seconds, by: Actor, topUp?: AddedByTopUp): number {
  const { subscriber, sold, seller, service, start, expiresAt, unused, commission } = plan;
  const { ispId } = subscriber;
  const tax = readTax(tx, ispId);
  const before: Before = { service, packageId: subscriber.packageId, unused: unused.map(givenBack), topUp };
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
    periodEnd: plan.periodEnd ?? expiresAt,
    createdAt: now,
    open: sold.price,
    sellerId: seller.id,
    commission,
    serviceBefore: writeBefore(before),
  });
  announceInvoice(tx, now, { type: "invoice.issued", invoiceId });
  book(
    tx,
    { account: { subscriberId: subscriber.id }, ispId, amount: -sold.price, kind: "activation", invoiceId },
    now,
    by,
  );
  return invoiceId;
}

/** A commission of an activation in minor units; negative: reversed. */
export interface Share {
  readonly staffId: number;
  readonly name: string;
  readonly amount: number;
  /** Paid at once, or when the invoice is settled. */
  readonly isNow: boolean;
}

/** A preview of an activation; minor units, balances before and after. */
export interface Quote extends Pick<
  Plan<ReadSubscriber>,
  "subscriber" | "sold" | "start" | "expiresAt" | "credited" | "balance"
> {
  readonly balanceAfter: number;
  readonly paid: readonly Share[];
}

/** Previews `activate`. Throws what it would throw. */
export function quote(
  db: Db,
  by: Actor,
  activation: Activation,
  { now, read }: { now: Seconds; read?: SoldTo<ReadSubscriber> },
): Quote {
  permit(by, "quote");
  const quoted = db.$client.transaction(() => {
    const { subscriberId } = activation;
    const to = {
      subscriber: subscriberIn(db, by.scope, read?.subscriber ?? subscriberId),
      service: read ? read.service : findService(db, subscriberId),
    };
    const plan = planFor(db, to, activation, { now });
    const { subscriber, sold, start, expiresAt, credited, balance } = plan;
    const balanceAfter = balance + credited - sold.price;
    const paid = listShares(db, plan, balanceAfter);
    return { subscriber, sold, start, expiresAt, credited, balance, balanceAfter, paid };
  });
  return quoted();
}

/** Commissions of an activation: reversals for what ends, and the new one. */
export function listShares(
  db: Db,
  { seller, commission, unused, sold }: Plan<ReadSubscriber>,
  balanceAfter: number,
): Share[] {
  const shares = unused.flatMap(({ invoice, amount }): Share[] => {
    const after = { ...invoice, credited: invoice.credited + amount };
    const taken = commissionDue(after) - commissionDue(invoice);
    const { sellerId } = invoice;
    if (sellerId === null || taken === 0) return [];
    return [{ staffId: sellerId, name: staffById(db, sellerId)?.name ?? "", amount: taken, isNow: true }];
  });
  if (seller.id === null || commission === 0) return shares;
  // a debt counts against the newest charge first
  const isNow = balanceAfter >= 0 || sold.price === 0;
  return [...shares, { staffId: seller.id, name: seller.name, amount: commission, isNow }];
}
