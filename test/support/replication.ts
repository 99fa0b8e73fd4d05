import { type Db, write } from "../../db/open.ts";
import { RecordBook } from "../../src/domain/machine/access-boxes/apply.ts";
import { NodeAuthorities } from "../../src/domain/machine/access-boxes/box-authority.ts";
import { type Committed, takeHome } from "../../src/domain/machine/access-boxes/homecoming.ts";
import { type Elapsed, homecomings, Journal } from "../../src/domain/machine/access-boxes/journal.ts";
import {
  beginMarking,
  notePublished,
  publications,
  takeMarks,
} from "../../src/domain/machine/access-boxes/publishing.ts";
import { RecordSeal } from "../../src/domain/machine/access-boxes/seal.ts";
import { keepBoxesKey, leaveReferences, PairCounter } from "../../src/domain/machine/access-boxes/state.ts";
import { packDecisions, takeOther } from "../../src/domain/machine/access-boxes/apply-other.ts";
import { AccountingWriter, type Booked } from "../../src/domain/service/accounting/accounting.ts";
import type { SessionReport } from "../../src/domain/service/sessions/advance.ts";
import { aSession } from "./sessions.ts";
import { NOW, temporaryStore, type TemporaryStore } from "./store.ts";

const KEY = Buffer.alloc(32, 7);
const seal = new RecordSeal(KEY, 1);

/** A report of session `81000001` of subscriber 1; a Start by default. */
export function aReport(values: Partial<SessionReport> = {}): SessionReport {
  return {
    ...aSession(),
    status: "start",
    at: NOW,
    sessionTime: undefined,
    inputOctets: undefined,
    outputOctets: undefined,
    octetsAre32Bit: false,
    terminateCause: undefined,
    ...values,
  };
}

/** An access box without NATS: the test decides when messages travel. */
export class TestNode {
  readonly store: TemporaryStore = temporaryStore();
  readonly db: Db = this.store.db;
  readonly id: number;
  readonly name: string;
  /** Its wall clock, and its monotonic one in milliseconds. */
  now = NOW;
  elapsed: Elapsed & { at: number; boot: string };
  #book!: RecordBook;
  #journal!: Journal;
  #accounting!: AccountingWriter;

  constructor(id: number) {
    this.id = id;
    this.name = `tower-${id}`;
    const elapsed = { boot: "a", at: 0, uptime: () => elapsed.at };
    this.elapsed = elapsed;
    write(this.db, (tx) => {
      keepBoxesKey(tx, KEY, 1);
      tx.$client.run(`UPDATE access_state SET role = 'access', box_id = ${id}`);
    });
    leaveReferences(this.db);
    this.restart();
  }

  /** As after a restart: only the store is left. */
  restart(): void {
    this.#book = new RecordBook(this.db, { boxId: this.id, seal });
    this.#journal = new Journal(this.db, { elapsed: this.elapsed, clock: () => this.now });
    this.#accounting = new AccountingWriter(this.db, {
      onBooked: (report) => this.#journal.accounted(report),
    });
  }

  moveTo(now: number): void {
    this.now = now;
    this.elapsed.at = (now - NOW) * 1000;
  }

  /** Receives published state in the given order. */
  hear(published: Iterable<readonly [string, Uint8Array]>): void {
    write(this.db, (tx) => {
      for (const [subject, bytes] of published) this.#book.apply(tx, { subject, bytes }, this.now);
    });
  }

  account(report: SessionReport, login = report.username): Booked {
    return write(this.db, () =>
      this.#accounting.book({ kind: "session", report, login, ispId: 1, arrival: this.now }),
    );
  }

  decided(events: Parameters<typeof packDecisions>[0]): void {
    write(this.db, () => this.#journal.add("decided", packDecisions(events)));
  }

  one<T>(sql: string): T {
    return this.db.$client.query<T, []>(sql).get() as T;
  }
}

/** Books and their boxes in one process, without NATS. */
export class Replication implements Disposable {
  readonly store: TemporaryStore = temporaryStore();
  readonly primary: Db = this.store.db;
  readonly boxes: readonly TestNode[];
  /** The newest message of each subject. */
  readonly bucket = new Map<string, Uint8Array>();
  readonly refused: unknown[] = [];
  now = NOW;
  #pairs: PairCounter;
  #accounting: AccountingWriter;

  constructor(count: number) {
    this.boxes = Array.from({ length: count }, (_, index) => new TestNode(index + 1));
    this.#pairs = new PairCounter(this.primary);
    this.#accounting = new AccountingWriter(this.primary);
  }

  /** Call it once the ISP is stored. */
  begin(): void {
    write(this.primary, (tx) => {
      keepBoxesKey(tx, KEY, 1);
      for (const { name } of this.boxes)
        tx.$client
          .query("INSERT INTO access_boxes (name, nkey, seal_key, created_at) VALUES (?, ?, 'k', 0)")
          .run(name, name);
      beginMarking(tx);
    });
  }

  restartPrimary(): void {
    this.#pairs = new PairCounter(this.primary);
    this.#accounting = new AccountingWriter(this.primary);
  }

  account(report: SessionReport, login = report.username): Booked {
    return write(this.primary, () =>
      this.#accounting.book({ kind: "session", report, login, ispId: 1, arrival: this.now }),
    );
  }

  /** Publishes changes; without `isNoted` the primary dies before it could record that. */
  publish({ isNoted = true, isMinute = true } = {}): void {
    const failed = (key: string, error: unknown) => void this.refused.push(`${key}: ${String(error)}`);
    const marks = takeMarks(this.primary, { isMinute, limit: 10_000 });
    const made = publications(this.primary, marks, { seal, pairs: this.#pairs, failed });
    for (const { puts } of made) for (const { subject, bytes } of puts) this.bucket.set(subject, bytes);
    if (isNoted) notePublished(this.primary, made);
  }

  /** Delivers a box's journal; without `isAnswered` the acknowledgement is lost. */
  takeHome(node: TestNode, { limit = 500, isAnswered = true } = {}): Committed | undefined {
    const after = node.one<{ home: number }>("SELECT home FROM access_state").home;
    const rows = homecomings(node.db, { after, limit, bytes: 1e6, elapsed: node.elapsed, now: node.now });
    const committed = takeHome(
      this.primary,
      { box: node.name, after, rows },
      {
        accounting: this.#accounting,
        authorities: new NodeAuthorities(this.primary),
        now: this.now,
        take: (row, authority, refuse) => takeOther(this.primary, row, { authority, refuse, now: this.now }),
        refused: (_row, error) => void this.refused.push(error),
      },
    );
    if (committed?.refusals) this.refused.push(committed.refusals);
    if (isAnswered && committed)
      node.db.$client.query("UPDATE access_state SET home = ?").run(committed.journal);
    return committed;
  }

  settle(): void {
    for (const node of this.boxes) this.takeHome(node, { limit: 100_000 });
    this.publish();
    for (const node of this.boxes) node.hear(this.bucket);
  }

  one<T>(sql: string): T {
    return this.primary.$client.query<T, []>(sql).get() as T;
  }

  [Symbol.dispose](): void {
    this.store[Symbol.dispose]();
    for (const { store } of this.boxes) store[Symbol.dispose]();
  }
}
