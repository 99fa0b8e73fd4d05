import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { type Db, write } from "../../db/open.ts";
import { isLocked } from "../../db/sqlite-error.ts";
import { standBack } from "../../db/turns.ts";
import { giveOwnKeys } from "../domain/machine/access-boxes/boxes.ts";
import { NodeAuthorities } from "../domain/machine/access-boxes/box-authority.ts";
import { type HomeNeeds, takeHome } from "../domain/machine/access-boxes/homecoming.ts";
import type { JournalBatch } from "../domain/machine/access-boxes/journal.ts";
import type { Claims } from "../domain/machine/access-boxes/claims.ts";
import { readDropped, readHome } from "../domain/machine/access-boxes/journal-rows.ts";
import { headOf } from "../domain/machine/access-boxes/seal.ts";
import { countsAbove, headEpoch, signingKeyOf } from "../domain/machine/access-boxes/signed-head.ts";
import { keepReport, noteRemovedSeen } from "../domain/service/box-standing/standing.ts";
import { accessState, isOver, noteOver, recordSeal } from "../domain/machine/access-boxes/state.ts";
import { AccountingBooks, type QuotaCrossed } from "../domain/service/accounting/accounting.ts";
import type { Carried } from "../domain/money/sums/carried.ts";
import type { Clock } from "../domain/core/time/time.ts";
import { HOMES, isInboxOf, REPORTS } from "./subjects.ts";

/** Seconds from which on what a box tells is late. */
const LATE = 90;
/**
 * Milliseconds that a transaction of what a box tells lasts, and the most that is left to others behind it. A box tells something again when it
 * has an answer; a stolen one tells on and on.
 */
const WRITING = 50;
const LEAVING = 27;

export interface BoxListenerNeeds {
  readonly clock: Clock;
  readonly crossed: (crossed: readonly QuotaCrossed[]) => void;
  readonly take: HomeNeeds["take"];
  /** Bytes that routers of boxes carried just now, for the sums of the minute. */
  readonly carried?: (sums: readonly Carried[]) => void;
  readonly failed: (what: string, error: unknown) => void;
}

/** Books what boxes tell of their journals, each number once, and keeps what they say of themselves. */
export class BoxListener {
  readonly #db: Db;
  readonly #needs: BoxListenerNeeds;
  readonly #claims: Claims;
  readonly #books: AccountingBooks;
  readonly #authorities: NodeAuthorities;
  /** What is done with the last words of a box that wait for their turn, by subject. */
  readonly #waiting = new Map<string, () => void>();
  #turns: Promise<void> = Promise.resolve();

  constructor(db: Db, needs: BoxListenerNeeds, claims: Claims) {
    this.#db = db;
    this.#authorities = new NodeAuthorities(db);
    this.#needs = needs;
    this.#claims = claims;
    this.#books = new AccountingBooks(db);
  }

  listen(nc: NatsConnection): void {
    this.#hearHomes(nc);
    this.#hearReports(nc);
  }

  #hearHomes(nc: NatsConnection): void {
    nc.subscribe(HOMES, {
      callback: (error, message) => {
        if (error) return this.#needs.failed("what a box tells cannot be heard", error);
        this.#takeInTurn(message, (body) => {
          try {
            this.#takeHome(message, body);
          } catch (cause) {
            // no answer: the box sends it again
            this.#books.carried.take();
            if (!isLocked(cause))
              this.#needs.failed(
                `what ${message.subject} tells could not be booked; it is sent again`,
                cause,
              );
          }
        });
      },
    });
  }

  #hearReports(nc: NatsConnection): void {
    nc.subscribe(REPORTS, {
      callback: (error, message) => {
        if (error) return this.#needs.failed("how a box is cannot be heard", error);
        this.#takeInTurn(message, (body) => {
          try {
            this.#takeReport(message, body);
          } catch (cause) {
            this.#needs.failed(`what ${message.subject} says is left out`, cause);
          }
        });
      },
    });
  }

  /**
   * A person at the books writes first, and routers before it is another box's turn: a box waits for seconds before it sends again. Of what
   * one says meanwhile the last counts, if it is that box which says it: nats-server delivers what others ask for to any subject.
   */
  #takeInTurn(message: Msg, take: (body: string) => void): void {
    const { subject } = message;
    const body = this.#openOr(message);
    if (body === undefined) return;
    const isWaiting = this.#waiting.has(subject);
    this.#waiting.set(subject, () => take(body));
    if (!isWaiting) this.#turns = this.#turns.then(() => this.#takeNext(subject));
  }

  /** What a box has sealed; undefined for what none of these has. */
  #openOr({ subject, data }: Msg): string | undefined {
    try {
      const seal = recordSeal(this.#db);
      if (!seal) return undefined;
      const { keyNumber } = headOf(data);
      if (keyNumber < seal.keyNumber && noteRemovedSeen(this.#db, boxOf(subject), this.#needs.clock()))
        return undefined;
      return seal.open(subject, data);
    } catch (cause) {
      this.#needs.failed(`what ${subject} says is left out`, cause);
      return undefined;
    }
  }

  async #takeNext(subject: string): Promise<void> {
    await standBack(this.#db);
    const begun = performance.now();
    const take = this.#waiting.get(subject);
    this.#waiting.delete(subject);
    take?.();
    await Bun.sleep(Math.min(LEAVING, performance.now() - begun));
  }

  #takeReport({ subject, data }: Msg, body: string): void {
    const node = boxOf(subject);
    const now = this.#needs.clock();
    const report: unknown = JSON.parse(body);
    this.#isBelieved(node, headOf(data).epoch, undefined);
    keepReport(this.#db, { box: node, report }, now);
    giveOwnKeys(this.#db, now);
  }

  #takeHome(message: Msg, body: string): void {
    const { subject, data } = message;
    const batch = readHome(body);
    const { epoch } = accessState(this.#db);
    const node = boxOf(subject);
    if (!this.#isBelieved(node, headOf(data).epoch, batch.proof)) return;
    // a restored store takes nothing before it knows again whom it is about
    if (isOver(this.#db) || accessState(this.#db).pending !== null) return;
    const { clock, take, crossed } = this.#needs;
    const until = performance.now() + WRITING;
    const committed = takeHome(
      this.#db,
      { box: node, ...batch },
      {
        books: this.#books,
        authorities: this.#authorities,
        now: clock(),
        take,
        isLong: () => performance.now() > until,
        refused: (row, error) =>
          this.#needs.failed(`${node}, journal ${row.number}, is refused by the books`, error),
      },
    );
    const carried = this.#books.carried.take();
    if (!committed) return;
    const { refusals } = committed;
    if (refusals)
      this.#needs.failed(
        `${node} tells of what is not its own: ${refusals.count} rows of its journal were not booked`,
        refusals.what,
      );
    this.#sayDropped(node, batch);
    // what waited on a box while it was cut off is of no minute of now
    if (carried.length > 0 && (batch.rows[0]?.age ?? 0) < LATE) this.#needs.carried?.(carried);
    const answer = JSON.stringify({ journal: committed.journal });
    // the books may write everywhere: a box would have them write over what others are told
    const seal = recordSeal(this.#db);
    if (!seal || !isInboxOf(node, message.reply ?? "")) return;
    message.respond(
      seal.seal(`${subject}.answer`, { epoch, number: committed.journal, isGone: false }, answer),
    );
    if (committed.crossed.length > 0) crossed(committed.crossed);
  }

  /**
   * Whether a box that says so high an epoch takes these for its books. Where it carries what other books have signed these are over; where it
   * does not it tells what a person has to judge, and nothing is taken from it meanwhile: it keeps it, and tells it to whom it believes.
   */
  #isBelieved(who: string, body: number, proof: string | undefined): boolean {
    const { epoch } = accessState(this.#db);
    const proven =
      body > epoch && typeof proof === "string"
        ? headEpoch(Buffer.from(proof, "base64"), signingKeyOf(this.#db))
        : undefined;
    if (countsAbove(proven, epoch)) {
      write(this.#db, (tx) => noteOver(tx, this.#needs.clock()));
      return false;
    }
    this.#claims.hear({ who, epoch: body, at: this.#needs.clock() }, epoch);
    return body <= epoch;
  }

  /** The log of logins lacks these. */
  #sayDropped(node: string, { rows }: JournalBatch): void {
    for (const { kind, body } of rows) {
      if (kind !== "dropped") continue;
      const { decisions } = readDropped(body);
      this.#needs.failed(
        `${node} has dropped ${decisions} login decisions, its oldest`,
        "too many waited while it was cut off; its accounting is whole",
      );
    }
  }
}

const boxOf = (subject: string) => subject.slice(subject.lastIndexOf(".") + 1);
