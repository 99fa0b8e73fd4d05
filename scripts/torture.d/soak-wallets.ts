import type { Package, Subscriber } from "./soak-model.ts";

export interface Invoice {
  readonly subscriber: number;
  readonly package: number;
  readonly amount: number;
  readonly from: number;
  readonly until: number;
  readonly at: number;
  paidAt: number | null;
}

export interface Entry {
  readonly amount: number;
  readonly balance: number;
  readonly kind: string;
  readonly at: number;
}

const RESELLER = 2;
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

  book(account: string, amount: number, kind: string, at: number): void {
    const entries = this.entries.get(account) ?? [];
    entries.push({ amount, balance: this.balance(account) + amount, kind, at });
    this.entries.set(account, entries);
  }

  /** Money comes in, which pays the oldest invoices as far as what is still owed allows. */
  credit({ id }: Subscriber, amount: number, at: number): void {
    this.book(`subscriber ${id}`, amount, "credit", at);
    const owed = Math.max(0, -this.balance(`subscriber ${id}`));
    const unpaid = this.invoices.filter((invoice) => invoice.subscriber === id && invoice.paidAt === null);
    let open = unpaid.reduce((sum, invoice) => sum + invoice.amount, 0);
    for (const invoice of unpaid) {
      open -= invoice.amount;
      if (open < owed) return;
      invoice.paidAt = at;
    }
  }

  /** Returns the status of the sale; when it is 200, the subscriber has its new service. */
  sell(
    subscriber: Subscriber,
    sold: Package,
    now: number,
    add: (from: number, sold: Package) => number,
  ): number {
    const { id, service, isEnabled, salesperson } = subscriber;
    if (!isEnabled) return 422;
    if (service && now - service.activatedAt < PAUSE) return 429;
    const account = `subscriber ${id}`;
    if (sold.isPrepaid && this.balance(account) < sold.price) return 422;
    const isRenewal = service !== undefined && service.until > now && service.sold.id === sold.id;
    const from = isRenewal ? service.until : now;
    const until = add(from, sold);
    subscriber.service = { sold, until, activatedAt: now, used: 0, crossedAt: null };
    const paidAt = sold.isPrepaid ? now : null;
    this.invoices.push({
      subscriber: id,
      package: sold.id,
      amount: sold.price,
      from,
      until,
      at: now,
      paidAt,
    });
    this.book(account, -sold.price, "activation", now);
    const share = sold.price - (sold.resellerPrice ?? sold.price);
    if (salesperson === RESELLER && share > 0) this.book(`staff ${RESELLER}`, share, "commission", now);
    return 200;
  }
}
