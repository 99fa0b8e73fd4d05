import type { Calendar } from "./calendar.ts";
import { type Day, FairClock, type FairTerms } from "./fair.ts";
import { CardModel } from "./cards/cards.ts";
import type { Card } from "./cards/terms.ts";
import { attributesOf, grantedTo, hasGarden, INTERIM, isDue, kindOf, mayDiffer, nameOf } from "./grants.ts";
import { isReused, type Report, reported, type Row, rowOf, UNDER_WAY } from "./sessions.ts";
import { Wallets } from "./wallets.ts";

/** What is sold, in the words of the import format. */
export interface Package {
  readonly id: number;
  /** Minor units. */
  readonly price: number;
  readonly resellerPrice: number | null;
  readonly isPrepaid: boolean;
  readonly duration: number;
  readonly unit: "hour" | "day" | "month";
  readonly rate: string;
  readonly quota: number;
  /** The rate once the quota is used up; null is reject. */
  readonly slower: string | null;
  readonly list: string | null;
  readonly gardenPool: string | null;
  readonly gardenList: string | null;
  readonly atOnce: number;
  readonly fair?: FairTerms;
}

/** Where a period ends were every month long enough and no clock moved; months count on from 0, and past 11. */
export interface DueDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Seconds of the day. */
  readonly time: number;
}

export interface Period {
  readonly until: number;
  /** null: by `until`. */
  readonly due: DueDate | null;
}

export interface Service extends Period {
  readonly sold: Package;
  readonly activatedAt: number;
  /** The same of a top-up, if one came later. */
  readonly soldAt: number;
  used: number;
  crossedAt: number | null;
  /** Of fair use. */
  readonly day?: Day;
}

export interface Subscriber {
  readonly id: number;
  readonly password: string;
  readonly staticIp: string | null;
  /** Whose customer; 2 is a reseller. */
  readonly salesperson: number;
  isEnabled: boolean;
  service: Service | undefined;
}

export interface Login {
  readonly subscriber: Subscriber | undefined;
  readonly password: string;
  readonly mac: string;
  readonly router: string;
}

export interface CardLogin {
  readonly card: Card;
  readonly isRight: boolean;
  readonly mac: string;
  readonly router: string;
}

/** What a record adds. */
interface Used {
  readonly input: number;
  readonly output: number;
  readonly seconds: number;
  /** When its session was last heard of. */
  readonly updated: number;
}

export type Verdict =
  { readonly reject: string } | { readonly accept: Record<string, unknown>; readonly kind: Kind };
export type Kind = "normal" | "slow" | "garden";

/** What a router was granted for a session: its rate, and the rest of what only a login can change. */
export interface Granted {
  readonly kind: Kind;
  readonly rate: string;
  readonly terms: string;
}

/** A session that has to get another rate, or to go. */
export interface Due {
  readonly row: Row;
  readonly granted: Granted | null;
}

/** What a session was given at its login. */
export interface Grant {
  readonly mac: string;
  readonly router: string;
  readonly at: number;
  readonly kind: Kind;
  readonly granted: Granted;
  hasStarted: boolean;
}

const STALE = 3 * INTERIM;

/** What the books must say: arithmetic from the rules of RADIUS accounting and of the wallet, and nothing of the product. */
export class Model {
  readonly rows: Row[] = [];
  readonly wallets = new Wallets();
  readonly cards: CardModel;
  readonly fair: FairClock;
  /** Octets in and out by subscriber and local date. */
  readonly days = new Map<string, { input: number; output: number }>();
  readonly #open = new Set<Row>();
  readonly #byKey = new Map<string, Row>();
  readonly #grants = new Map<string, Grant[]>();
  readonly #dateOf: (seconds: number) => string;

  constructor(calendar: Calendar) {
    this.#dateOf = (seconds) => calendar.date(seconds);
    this.cards = new CardModel(this.wallets, calendar);
    this.fair = new FairClock(calendar);
  }

  get open(): ReadonlySet<Row> {
    return this.#open;
  }

  openOf(holder: string): Row[] {
    return [...this.#open].filter((row) => row.holder === holder);
  }

  /** What the login must be answered; an accept is remembered until its Start. */
  login({ subscriber, password, mac, router }: Login, now: number): Verdict & { grant?: Grant } {
    // the other reasons are for who has the right one
    if (!subscriber || password !== subscriber.password) return { reject: "wrong username or password" };
    if (!subscriber.isEnabled) return { reject: "this account is disabled" };
    const { service } = subscriber;
    if (!service) return { reject: "this account is not activated yet" };
    const { sold } = service;
    const kind = kindOf(service, now);
    if (kind === "garden" && !hasGarden(sold))
      return { reject: service.until <= now ? "this account has expired" : "the data volume is used up" };
    const holder = nameOf(subscriber);
    const { open, expected } = this.#beside(holder, { mac, router }, now);
    if (open + expected >= sold.atOnce) return { reject: "this account is in use already" };
    const rate = this.fair.rate(service, now);
    const granted = grantedTo(subscriber, service, kind, rate);
    const grant: Grant = { mac, router, at: now, kind, granted, hasStarted: false };
    this.#remember(holder, grant);
    return { accept: attributesOf(subscriber, service, kind, now, rate), kind, grant };
  }

  /** The same of a card, whose code is the password. */
  cardLogin({ card, isRight, mac, router }: CardLogin, now: number): Verdict & { grant?: Grant } {
    const beside = this.#beside(card.name, { mac, router }, now);
    const verdict = this.cards.login(card, { isRight, mac, ...beside }, now);
    if ("reject" in verdict) return verdict;
    const granted = { kind: "normal", rate: verdict.rate, terms: "" } as const;
    const grant: Grant = { mac, router, at: now, kind: "normal", granted, hasStarted: false };
    this.#remember(card.name, grant);
    const accept = { ...verdict.accept, "Acct-Interim-Interval": INTERIM };
    return { accept, kind: "normal", grant };
  }

  /** Sessions and Accepts without a Start of other devices. */
  #beside(holder: string, { mac, router }: { mac: string; router: string }, now: number) {
    const isOther = (one: { mac: string; router: string }) => one.mac !== mac || one.router !== router;
    const grants = this.#grants.get(holder) ?? [];
    return {
      open: this.openOf(holder).filter(isOther).length,
      expected: grants.filter((one) => !one.hasStarted && one.at > now - 60 && isOther(one)).length,
    };
  }

  #remember(holder: string, grant: Grant): void {
    const { mac, router, at } = grant;
    const others = (this.#grants.get(holder) ?? []).filter(
      (one) => one.at > at - 60 && (one.mac !== mac || one.router !== router),
    );
    this.#grants.set(holder, [...others, grant]);
  }

  /** A record that has arrived. */
  report(report: Report): void {
    const { grant } = report.session;
    const known = this.#byKey.get(report.session.key);
    if (known && !isReused(known, report)) {
      const { time, started } = known;
      const used = reported(known, report);
      if (known.stopped === null) this.#open.add(known);
      else this.#open.delete(known);
      if (known.started < started) this.#begin(known);
      this.#use(report, { ...used, seconds: known.time - time, updated: known.updated });
      return;
    }
    const row = rowOf(report);
    this.#insert(row);
    this.rows.push(row);
    this.#byKey.set(report.session.key, row);
    grant.hasStarted = true;
    this.#begin(row);
    this.#use(report, { input: row.input, output: row.output, seconds: row.time, updated: row.updated });
  }

  /** A new session in the place of another one says that the Stop of that one was lost. */
  #insert(row: Row): void {
    const wasOpen = row.stopped === null;
    const inPlace = [...this.#open].filter(
      (other) =>
        other.router === row.router &&
        (other.ip === row.ip ||
          (other.mac === row.mac && other.port === row.port) ||
          (wasOpen && other.mac === row.mac && other.holder === row.holder)),
    );
    for (const other of inPlace) {
      if (other.started <= row.started && other.updated <= row.started + UNDER_WAY)
        this.close(other, row.started, "lost_stop", "lost");
      else if (wasOpen && other.started > row.started && row.updated <= other.started + UNDER_WAY)
        Object.assign(row, { stopped: other.started, closedBy: "lost_stop", cause: "lost" });
    }
    if (row.stopped === null) this.#open.add(row);
  }

  close(row: Row, at: number, closedBy: NonNullable<Row["closedBy"]>, cause: string): void {
    Object.assign(row, { stopped: at, closedBy, cause });
    this.#open.delete(row);
  }

  /** Whatever tells of the start of a session tells of a use of its card. */
  #begin({ session, mac }: Row): void {
    if (session.card) this.cards.use(session.card, session.grant.at, mac);
  }

  #use({ session, at }: Report, { input, output, seconds, updated }: Used): void {
    const { subscriber, card } = session;
    if (card) this.cards.spend(card, { seconds, octets: input + output, at: updated });
    if (!subscriber || input + output === 0) return;
    const key = `${subscriber.id} ${this.#dateOf(at)}`;
    const day = this.days.get(key) ?? { input: 0, output: 0 };
    this.days.set(key, { input: day.input + input, output: day.output + output });
    const { service } = subscriber;
    // what is told late is of the period in which it was used
    if (!service || at < service.activatedAt) return;
    if (service.day) return this.fair.use(service, input + output, { at, seconds });
    service.used += input + output;
    const { quota } = service.sold;
    if (quota > 0 && service.used >= quota) service.crossedAt ??= at;
  }

  /** Accounting-On: what the router had is over. */
  restarted(router: string, at: number): void {
    for (const row of this.#open)
      if (row.router === router && row.started <= at && row.updated <= at + UNDER_WAY)
        this.close(row, at, "accounting_on", "NAS-Reboot");
  }

  /** Sessions without news for three intervals. */
  lost(now: number): Row[] {
    return [...this.#open].filter((row) => row.updated < now - STALE);
  }

  /** What has to be done to the sessions of a subscriber that is disabled, or has run out while it was online. */
  due(subscriber: Subscriber, now: number): Due[] {
    const { service } = subscriber;
    const open = this.openOf(nameOf(subscriber));
    if (!subscriber.isEnabled) return open.map((row) => ({ row, granted: null }));
    if (service?.day && service.until > now) return this.#otherRate(service, open, now);
    if (!service || !open.some((row) => isDue(row, service, now))) return [];
    const kind = kindOf(service, now);
    if (kind === "garden" && !hasGarden(service.sold)) return open.map((row) => ({ row, granted: null }));
    const granted = grantedTo(subscriber, service, kind, service.sold.rate);
    return open.flatMap((row): Due[] => {
      const needsLogin =
        row.granted === null ? mayDiffer(row, subscriber, service.sold) : row.granted.terms !== granted.terms;
      if (needsLogin) return [{ row, granted: null }];
      return row.granted?.rate === granted.rate ? [] : [{ row, granted }];
    });
  }

  /** Sessions that go on at another rate, without a drop. */
  #otherRate(service: Service, open: readonly Row[], now: number): Due[] {
    const rate = this.fair.rate(service, now);
    return open.flatMap((row): Due[] => {
      if (row.granted?.rate === rate) return [];
      const terms = row.granted?.terms ?? "";
      return [{ row, granted: { kind: "normal", rate, terms } }];
    });
  }
}
