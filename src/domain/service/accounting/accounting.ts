import { type Db, write } from "../../../../db/open.ts";
import { recordFirstUse, useReportedBy } from "../cards/first-use.ts";
import { SessionNames } from "../cards/session-names.ts";
import { useCard } from "../cards/use.ts";
import { type Counters, counted, CounterRows, countTiers } from "../fair-use/counters.ts";
import { lineRateOf } from "../../goods/packages/line-rate.ts";
import { announceQuota, announceTier, WARNED } from "../fair-use/quota.ts";
import { SessionEvents } from "../../core/events/sessions.ts";
import { ReportTally } from "../live/reported.ts";
import { CarriedTally } from "../../money/sums/carried.ts";
import { fold, macName, parseMac } from "../../core/fields/text.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import { type Authority, NotOwn, type Owner } from "./authority.ts";
import {
  advanceSession,
  seenElsewhere,
  isKeyReused,
  type NewSession,
  openSession,
  renewed,
  type RateOf,
  type Session,
  type SessionReport,
  takenOver,
} from "../sessions/advance.ts";
import { prepareAccounting } from "./book-statements.ts";
import { leaseHolder, readGranted, readLease } from "../sessions/session-class.ts";
import { SessionRows } from "./session-rows.ts";
import { UnknownUsers } from "./unknown-users.ts";

/** Accounting-On or -Off: the NAS has restarted, or is about to (RFC 2866 section 5.1). */
export interface NasRestart {
  status: "on" | "off";
  at: Seconds;
  nasAddress: string;
}

/**
 * `login` is the User-Name if it is text. `ispId` is the NAS's ISP, null every one. `arrival` is when it came, however old the
 * report is. `owner`: as found by an access box; absent for unknown names.
 */
export type AccountingReport =
  | {
      kind: "session";
      report: SessionReport;
      login: string | undefined;
      ispId: number | null;
      arrival: Seconds;
      owner?: Owner;
    }
  | { kind: "restart"; restart: NasRestart };

type SessionAccounting = Extract<AccountingReport, { kind: "session" }>;

/** A report as booked, without a card's code, and what it added to whom. */
export interface BookedReport {
  readonly accounting: AccountingReport;
  readonly owner: Owner;
  readonly octets: number;
  readonly seconds: number;
}

/** A subscriber, once per period, or a card, once, whose quota is used up; known after the commit. */
export type QuotaCrossed = { subscriberId: number } | { cardId: number };

/** `crowded`: this hour's sessions of unknown names are dropped, as their NAS reports too many. */
export type Booked = QuotaCrossed | "crowded" | undefined;

interface CardReport {
  readonly before: Session | undefined;
  readonly after: NewSession;
  readonly octets: number;
  readonly arrival: Seconds;
  readonly sessionClass: Buffer | null;
}

interface Used {
  readonly input: number;
  readonly output: number;
  readonly at: Seconds;
  readonly arrival: Seconds;
  /** Seconds up to `at` in which it was used. */
  readonly elapsed: Seconds;
}

/** Effect of a report on a subscriber's usage: octets counted, and whether a tier or the quota was reached. */
interface Use {
  readonly octets: number;
  readonly crossed: QuotaCrossed | undefined;
}

/** Quota and tiers used, before or after a report. */
type Stood = Pick<Counters, "quotaTotal" | "quotaUsed" | "quotaCrossedAt" | "tiers" | "extraBytes">;

const NOTHING: Use = { octets: 0, crossed: undefined };

const NOBODY: Owner = { subscriberId: null, cardId: null };

/** Time of a session's counters: for a repeated report its first arrival, from Acct-Session-Time. */
function countedAt({ startedAt, updatedAt, sessionTime }: Session): Seconds {
  return sessionTime === 0 ? updatedAt : Math.min(updatedAt, startedAt + sessionTime);
}

/** Books sessions and usage on one connection with prepared statements. */
export class AccountingWriter {
  readonly #db: Db;
  readonly #statements;
  readonly #names: SessionNames;
  readonly #rows: SessionRows;
  readonly #unknownUsers: UnknownUsers;
  readonly #counters: CounterRows;
  readonly #events: SessionEvents;
  /** Bytes added by `book`, perhaps not committed yet. */
  readonly carried = new CarriedTally();
  /** Sessions reported, perhaps not committed yet. */
  readonly reports = new ReportTally();
  #quarter = { index: -1, day: 0 };
  readonly #onBooked: ((report: BookedReport) => void) | undefined;
  /** Of the current report. */
  #authority: Authority | undefined;

  /** `told` gets each report within its transaction, except those of other access boxes. */
  constructor(
    db: Db,
    { onBooked: report }: { onBooked?: ((outcome: BookedReport) => void) | undefined } = {},
  ) {
    this.#db = db;
    this.#onBooked = report;
    this.#statements = prepareAccounting(db);
    this.#names = new SessionNames(db);
    this.#events = new SessionEvents(db);
    this.#rows = new SessionRows(db, this.#statements, this.#events);
    this.#unknownUsers = new UnknownUsers(db);
    this.#counters = new CounterRows(db);
  }

  /**
   * Books one report within a write transaction. Idempotent for repeated and reordered reports. An access box's report is
   * checked against its `authority`: throws NotOwn before anything is written.
   */
  book(accounting: AccountingReport, authority?: Authority): Booked {
    this.#authority = authority;
    if (accounting.kind === "restart") {
      this.#rows.closeAll(accounting.restart, authority);
      this.#onBooked?.({ accounting, owner: NOBODY, octets: 0, seconds: 0 });
      return undefined;
    }
    const { report, login, ispId } = accounting;
    const newest = this.#known(report);
    if (newest) return this.#advance(newest, report, accounting);
    if (accounting.owner) return this.#open(report, this.#present(accounting.owner), accounting);
    const subscriberId = this.#findHolder(report, login, ispId);
    if (subscriberId !== null) return this.#open(report, { subscriberId, cardId: null }, accounting);
    // a card's code is never stored: its session has the card's number
    const { username, cardId } =
      login === undefined
        ? this.#names.ofBytes(report.username)
        : this.#names.of(login, { ispId, mac: report.mac });
    const named = { ...report, username };
    const ofCard = username === report.username ? undefined : this.#known(named);
    return ofCard
      ? this.#advance(ofCard, named, accounting)
      : this.#open(named, { subscriberId, cardId }, accounting);
  }

  /** Throws NotOwn when an access box reports an owner outside its scope and without a Class that only that login's router knows. */
  #requireOwn(owner: Owner, { class: sessionClass }: SessionReport): void {
    const authority = this.#authority;
    if (!authority || authority.owns(owner) || authority.wasGranted(owner, sessionClass)) return;
    throw new NotOwn(owner.cardId === null ? "a subscriber of others" : "a card of others");
  }

  /** The session of a report, if known. */
  #known(report: SessionReport): Session | undefined {
    const { acctSessionId, nasAddress, username, class: sessionClass, nasPort } = report;
    const holder = leaseHolder(sessionClass);
    const { newest: statement } = this.#statements;
    const newest = statement.get(acctSessionId, nasAddress, username, sessionClass, nasPort, holder);
    return newest && !isKeyReused(newest, report) ? newest : undefined;
  }

  #advance(newest: Session, report: SessionReport, accounting: SessionAccounting): Booked {
    const { arrival } = accounting;
    if (this.#authority && !hasProof(newest, report)) this.#requireOwn(newest, report);
    const ours = this.#onBooked && newest.viaBox !== null ? seenElsewhere(newest, report) : newest;
    const known = ours.movedIn === 1 ? takenOver(ours, report) : renewed(ours, report);
    const { session, inputDelta, outputDelta } = advanceSession(known, report, this.#readRate);
    this.#rows.update(newest, session, arrival);
    const seconds = session.sessionTime - newest.sessionTime;
    // limited by real time, whatever a router with a changed clock says
    const elapsed = Math.max(0, Math.min(seconds, report.at - countedAt(newest)));
    const used = { input: inputDelta, output: outputDelta, at: report.at, arrival, elapsed };
    const use =
      newest.cardId === null
        ? this.#use(newest.subscriberId, used)
        : this.#useCard(newest.cardId, {
            before: newest,
            after: session,
            octets: inputDelta + outputDelta,
            arrival,
            sessionClass: report.class,
          });
    if (newest.stoppedAt === null && session.stoppedAt !== null)
      this.#events.tell("session.stopped", newest.id, { now: arrival, at: session.stoppedAt });
    this.#carry(session.nasId, inputDelta, outputDelta);
    this.reports.add({ subscriberId: newest.subscriberId, cardId: newest.cardId, nasId: session.nasId });
    this.#tellReport(accounting, report, newest, { octets: use.octets, seconds });
    return use.crossed;
  }

  #open(report: SessionReport, owner: Owner, accounting: SessionAccounting): Booked {
    const { arrival } = accounting;
    const { subscriberId, cardId } = owner;
    if (this.#authority) this.#requireOwn(owner, report);
    const { session, inputDelta, outputDelta } = openSession(this.#withPrefix(report, subscriberId));
    const id = this.#rows.insert(session, owner, { now: arrival, authority: this.#authority });
    const { nasId } = session;
    const isUnknown = subscriberId === null && cardId === null;
    const teller = nasId ?? (this.#authority ? -this.#authority.box : null);
    const isCrowded = isUnknown && teller !== null && this.#unknownUsers.add(teller, id, arrival);
    const elapsed = session.sessionTime;
    const use =
      cardId === null
        ? this.#use(subscriberId, { input: inputDelta, output: outputDelta, at: report.at, arrival, elapsed })
        : this.#useCard(cardId, {
            before: undefined,
            after: session,
            octets: inputDelta + outputDelta,
            arrival,
            sessionClass: report.class,
          });
    const type = session.stoppedAt === null ? "session.started" : "session.stopped";
    if (subscriberId !== null)
      this.#events.tell(type, id, { now: arrival, at: session.stoppedAt ?? session.startedAt });
    this.#carry(nasId, inputDelta, outputDelta);
    this.reports.add({ subscriberId, cardId, nasId });
    this.#tellReport(accounting, report, owner, { octets: use.octets, seconds: session.sessionTime });
    return isCrowded ? "crowded" : use.crossed;
  }

  /** Adds the prefix of the Accept where the router does not report it, so that its holder can be found. */
  #withPrefix(report: SessionReport, subscriberId: number | null): SessionReport {
    if (subscriberId === null || report.delegatedIpv6Prefix !== null) return report;
    const { acceptedAs } = readGranted(report.class);
    if (acceptedAs !== "accepted" && acceptedAs !== "accepted_slowed_down") return report;
    const prefix = this.#statements.delegatedPrefix.get({ subscriberId })?.prefix ?? null;
    return prefix === null ? report : { ...report, delegatedIpv6Prefix: prefix };
  }

  /** A card's first use is its first session's, whichever report says so; its counters span all its sessions. */
  #useCard(cardId: number, { before, after, octets, arrival, sessionClass }: CardReport): Use {
    const { startedAt, mac, updatedAt } = after;
    const begins = !before || startedAt < before.startedAt || (before.mac === null && mac !== null);
    if (begins)
      recordFirstUse(this.#db, {
        cardId,
        mac,
        at: useReportedBy({ class: sessionClass, startedAt }, arrival),
      });
    const seconds = after.sessionTime - (before?.sessionTime ?? 0);
    const isUsedUp = useCard(this.#db, { cardId, seconds, octets, at: updatedAt });
    return { octets, crossed: isUsedUp ? { cardId } : undefined };
  }

  /** The owner named by an access box, if it still exists here. */
  #present({ subscriberId, cardId }: Owner): Owner {
    const { subscriberById, cardById } = this.#statements;
    return {
      subscriberId: subscriberId === null ? null : (subscriberById.get({ subscriberId })?.id ?? null),
      cardId: cardId === null ? null : (cardById.get({ cardId })?.id ?? null),
    };
  }

  #tellReport(
    { login, ispId, arrival }: SessionAccounting,
    report: SessionReport,
    { subscriberId, cardId }: Owner,
    added: { octets: number; seconds: number },
  ): void {
    if (!this.#onBooked) return;
    const owner = { subscriberId, cardId };
    // the primary may know an owner that an access box does not
    const whose =
      subscriberId === null && cardId === null
        ? { login: login === undefined ? undefined : report.username, ispId }
        : { login: undefined, ispId: null, owner };
    this.#onBooked({ accounting: { kind: "session", report, arrival, ...whose }, owner, ...added });
  }

  /** Counted last: a rejected report adds nothing. */
  #carry(nasId: number | null, input: number, output: number): void {
    if (nasId !== null) this.carried.add({ nasId, input, output });
  }

  /** A lease's Class names its owner; without it, the MAC address somebody logs in by. */
  #findHolder({ class: sessionClass, mac }: SessionReport, login: string | undefined, ispId: number | null) {
    const lease = readLease(sessionClass);
    const { subscriberInIsp, subscriberByMac } = this.#statements;
    if (lease) return subscriberInIsp.get({ subscriberId: lease.subscriberId, ispId })?.id ?? null;
    if (login === undefined) return null;
    const named = this.#findSubscriber(login, ispId);
    if (named !== null || mac === null || parseMac(login) !== mac) return named;
    const [one, another] = subscriberByMac.all({ mac, ispId });
    return one && !another ? one.id : null;
  }

  /** A subscriber of the NAS's ISP, by name as sent or the part behind a backslash. */
  #findSubscriber(login: string, ispId: number | null): number | null {
    const { subscriber } = this.#statements;
    const backslash = login.indexOf("\\");
    const found =
      subscriber.get(fold(login), ispId) ??
      (backslash < 0 ? this.#byMac(login, ispId) : subscriber.get(fold(login.slice(backslash + 1)), ispId));
    return found?.id ?? null;
  }

  /** A subscriber by a MAC address that its router writes differently. */
  #byMac(login: string, ispId: number | null): { id: number } | null {
    const key = macName(login);
    return key === undefined ? null : this.#statements.macSubscriber.get({ key, ispId });
  }

  readonly #readRate: RateOf = ({ subscriberId, cardId }) => {
    const { rate, cardRate } = this.#statements;
    const known = subscriberId === null ? cardRate.get({ cardId }) : rate.get({ subscriberId });
    return lineRateOf(known?.rateLimit ?? null);
  };

  #use(subscriberId: number | null, { input, output, at, arrival, elapsed }: Used): Use {
    const octets = input + output;
    if (subscriberId === null || octets === 0) return NOTHING;
    this.#useDay(subscriberId, this.#localDay(at), input, output);
    if (this.#counters.addPlain(subscriberId, octets, at)) return { octets, crossed: undefined };
    const before = this.#counters.read(subscriberId);
    if (!before) return { octets, crossed: undefined };
    const after = counted(before, { from: at - elapsed, to: at, octets });
    if (after === before) return NOTHING;
    this.#counters.write(before, after);
    const isNew = before.windowStart !== null && after.windowStart !== before.windowStart;
    const stood = isNew ? { ...after, quotaUsed: 0 } : before;
    const crossed = this.#reached(subscriberId, { before: stood, after }, { now: arrival, at });
    return { octets: after.quotaUsed - stood.quotaUsed, crossed };
  }

  /** Once a day a row begins; an upsert, which looks for that each time, costs a quarter more. */
  #useDay(subscriberId: number, day: number, input: number, output: number): void {
    const { useDay, beginDay } = this.#statements;
    if (useDay.run(input, output, subscriberId, day).changes === 0)
      beginDay.run(subscriberId, day, input, output);
  }

  /** Events of a report: each tier, and the end of the quota once per window. */
  #reached(
    subscriberId: number,
    { before, after }: { before: Stood; after: Stood },
    { now, at }: { now: Seconds; at: Seconds },
  ): QuotaCrossed | undefined {
    const { quotaTotal: total, quotaUsed: used } = after;
    if (total === 0 && after.tiers === null) return undefined;
    const [was, is] = [countTiers(before), countTiers(after)];
    const isOver = total > 0 && used >= total && after.quotaCrossedAt === null;
    const isWarned = total > 0 && used >= total * WARNED && before.quotaUsed < total * WARNED;
    // an access box lacks the data to notify, and the primary will
    if (!this.#onBooked && (isOver || isWarned)) {
      const earlier = { total, used: before.quotaUsed, isCrossed: after.quotaCrossedAt !== null };
      const change = { subscriberId, before: earlier, after: { total, used } };
      write(this.#db, (tx) => announceQuota(tx, change, { now, at }));
    }
    if (!this.#onBooked && is > was)
      write(this.#db, (tx) => announceTier(tx, { subscriberId, tier: is, terms: after }, { now, at }));
    if (isOver) this.#statements.crossQuota.run({ subscriberId, at });
    return isOver || is > was ? { subscriberId } : undefined;
  }

  /** The local date, computed once a quarter of an hour, as every zone's days begin at one. */
  #localDay(at: Seconds): number {
    const index = Math.floor(at / 900);
    if (this.#quarter.index !== index) this.#quarter = { index, day: localDay(at) };
    return this.#quarter.day;
  }
}

/** The stored Class is proof enough: a router sends it to whichever access box it asks, and nobody can guess it. */
function hasProof(session: Session, { class: sessionClass }: SessionReport): boolean {
  return (
    sessionClass !== null &&
    session.class !== null &&
    Buffer.compare(session.class, sessionClass) === 0 &&
    readGranted(sessionClass).acceptedAs !== null
  );
}
