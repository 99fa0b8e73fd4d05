import { type Db, write } from "../../../db/open.ts";
import { isPersonWaiting, STAND_BACK } from "../../../db/turns.ts";
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
import { BookedStarts, hashStart } from "./booked-starts.ts";
import { type Configuration, followConfiguration } from "./configuration.ts";
import type { Client } from "./clients.ts";
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
/** `taken`: how many of the batch. */
type Stored = { taken: number; stored: Waiting[]; crossed: QuotaCrossed[]; crowded: string[] };
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
 * Stores Accounting-Requests. Those that arrive together share the transaction of the next `commit`, and Accounting-Responses
 * are sent after it (RFC 2866 section 2). What arrives meanwhile is the next batch; there is no timer.
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
    const saying = hashStart(request.packet);
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
    return this.#batch.length > 0 || this.#waiting.size > 0;
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
  }

  /** Commits a part of what waits and answers it; without the lock it keeps waiting. */
  commit(): void {
    this.#configuration = undefined;
    if (this.#batch.length === 0) this.#batch = this.#waiting.take(BATCH);
    const batch = this.#batch;
    if (batch.length === 0) return;
    const begun = performance.now();
    this.#isLockedOut = this.#standsBack(begun);
    if (this.#isLockedOut) return;
    let booked: Stored;
    try {
      booked = this.#store(batch, begun + LONGEST);
    } catch (error) {
      if (isLocked(error)) {
        this.#isLockedOut = true;
      } else {
        this.#batch = [];
        for (const waiting of batch) this.#giveUp(waiting, "failed");
        this.#events.failed(error, batch.length);
      }
      return;
    }
    this.#batch = batch.slice(booked.taken);
    const committed = performance.now();
    for (const sum of this.#accounting.carried.take()) this.#carried?.add(sum);
    this.#reports?.addPacked(this.#accounting.reports.take());
    this.#timings?.observe("commit_seconds", (committed - begun) / 1000);
    this.#timings?.observe("commit_records", booked.stored.length);
    for (const { client, nasAddress, settle, report, start, response, reply, arrived } of booked.stored) {
      if (start) this.#bookedStarts.add(nasAddress, start.saying, start.uptime);
      this.#timings?.observe("accounting_seconds", (committed - arrived) / 1000);
      this.#counters.add(client.name, "Accounting-Request", reportOutcome(report));
      settle(response);
      reply(response);
    }
    for (const one of booked.crossed) this.#events.quotaCrossed(one);
    for (const nas of booked.crowded) this.#events.crowded(nas);
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
    let drained = 0;
    const stored: Waiting[] = [];
    const crossed: QuotaCrossed[] = [];
    const crowded: string[] = [];
    for (const waiting of batch) {
      if (drained > 0 && performance.now() > until) break;
      drained++;
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
    return { taken: drained, stored, crossed, crowded };
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

function reportOutcome(report: AccountingReport | undefined): string {
  if (!report) return "ignored";
  return report.kind === "restart" ? report.restart.status : report.report.status;
}

/** A disk or lock error concerns the whole batch, a constraint error only its record. */
function isFatal(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== "" && !code.startsWith("SQLITE_CONSTRAINT") && !code.startsWith("SQLITE_MISMATCH");
}
