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
import { parseHead } from "../domain/machine/access-boxes/seal.ts";
import { countsAbove, headEpoch, readSigningKey } from "../domain/machine/access-boxes/signed-head.ts";
import { keepReport, noteRemovedSeen } from "../domain/service/box-standing/standing.ts";
import { accessState, isOver, noteOver, recordSeal } from "../domain/machine/access-boxes/state.ts";
import { AccountingWriter, type QuotaCrossed } from "../domain/service/accounting/accounting.ts";
import type { Carried } from "../domain/money/sums/carried.ts";
import type { Clock } from "../domain/core/time/time.ts";
import { HOMES, isNodeInbox, REPORTS } from "./subjects.ts";

/** Age in seconds from which on a report is late. */
const LATE = 90;
/**
 * Milliseconds of a transaction of reports, and the longest pause for other writers after it. An access box sends again when it
 * has an answer; a stolen one may send without end.
 */
const WRITING = 50;
const LEAVING = 27;

export interface BoxListenerNeeds {
  readonly clock: Clock;
  readonly crossed: (crossed: readonly QuotaCrossed[]) => void;
  readonly take: HomeNeeds["take"];
  /** Bytes just carried by routers of access boxes, for the per-minute sums. */
  readonly carried?: (sums: readonly Carried[]) => void;
  readonly failed: (what: string, error: unknown) => void;
}

/** Books the journals of access boxes, each entry once, and stores their status reports. */
export class BoxListener {
  readonly #db: Db;
  readonly #needs: BoxListenerNeeds;
  readonly #claims: Claims;
  readonly #accounting: AccountingWriter;
  readonly #authorities: NodeAuthorities;
  /** The handler of the last message of each access box that waits for its turn, by subject. */
  readonly #waiting = new Map<string, () => void>();
  #turns: Promise<void> = Promise.resolve();

  constructor(db: Db, needs: BoxListenerNeeds, claims: Claims) {
    this.#db = db;
    this.#authorities = new NodeAuthorities(db);
    this.#needs = needs;
    this.#claims = claims;
    this.#accounting = new AccountingWriter(db);
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
            // no answer: the access box sends it again
            this.#accounting.carried.take();
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
   * Staff writes go first, then local accounting, then the next access box: a box waits seconds before it resends. Of messages
   * from one box in the meantime the last counts, if that box sealed it: nats-server delivers replies to any subject.
   */
  #takeInTurn(message: Msg, take: (body: string) => void): void {
    const { subject } = message;
    const body = this.#openOr(message);
    if (body === undefined) return;
    const isWaiting = this.#waiting.has(subject);
    this.#waiting.set(subject, () => take(body));
    if (!isWaiting) this.#turns = this.#turns.then(() => this.#takeNext(subject));
  }

  /** Opens what an access box sealed; undefined when it was sealed by nobody we know. */
  #openOr({ subject, data }: Msg): string | undefined {
    try {
      const seal = recordSeal(this.#db);
      if (!seal) return undefined;
      const { keyNumber } = parseHead(data);
      if (keyNumber < seal.keyNumber && noteRemovedSeen(this.#db, boxName(subject), this.#needs.clock()))
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
    const node = boxName(subject);
    const now = this.#needs.clock();
    const report: unknown = JSON.parse(body);
    this.#isBelieved(node, parseHead(data).epoch, undefined);
    keepReport(this.#db, { box: node, report }, now);
    giveOwnKeys(this.#db, now);
  }

  #takeHome(message: Msg, body: string): void {
    const { subject, data } = message;
    const batch = readHome(body);
    const { epoch } = accessState(this.#db);
    const node = boxName(subject);
    if (!this.#isBelieved(node, parseHead(data).epoch, batch.proof)) return;
    // a restored store takes nothing until its access boxes are known again
    if (isOver(this.#db) || accessState(this.#db).pending !== null) return;
    const { clock, take, crossed } = this.#needs;
    const until = performance.now() + WRITING;
    const committed = takeHome(
      this.#db,
      { box: node, ...batch },
      {
        accounting: this.#accounting,
        authorities: this.#authorities,
        now: clock(),
        take,
        isLong: () => performance.now() > until,
        refused: (row, error) =>
          this.#needs.failed(`${node}, journal ${row.number}, is refused by the books`, error),
      },
    );
    const carried = this.#accounting.carried.take();
    if (!committed) return;
    const { refusals } = committed;
    if (refusals)
      this.#needs.failed(
        `${node} tells of what is not its own: ${refusals.count} rows of its journal were not booked`,
        refusals.what,
      );
    this.#sayDropped(node, batch);
    // a backlog from a disconnection does not belong to the current minute
    if (carried.length > 0 && (batch.rows[0]?.age ?? 0) < LATE) this.#needs.carried?.(carried);
    const answer = JSON.stringify({ journal: committed.journal });
    // the primary may write everywhere: an access box could have it overwrite records of others
    const seal = recordSeal(this.#db);
    if (!seal || !isNodeInbox(node, message.reply ?? "")) return;
    message.respond(
      seal.seal(`${subject}.answer`, { epoch, number: committed.journal, isGone: false }, answer),
    );
    if (committed.crossed.length > 0) crossed(committed.crossed);
  }

  /**
   * Whether an access box that knows a higher epoch still accepts this primary. With a valid signature this primary is over.
   * Without one, staff have to decide, and nothing is taken from that box meanwhile: it keeps its journal for the primary it
   * believes.
   */
  #isBelieved(who: string, body: number, proof: string | undefined): boolean {
    const { epoch } = accessState(this.#db);
    const proven =
      body > epoch && typeof proof === "string"
        ? headEpoch(Buffer.from(proof, "base64"), readSigningKey(this.#db))
        : undefined;
    if (countsAbove(proven, epoch)) {
      write(this.#db, (tx) => noteOver(tx, this.#needs.clock()));
      return false;
    }
    this.#claims.hear({ who, epoch: body, at: this.#needs.clock() }, epoch);
    return body <= epoch;
  }

  /** Logs that the login log lacks these entries. */
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

const boxName = (subject: string) => subject.slice(subject.lastIndexOf(".") + 1);
