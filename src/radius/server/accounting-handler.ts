import { type Db, emptyLog, leaveSyncs, write } from "../../../db/open.ts";
import { isPersonWaiting, noteUnsynced, STAND_BACK } from "../../../db/turns.ts";
import { isLocked, sqliteCode } from "../../../db/sqlite-error.ts";
import {
  AccountingWriter,
  type AccountingReport,
  type Booked,
  type QuotaCrossed,
  type BookedReport,
} from "../../domain/service/accounting/accounting.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import { acknowledge, clockAhead, readAccounting } from "./accounting.ts";
import type { ArrivalTally } from "./arrival-tally.ts";
import { BookedStarts, sayingOf } from "./booked-starts.ts";
import { type Configuration, followConfiguration } from "./configuration.ts";
import type { Client } from "./clients.ts";
import type { DiskQueue, Synced } from "./disk-queue.ts";
import type { Counters } from "./counters.ts";
import type { Timings } from "./timings.ts";
import { TurnQueue } from "./turn-queue.ts";
import type { ReportTally } from "../../domain/service/live/reported.ts";
import type { CarriedTally } from "../../domain/money/sums/carried.ts";
import { Gate, type GateEvents, type Request, type Source } from "./gate.ts";

export interface AccountingHandlerEvents extends GateEvents {
  quotaCrossed: (crossed: QuotaCrossed) => void;
  /** A NAS reports more sessions of unknown names than are kept; at most once an hour. */
  crowded: (nas: string) => void;
  /** A record or a whole batch could not be stored: it is not acknowledged, so the NAS sends it again. */
  failed: (error: unknown, records: number) => void;
}

type Reply = (datagram: Buffer) => void;
/** `begun`: when, in performance.now() milliseconds; `taken`: how many of the batch. */
export type Stored = {
  begun: number;
  taken: number;
  stored: Waiting[];
  crossed: QuotaCrossed[];
  crowded: string[];
};
type Waiting = {
  client: Client;
  nasAddress: string;
  settle: Request["settle"];
  report: AccountingReport | undefined;
  /** By which a Start is known when it comes again, and when it came. */
  start: { readonly saying: number; readonly uptime: number } | undefined;
  /** Sent once it is stored. */
  response: Buffer;
  reply: Reply;
  /** performance.now() */
  arrived: number;
};

/** Milliseconds between two attempts of `drain` to get the write lock. */
const LOCK_RETRY = 3;
/** Most waiting records, of one router at most half; more stay unacknowledged. */
const MAX_WAITING = 20_000;
/** Records per transaction, which is synced once: at 128 each costs a twentieth more, and a staff write waits for a transaction. */
const BATCH = 256;
/** Milliseconds of a transaction after which other writers get the lock. */
const LONGEST = 50;
/**
 * How many records are booked while those before are synced: of fewer, or of less than half of those before, each costs too many pages, and
 * of more the sync is a small part of the time.
 */
const BESIDE = { least: 8, most: 64 };
/** Microseconds to wait for a sync between two looks at the port. */
const LOOK_AT_PORT_EVERY = 100;

/**
 * Stores Accounting-Requests. Those that arrive together share the transaction of the next `commit`, and Accounting-Responses
 * are sent once it is on the disk (RFC 2866 section 2). What arrives meanwhile is the next batch; there is no timer.
 *
 * With a DiskQueue the commits are not synced by SQLite, but before they are acknowledged: what others see of them until then, a
 * failing power may take back, with all that they had written since.
 */
export class AccountingHandler {
  readonly #db: Db;
  readonly #accounting: AccountingWriter;
  readonly #gate: Gate;
  readonly #followConfiguration: () => Configuration;
  readonly #events: AccountingHandlerEvents;
  readonly #counters: Counters;
  readonly #clock: Clock;
  readonly #timings: Timings | undefined;
  readonly #carried: CarriedTally | undefined;
  readonly #reports: ReportTally | undefined;
  readonly #arrivals: ArrivalTally | undefined;
  readonly #waiting = new TurnQueue<Waiting>(MAX_WAITING);
  readonly #bookedStarts = new BookedStarts();
  /** The next batch. */
  #batch: Waiting[] = [];
  /** Since when we have let a staff write go first, in performance.now() milliseconds. */
  #stoodBackSince: number | undefined;
  #isLockedOut = false;
  #disk: DiskQueue<Stored> | undefined;
  /** How many records the last transaction had. */
  #bookedLast = 0;
  /** Whether this turn of the thread has answered what was synced beside it. */
  #hasAnswered = false;
  /** Why the log may have a gap: the disk refused to sync it. */
  #gap: Error | undefined;
  /** Valid until the next commit: packets that arrive together read the store once. */
  #configuration: Configuration | undefined;

  /** `db` must not wait for locks (busy_timeout 0): waiting is done here, without blocking. */
  constructor(
    db: Db,
    {
      events,
      counters,
      clock,
      timings,
      carried,
      reports,
      arrivals,
      onBooked,
    }: {
      events: AccountingHandlerEvents;
      counters: Counters;
      clock: Clock;
      timings?: Timings;
      carried?: CarriedTally;
      reports?: ReportTally;
      arrivals?: ArrivalTally;
      /** Called with each report in the transaction that books it. */
      onBooked?: ((outcome: BookedReport) => void) | undefined;
    },
  ) {
    this.#db = db;
    this.#accounting = new AccountingWriter(db, { onBooked });
    this.#gate = new Gate("acct", { events, counters, arrivals });
    this.#followConfiguration = followConfiguration(db);
    this.#events = events;
    this.#counters = counters;
    this.#clock = clock;
    this.#timings = timings;
    this.#carried = carried;
    this.#reports = reports;
    this.#arrivals = arrivals;
  }

  /** Takes a datagram, whose buffer may be reused afterwards; `reply` is called after the commit, or never. `uptime` as in AccessHandler. */
  receive(datagram: Uint8Array, source: Source, uptime: number, reply: Reply): void {
    this.#configuration ??= this.#followConfiguration();
    const admission = this.#gate.admit(datagram, source, this.#configuration, uptime);
    if (admission.kind === "drop") return;
    if (admission.kind === "reply") {
      reply(admission.reply);
      return;
    }
    const { request } = admission;
    const { client, nasAddress, settle } = request;
    const sender = client.id ?? 0;
    const saying = sayingOf(request.packet);
    if (saying !== undefined && this.#bookedStarts.has(nasAddress, saying, uptime)) {
      const response = acknowledge(request);
      settle(response);
      this.#counters.add(client.name, "Accounting-Request", "repeated");
      this.#arrivals?.add("repeated", nasAddress, client);
      reply(response);
      return;
    }
    if (!this.#waiting.hasRoom(sender)) {
      this.#giveUp(request, "overloaded");
      return;
    }
    const arrival = this.#clock();
    this.#arrivals?.add("accounting", nasAddress, client, clockAhead(request.packet, arrival));
    const report = readAccounting(request, { arrival, localAddress: source.localAddress });
    const response = acknowledge(request);
    const arrived = performance.now();
    const start = saying === undefined ? undefined : { saying, uptime };
    this.#waiting.add(sender, { client, nasAddress, settle, report, start, response, reply, arrived });
  }

  get isWaiting(): boolean {
    return this.#isToBook || this.#disk?.isEmpty === false;
  }

  get #isToBook(): boolean {
    return this.#batch.length > 0 || this.#waiting.size > 0;
  }

  /** From now on `disk` syncs what is committed; undefined: each commit does. */
  syncBy(disk: DiskQueue<Stored> | undefined): void {
    if (disk === this.#disk) return;
    this.#settle();
    this.#disk = disk;
    leaveSyncs(this.#db, disk !== undefined);
  }

  /** Whether the write lock is held by another connection: `commit` again in a few milliseconds. */
  get isLockedOut(): boolean {
    return this.#isLockedOut;
  }

  /** At shutdown: commits what waits, trying for the lock up to `patience` milliseconds. */
  async drain(patience: number): Promise<void> {
    const end = performance.now() + patience;
    while (this.isWaiting && performance.now() < end) {
      this.commit();
      if (this.#isLockedOut) await Bun.sleep(LOCK_RETRY);
    }
    this.#settle();
  }

  /** Commits a part of what waits, and answers what is on the disk; without the lock it keeps waiting. */
  commit(): void {
    this.#configuration = undefined;
    this.#hasAnswered = false;
    this.#answerSynced();
    if (this.#isToBook) this.#disk?.begin();
    if (!this.#isToBook || (this.#disk?.isUnderWay && !this.#isForBeside)) {
      this.#awaitDisk();
      return;
    }
    if (this.#batch.length === 0) this.#batch = this.#waiting.take(BATCH);
    const batch = this.#batch;
    const begun = performance.now();
    this.#isLockedOut = this.#standsBack(begun);
    if (this.#isLockedOut) {
      this.#settle();
      return;
    }
    let booked: Stored;
    try {
      this.#closeGap();
      if (this.#disk) noteUnsynced(this.#db, true);
      booked = this.#store(batch, begun + LONGEST);
    } catch (error) {
      this.#settle();
      if (isLocked(error)) {
        this.#isLockedOut = true;
      } else {
        this.#batch = [];
        this.#fail(error, batch);
      }
      return;
    }
    this.#batch = batch.slice(booked.taken);
    this.#bookedLast = booked.taken;
    for (const sum of this.#accounting.carried.take()) this.#carried?.add(sum);
    this.#reports?.addPacked(this.#accounting.reports.take());
    this.#timings?.observe("commit_records", booked.stored.length);
    if (!this.#disk) {
      this.#answer(booked);
      return;
    }
    this.#disk.add(booked);
    this.#answerSynced();
    if (this.#hasAnswered) this.#disk.begin();
  }

  get #isForBeside(): boolean {
    const count = this.#batch.length + this.#waiting.size;
    return count >= BESIDE.least && count <= BESIDE.most && count >= this.#bookedLast / 2;
  }

  /** For a moment, where more may come; else to the end. */
  #awaitDisk(): void {
    if (this.#disk?.isUnderWay) this.#answerSynced(LOOK_AT_PORT_EVERY);
    else this.#settle();
    if (this.#disk?.isEmpty) noteUnsynced(this.#db, false);
  }

  /** Answers what a sync that has ended was of. Who is answered sends the next at once, so what was committed since is synced beside that. */
  #answerSynced(patience = 0): void {
    const synced = this.#disk?.ended(patience);
    if (!synced) return;
    this.#conclude(synced);
    this.#hasAnswered = true;
    this.#disk?.begin();
  }

  #settle(): void {
    for (const synced of this.#disk?.settle() ?? []) this.#conclude(synced);
  }

  #conclude({ batches, failure }: Synced<Stored>): void {
    if (!failure) {
      for (const booked of batches) this.#answer(booked);
      return;
    }
    this.#gap = failure;
    this.#fail(
      failure,
      batches.flatMap(({ stored }) => stored),
    );
    // the store has it, and their repetitions cross nothing
    for (const booked of batches) this.#tellOf(booked);
  }

  /**
   * After a sync that failed: what it was of may be missing on the disk for good, though the log can be read. Once all of the log is in the
   * database it is not needed any more. Throws where the disk still refuses, or others still read what was there before.
   */
  #closeGap(): void {
    if (!this.#gap) return;
    emptyLog(this.#db);
    this.#gap = undefined;
  }

  #answer(booked: Stored): void {
    const { begun, stored } = booked;
    const now = performance.now();
    this.#timings?.observe("commit_seconds", (now - begun) / 1000);
    for (const { client, nasAddress, settle, report, start, response, reply, arrived } of stored) {
      if (start) this.#bookedStarts.add(nasAddress, start.saying, start.uptime);
      this.#timings?.observe("accounting_seconds", (now - arrived) / 1000);
      this.#counters.add(client.name, "Accounting-Request", outcomeOf(report));
      settle(response);
      reply(response);
    }
    this.#tellOf(booked);
  }

  #tellOf({ crossed, crowded }: Stored): void {
    for (const one of crossed) this.#events.quotaCrossed(one);
    for (const nas of crowded) this.#events.crowded(nas);
  }

  #fail(error: unknown, batch: readonly Waiting[]): void {
    for (const waiting of batch) this.#giveUp(waiting, "failed");
    this.#events.failed(error, batch.length);
  }

  /** Whether to let a staff write go first, for a moment. */
  #standsBack(now: number): boolean {
    if (!isPersonWaiting(this.#db)) {
      this.#stoodBackSince = undefined;
      return false;
    }
    this.#stoodBackSince ??= now;
    if (now - this.#stoodBackSince < STAND_BACK) return true;
    this.#stoodBackSince = undefined;
    return false;
  }

  /** `until`: when to end the transaction, whatever is left of the batch; in performance.now() milliseconds. */
  #store(batch: readonly Waiting[], until: number): Stored {
    try {
      return write(this.#db, () =>
        this.#book(batch, until, ({ report }) => report && this.#accounting.book(report)),
      );
    } catch (error) {
      this.#accounting.carried.take(); // of what was rolled back
      this.#accounting.reports.take();
      if (isFatal(error)) throw error;
      // a record that cannot be booked must not fail the others; savepoints cost too much to use always
      return write(this.#db, () => this.#book(batch, until, (waiting) => this.#bookApart(waiting)));
    }
  }

  #book(batch: readonly Waiting[], until: number, book: (waiting: Waiting) => Booked | "refused"): Stored {
    const begun = performance.now();
    let drained = 0;
    const stored: Waiting[] = [];
    const crossed: QuotaCrossed[] = [];
    const crowded: string[] = [];
    for (const waiting of batch) {
      if (drained > 0 && performance.now() > until) break;
      drained++;
      this.#answerSynced();
      if (this.#gap) throw this.#gap;
      const { nasAddress, report, start } = waiting;
      if (report?.kind === "restart") this.#bookedStarts.forget(nasAddress);
      // one that came again while the first waited for its commit
      const isBooked = start && this.#bookedStarts.has(nasAddress, start.saying, start.uptime);
      const booked = isBooked ? undefined : book(waiting);
      if (booked === "refused") continue;
      stored.push(waiting);
      if (booked === "crowded") crowded.push(waiting.client.name);
      else if (booked) crossed.push(booked);
    }
    return { begun, taken: drained, stored, crossed, crowded };
  }

  /** Books in a savepoint. */
  #bookApart(waiting: Waiting): Booked | "refused" {
    const { report } = waiting;
    if (!report) return undefined;
    try {
      return write(this.#db, () => this.#accounting.book(report));
    } catch (error) {
      if (isFatal(error)) throw error;
      this.#giveUp(waiting, "failed");
      this.#events.failed(error, 1);
      return "refused";
    }
  }

  /** No answer: the NAS sends it again, and it is handled again. */
  #giveUp({ client, settle }: Pick<Request, "client" | "settle">, outcome: "failed" | "overloaded"): void {
    settle(undefined);
    this.#counters.add(client.name, "Accounting-Request", outcome);
  }
}

function outcomeOf(report: AccountingReport | undefined): string {
  if (!report) return "ignored";
  return report.kind === "restart" ? report.restart.status : report.report.status;
}

/** A disk or lock error concerns the whole batch, a constraint error only its record. */
function isFatal(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== "" && !code.startsWith("SQLITE_CONSTRAINT") && !code.startsWith("SQLITE_MISMATCH");
}
