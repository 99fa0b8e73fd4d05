import type { Day, TopUp } from "./fair.ts";
import type { Package, Period, Subscriber } from "./model.ts";

export interface Invoice {
  readonly subscriber: number;
  readonly package: number;
  readonly amount: number;
  readonly from: number;
  readonly until: number;
  readonly at: number;
  /** Whose commission, and how much, once it is settled as a whole. */
  readonly seller: string;
  readonly commission: number;
  open: number;
  paidAt: number | null;
}

export interface Entry {
  readonly amount: number;
  readonly balance: number;
  readonly kind: string;
  readonly at: number;
  readonly invoice: Invoice | undefined;
}

/** Whose account it is. */
export const RESELLER = 2;
/** Seconds before the same subscriber can be sold something again. */
const PAUSE = 120;

/** Money in minor units: who has how much, and what was sold to whom. */
export class Wallets {
  readonly invoices: Invoice[] = [];
  /** By `subscriber 7` or `staff 2`. */
  readonly entries = new Map<string, Entry[]>();

  balance(account: string): number {
    return this.entries.get(account)?.at(-1)?.balance ?? 0;
  }

  book(account: string, amount: number, kind: string, at: number, invoice?: Invoice): void {
    const entries = this.entries.get(account) ?? [];
    entries.push({ amount, balance: this.balance(account) + amount, kind, at, invoice });
    this.entries.set(account, entries);
    this.#settle(account, at);
  }

  /** What is owed lies on the newest charges; who is settled as a whole by that has earned its seller's commission. */
  #settle(account: string, at: number): void {
    let owed = Math.max(0, -this.balance(account));
    const charges = (this.entries.get(account) ?? []).filter(({ amount }) => amount < 0);
    const settled: Invoice[] = [];
    for (const { amount, invoice } of charges.toReversed()) {
      const open = Math.min(-amount, owed);
      owed -= open;
      if (!invoice) continue;
      invoice.open = open;
      if (open === 0 && invoice.paidAt === null) settled.unshift(invoice);
    }
    for (const invoice of settled) {
      invoice.paidAt = at;
      if (invoice.commission > 0) this.book(invoice.seller, invoice.commission, "commission", at);
    }
  }

  credit({ id }: Subscriber, amount: number, at: number): void {
    this.book(`subscriber ${id}`, amount, "adjustment", at);
  }

  /** The status of a sale, into which `arriving` is paid first. */
  maySell({ id, service, isEnabled }: Subscriber, sold: Package, now: number, arriving = 0): number {
    if (!isEnabled) return 422;
    if (service && now - service.activatedAt < PAUSE) return 429;
    return sold.isPrepaid && this.balance(`subscriber ${id}`) + arriving < sold.price ? 422 : 200;
  }

  /** Returns the status of the sale; when it is 200, the subscriber has its new service. */
  sell(
    subscriber: Subscriber,
    sold: Package,
    now: number,
    add: (from: number | Period, sold: Package) => Period,
    day?: Day,
  ): number {
    const { id, service, salesperson } = subscriber;
    const status = this.maySell(subscriber, sold, now);
    if (status !== 200) return status;
    const account = `subscriber ${id}`;
    const renewed = service && service.until > now && service.sold.id === sold.id ? service : undefined;
    const period = add(renewed ?? now, sold);
    const history = { activatedAt: now, soldAt: now, used: 0, crossedAt: null };
    subscriber.service = { sold, ...period, ...history, ...(day && { day }) };
    const invoice: Invoice = {
      subscriber: id,
      package: sold.id,
      amount: sold.price,
      from: renewed?.until ?? now,
      until: period.until,
      at: now,
      seller: `staff ${salesperson}`,
      commission: salesperson === RESELLER ? sold.price - (sold.resellerPrice ?? sold.price) : 0,
      open: sold.price,
      paidAt: null,
    };
    this.invoices.push(invoice);
    this.book(account, -sold.price, "activation", now, invoice);
    return 200;
  }

  /** Returns the status of a top-up; when it is 200, the service has it. */
  topUp(subscriber: Subscriber, one: TopUp, now: number, period: (one: TopUp) => Period): number {
    const { id, service, salesperson, isEnabled } = subscriber;
    if (!isEnabled || !service?.day || service.until <= now || this.balance(`subscriber ${id}`) < one.price)
      return 422;
    const { day, until } = service;
    day.extra += one.octets;
    if (one.stays) day.staying += one.octets;
    const next = one.days > 0 ? period(one) : { until, due: service.due };
    subscriber.service = { ...service, ...next, soldAt: now };
    const invoice: Invoice = {
      subscriber: id,
      package: one.id,
      amount: one.price,
      at: now,
      seller: `staff ${salesperson}`,
      ...(one.days > 0 ? { from: until, until: next.until } : { from: now, until: now }),
      commission: 0,
      open: one.price,
      paidAt: null,
    };
    this.invoices.push(invoice);
    this.book(`subscriber ${id}`, -one.price, "activation", now, invoice);
    return 200;
  }
}
