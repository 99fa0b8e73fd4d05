import type { Calendar } from "../calendar.ts";
import type { Subscriber } from "../model.ts";
import { RESELLER, type Wallets } from "../wallets.ts";
import type { Batch, Card, Standing, Terms } from "./terms.ts";

interface Attempt {
  readonly isRight: boolean;
  readonly mac: string;
  /** Of other devices: sessions, and Accepts that no Start has followed. */
  readonly open: number;
  readonly expected: number;
}

/** How long after its day a use still counts that was under way. */
const UNDER_WAY = 60;
const LONGEST = 21_474_720;
const ISP = "staff 1";
const HOLDER = `staff ${RESELLER}`;

/** What every card is worth, and who owes what for it: by the rules that are on paper, and nothing of the product. */
export class CardModel {
  readonly batches: Batch[] = [];
  readonly all: Card[] = [];
  readonly byCode = new Map<string, Card>();
  /** What moved money, by card: entries that name none are of a batch. */
  readonly entries: string[] = [];
  readonly #wallets: Wallets;
  readonly #calendar: Calendar;

  constructor(wallets: Wallets, calendar: Calendar) {
    this.#wallets = wallets;
    this.#calendar = calendar;
  }

  /** Undefined: the reseller cannot pay for the handover. */
  make(terms: Terms, quantity: number, now: number): Batch | undefined {
    const total = terms.chargeOn === "handover" ? quantity * (terms.resellerPrice ?? 0) : 0;
    if (total > Math.max(0, this.#wallets.balance(HOLDER)) && total > 0) return undefined;
    const isPaid = terms.chargeOn === "handover";
    const cards = Array.from({ length: quantity }, (_, index): Card => {
      const id = this.all.length + index + 1;
      return {
        id,
        name: `C-${String(id).padStart(6, "0")}`,
        batch: terms,
        madeAt: now,
        code: "",
        state: "new",
        isPaid: false,
        soldBy: null,
        soldAt: null,
        firstUsedAt: null,
        endsAt: null,
        seconds: 0,
        octets: 0,
        usedUpAt: null,
        lockedTo: null,
        redeemedBy: null,
        chargedAt: isPaid ? now : null,
      };
    });
    const batch = { ...terms, id: this.batches.length + 1, madeAt: now, cards };
    this.batches.push(batch);
    this.all.push(...cards);
    if (total > 0) this.#book(HOLDER, -total, now);
    return batch;
  }

  knows(card: Card, code: string): void {
    card.code = code;
    this.byCode.set(code, card);
  }

  standing(card: Card, now: number): Standing {
    const { batch, state, endsAt } = card;
    if (state === "new" && batch.sellBy !== null && batch.sellBy <= now) return "expired";
    if (state === "sold" && batch.useBy !== null && batch.useBy <= now) return "expired";
    if (state !== "active") return state;
    if (endsAt !== null && endsAt <= now) return "expired";
    return this.#isUsedUp(card) ? "used up" : "active";
  }

  /** Whether nobody may be online by it. */
  isOver(card: Card, now: number): boolean {
    if (card.state === "void") return true;
    return (card.endsAt !== null && card.endsAt <= now) || this.#isUsedUp(card);
  }

  #isUsedUp({ batch: { uptime, quota }, seconds, octets }: Card): boolean {
    return (uptime !== null && seconds >= uptime) || (quota > 0 && octets >= quota);
  }

  /** Status of a sale at the desk of the ISP, or by the reseller. */
  sell(card: Card, by: "isp" | "reseller", now: number): number {
    const { batch } = card;
    const isHeld = batch.chargeOn !== null;
    if (by === "reseller" && !isHeld) return 404;
    if (by === "isp" && isHeld) return 422;
    if (by === "reseller" && this.#wallets.balance(HOLDER) < 0) return 422;
    const standing = this.standing(card, now);
    if (card.state !== "new") return 409;
    if (standing === "expired") return 422;
    if (batch.useBy !== null && batch.useBy <= now) return 422; // its buyer would have nothing
    Object.assign(card, { state: "sold", soldAt: now, soldBy: by === "isp" ? 1 : RESELLER });
    if (by === "reseller" || batch.price === 0) return 200;
    card.isPaid = true;
    this.#wallets.book(ISP, batch.price, "payment", now);
    this.#book(ISP, -batch.price, now, card);
    return 200;
  }

  /** Status, and what the reseller gets back. */
  void(card: Card, now: number): { status: number; back: number } {
    if (card.state === "void") return { status: 409, back: 0 };
    const isUnused = card.state !== "active";
    card.state = "void";
    if (!isUnused) return { status: 200, back: 0 };
    const back = card.chargedAt === null ? 0 : (card.batch.resellerPrice ?? 0);
    card.chargedAt = null;
    if (back > 0) this.#book(HOLDER, back, now, card);
    if (!card.isPaid) return { status: 200, back };
    this.#wallets.book(ISP, -card.batch.price, "reversal", now);
    this.#book(ISP, card.batch.price, now, card);
    return { status: 200, back };
  }

  /** Status, and how many became void. */
  voidBatch(batch: Batch, now: number): { status: number; voided: number } {
    const left = batch.cards.filter(({ state }) => state === "new");
    if (left.length === 0) return { status: 409, voided: 0 };
    const paid = left.filter(({ chargedAt }) => chargedAt !== null).length;
    for (const card of left) Object.assign(card, { state: "void", chargedAt: null });
    const back = paid * (batch.resellerPrice ?? 0);
    if (back > 0) this.#book(HOLDER, back, now);
    return { status: 200, voided: left.length };
  }

  unlock(card: Card): number {
    if (card.lockedTo === null) return 422;
    card.lockedTo = null;
    return 200;
  }

  /** Status of redeeming a card for a subscriber; `sell` is asked for the sale of a package card. */
  redeem(
    card: Card,
    subscriber: Subscriber,
    now: number,
    sale: { readonly price: number; readonly mayBeSold: () => number; readonly sell: () => void } | undefined,
  ): number {
    const { kind, needsSale } = card.batch;
    const standing = this.standing(card, now);
    if (kind === "access" || (standing !== "new" && standing !== "sold")) return 422;
    if (standing === "new" && needsSale) return 422;
    const refused = sale?.mayBeSold() ?? 200;
    if (refused !== 200) return refused;
    const credited = sale?.price ?? card.batch.price;
    Object.assign(card, { state: "active", firstUsedAt: now, redeemedBy: subscriber.id });
    if (credited > 0) this.#book(`subscriber ${subscriber.id}`, credited, now, card);
    sale?.sell();
    this.#charge(card, now);
    return 200;
  }

  /** What a login by a code must be answered, but for what is said to everybody. */
  login(
    card: Card,
    { isRight, mac, open, expected }: Attempt,
    now: number,
  ): { readonly reject: string } | { readonly rate: string; readonly accept: Record<string, unknown> } {
    const { batch } = card;
    if (!isRight) return { reject: "wrong username or password" };
    const standing = this.standing(card, now);
    if (standing === "void") return { reject: "this card is not valid any more" };
    if (batch.kind !== "access") return { reject: "redeem this card in the portal; it does not log in" };
    if (standing === "expired") return { reject: "this card has expired" };
    if (standing === "used up") return { reject: "this card is used up" };
    if (standing === "new" && batch.needsSale) return { reject: "this card is not sold yet" };
    const isTaken = card.lockedTo === null ? batch.locks && expected > 0 : card.lockedTo !== mac;
    if (isTaken) return { reject: "this account is locked to another device" };
    if (open + expected >= batch.atOnce) return { reject: "this account is in use already" };
    const accept = this.#accept(card, open + expected, now);
    this.use(card, now, mac);
    return { rate: batch.rate ?? "", accept };
  }

  #accept(card: Card, beside: number, now: number): Record<string, unknown> {
    const { batch, seconds, octets } = card;
    const ends = card.firstUsedAt === null ? this.#endOf(batch, now) : card.endsAt;
    const share =
      batch.uptime === null ? LONGEST : Math.max(60, Math.floor((batch.uptime - seconds) / (beside + 1)));
    const left = batch.quota - octets;
    return {
      "Mikrotik-Rate-Limit": batch.rate,
      ...(batch.list && { "Mikrotik-Address-List": batch.list }),
      "Session-Timeout": Math.min(share, (ends ?? Infinity) - now, LONGEST),
      ...(batch.quota > 0 && { "Mikrotik-Total-Limit": left % 2 ** 32 }),
      ...(batch.quota > 0 &&
        left >= 2 ** 32 && { "Mikrotik-Total-Limit-Gigawords": Math.floor(left / 2 ** 32) }),
    };
  }

  #endOf({ lasts }: Terms, from: number): number | null {
    return lasts && this.#calendar.add(from, lasts).until;
  }

  /** Somebody tells that a device used an access card: the earliest use counts, the first device is the one that it is locked to. */
  use(card: Card, at: number, mac: string): void {
    const { batch, state } = card;
    const by = state === "new" ? batch.sellBy : state === "sold" ? batch.useBy : null;
    const isUnsold = state === "new" && batch.needsSale;
    if (state === "void" || isUnsold || (by !== null && by + UNDER_WAY <= at)) return;
    card.state = "active";
    const first = Math.max(card.madeAt, at);
    if (card.firstUsedAt === null || first < card.firstUsedAt)
      Object.assign(card, { firstUsedAt: first, endsAt: this.#endOf(batch, first) });
    if (batch.locks) card.lockedTo ??= mac;
  }

  /** What a record of a session adds. */
  spend(card: Card, { seconds, octets, at }: { seconds: number; octets: number; at: number }): void {
    if (seconds === 0 && octets === 0) return;
    card.seconds += seconds;
    card.octets += octets;
    if (this.#isUsedUp(card)) card.usedUpAt ??= at;
  }

  /** Cards that were used and are not accounted for yet, which happens within seconds. */
  chargeUsed(now: number): Card[] {
    const due = this.all.filter(({ firstUsedAt, chargedAt }) => firstUsedAt !== null && chargedAt === null);
    for (const card of due) this.#charge(card, now);
    return due;
  }

  /** Once for each card; of one that was paid for, or that nobody pays for, it is noted alone. */
  #charge(card: Card, now: number): void {
    if (card.chargedAt !== null) return;
    const { chargeOn, resellerPrice } = card.batch;
    card.chargedAt = now;
    if (chargeOn === "use" && resellerPrice !== null && resellerPrice > 0)
      this.#book(HOLDER, -resellerPrice, now, card);
  }

  #book(account: string, amount: number, at: number, card?: Card): void {
    this.#wallets.book(account, amount, "card", at);
    if (card) this.entries.push(`${card.name} ${account.replace("subscriber ", "user")} ${amount} ${at}`);
  }
}
