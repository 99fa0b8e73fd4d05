import { type KV, type KvWatchEntry, Kvm } from "@nats-io/kv";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { type Db, writePatiently } from "../../db/open.ts";
import { RecordBook } from "../domain/access-boxes/apply.ts";
import { forgetOthers, followBeat, MISSED, othersCountFor } from "../domain/access-boxes/hearing.ts";
import { takeSealedKey } from "../domain/access-boxes/boxes.ts";
import type { BoxLinkState } from "../domain/access-boxes/link-state.ts";
import type { BoxReport } from "../domain/access-boxes/report.ts";
import { type Elapsed, homecomings, type ToldJournal } from "../domain/access-boxes/journal.ts";
import { headOf, isHigher, type Pair, type RecordSeal, SealError } from "../domain/access-boxes/seal.ts";
import {
  accessState,
  leaveReferences,
  noteBeat,
  noteEpoch,
  recordSeal,
  type Scope,
} from "../domain/access-boxes/state.ts";
import type { ToldTime } from "../domain/steady-clock.ts";
import { type Clock, machineTime, type Seconds } from "../domain/time.ts";
import { connectNats, type NatsOptions } from "./connection.ts";
import type { BoxRequest } from "../domain/control/routers-of-boxes.ts";
import type { BoxAnswer } from "./messages.ts";
import { EPOCH_ASK } from "./epochs.ts";
import { askOf, BEAT, BUCKET, COMPLETE, filtersOf, homeOf, keyOf, KEYS, reportOf } from "./subjects.ts";

/** Records that are written in one transaction, and milliseconds that the first of them waits for others. */
const AT_ONCE = 500;
const GATHERED = 20;
/** Of the journal, at once. */
const ROWS = 500;
const BYTES = 400_000;
/** Milliseconds until what was not answered is sent again, and between two looks at an empty journal. */
const PATIENCE = 5000;
const LOOK_EVERY = 100;
/** Milliseconds between two reports of how this box is. */
const REPORT_EVERY = 10_000;

export interface BoxLinkNeeds {
  readonly name: string;
  readonly scope: Scope | null;
  readonly clock: Clock;
  readonly elapsed: Elapsed;
  /** The books have told the time, by which `clock` goes from then on. */
  readonly follow: (told: ToldTime) => void;
  /** Subscribers and routers may have changed: who may not go on is to be looked for. */
  readonly changed: () => void;
  /** The books want a router asked. */
  readonly asked: (request: BoxRequest) => Promise<BoxAnswer>;
  /** How this box is. */
  readonly report: () => Omit<BoxReport, "isComplete">;
  readonly failed: (what: string, error: unknown) => void;
}

/** What has been read of the bucket, and who says that it is all of it. */
interface Reading {
  readonly seen: Set<string>;
  /** Filters whose present keys have all been read. */
  readonly read: Set<string>;
  /** Epochs of the keys that say so. */
  readonly complete: number[];
  /** The newest beat. */
  beat?: Pair;
}

/**
 * What an access box has to do with NATS: it keeps what the books tell, and tells them its journal. Cut off it goes on, and at each
 * connection, or when the beat is missed, it reads the bucket anew as a whole: no position in it is kept.
 */
export class BoxLink {
  readonly state: { -readonly [K in keyof Omit<BoxLinkState, "at">]: BoxLinkState[K] };
  readonly #db: Db;
  readonly #needs: BoxLinkNeeds;
  readonly #end = Promise.withResolvers<void>();
  #nc: NatsConnection | undefined;
  #again = Promise.withResolvers<void>();
  #asked: Pair | undefined;
  /** When a beat was heard last, by a clock that never jumps. */
  #heardAt: number;
  #readAt = performance.now();
  /** Whether sessions of others count no more, until the books are heard again. */
  #isAlone = false;
  #isStopped = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(db: Db, needs: BoxLinkNeeds) {
    this.#db = db;
    this.#needs = needs;
    const { beatAt } = accessState(db);
    // nobody has told it anything since, whenever it began
    this.#heardAt = performance.now() - Math.max(0, needs.clock() - (beatAt ?? needs.clock())) * 1000;
    leaveReferences(db);
    this.state = {
      ...{ isConnected: false, since: needs.clock(), heardAt: null, ahead: 0, isComplete: false },
    };
  }

  /** Connects, and goes on for as long as it is not stopped. Resolves when it is connected for the first time. */
  async start(options: NatsOptions): Promise<void> {
    const nc = await connectNats(options);
    this.#nc = nc;
    this.#noteConnected(true);
    void this.#follow(nc);
    void this.#hearAsks(nc);
    this.#work = Promise.all([
      ...[this.#readAlways(nc), this.#watchBeat(), this.#goHomeAlways(nc), this.#reportAlways(nc)],
    ]);
  }

  /** How it stands, as it is kept for those who ask. */
  standing(now: Seconds): BoxLinkState {
    return { ...this.state, at: now };
  }

  /** Writes nothing more, and resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#end.resolve();
    this.#again.resolve();
    await this.#work;
    await this.#nc?.close();
  }

  async #follow(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status()) {
      if (type === "disconnect") this.#noteConnected(false);
      if (type === "reconnect") {
        this.#noteConnected(true);
        this.#again.resolve();
      }
    }
  }

  #noteConnected(isConnected: boolean): void {
    this.state.isConnected = isConnected;
    this.state.since = this.#needs.clock();
  }

  /** Reads everything and what comes after it, and begins again whenever that may have stopped without a word. */
  async #readAlways(nc: NatsConnection): Promise<void> {
    while (!this.#isStopped) {
      this.#again = Promise.withResolvers();
      this.#readAt = performance.now();
      this.state.isComplete = false;
      const seal = recordSeal(this.#db);
      const { boxId } = accessState(this.#db);
      try {
        if (!seal || boxId === null) throw new Error("this box has no key yet; run: gatehouse box join");
        const bucket = await new Kvm(nc).open(BUCKET);
        const reading: Reading = { seen: new Set(), read: new Set(), complete: [] };
        const book = new RecordBook(this.#db, { boxId, seal });
        const filters = filtersOf(this.#needs.scope);
        await Promise.all(
          filters.map((filter) => this.#read(bucket, { filter, filters, reading, book, seal })),
        );
      } catch (error) {
        if (!this.#isStopped)
          this.#needs.failed("what the books tell could not be read; trying again", error);
        await this.#pause(1000);
      }
    }
  }

  /** Reads one filter until it has to begin again. */
  async #read(
    bucket: KV,
    given: {
      readonly filter: string;
      readonly filters: readonly string[];
      readonly reading: Reading;
      readonly book: RecordBook;
      readonly seal: RecordSeal;
    },
  ): Promise<void> {
    const { filter, filters, reading, book, seal } = given;
    const entries = await bucket.watch({ key: filter });
    void Promise.race([this.#again.promise, this.#end.promise]).then(() => entries.stop());
    let gathered: KvWatchEntry[] = [];
    let since = performance.now();
    for await (const entry of entries) {
      if (entry.operation !== "PUT") continue;
      if (gathered.length === 0) since = performance.now();
      gathered.push(entry);
      const isRead = entry.delta === 0; // nothing is behind it
      if (!isRead && gathered.length < AT_ONCE && performance.now() - since < GATHERED) continue;
      const batch = gathered;
      gathered = [];
      await this.#apply(batch, { reading, book, seal });
      if (isRead && !this.state.isComplete) {
        reading.read.add(filter);
        if (reading.read.size === filters.length) await this.#complete(reading, book);
      }
    }
  }

  async #apply(
    entries: readonly KvWatchEntry[],
    { reading, book, seal }: { reading: Reading; book: RecordBook; seal: RecordSeal },
  ): Promise<void> {
    const now = this.#needs.clock();
    const isNewKey = entries.some(
      ({ key, value }) => key === keyOf(this.#needs.name) && this.#takeKey(value),
    );
    if (isNewKey) return this.#again.resolve(); // and all is read under that one
    const applied = await writePatiently(this.#db, (tx) => {
      let written = 0;
      for (const { key: subject, value } of entries) {
        try {
          if (subject.startsWith(KEYS)) continue;
          if (isOfOtherKey(value, seal)) {
            reading.seen.add(subject); // what is sealed under ours follows
            continue;
          }
          if (subject === BEAT) this.#heard(seal, value, reading);
          else if (subject.endsWith(`.${COMPLETE}`)) {
            seal.open(subject, value);
            reading.complete.push(headOf(value).epoch);
          } else {
            reading.seen.add(subject);
            if (this.#isAlone && isSession(subject)) continue; // until somebody says whether it still is
            if (book.apply(tx, { subject, bytes: value }, now) === "written") written++;
          }
        } catch (error) {
          if (!(error instanceof SealError)) throw error;
          this.#needs.failed(`${subject} in the bucket is left out`, error);
        }
      }
      return written;
    });
    this.#readAt = performance.now(); // a long reading, whose beats wait behind the rest, is not begun again
    if (applied > 0) this.#needs.changed();
  }

  /** Whether it is a newer key than this box has. */
  #takeKey(value: Uint8Array): boolean {
    try {
      return takeSealedKey(this.#db, value);
    } catch (error) {
      this.#needs.failed("the boxes' next key cannot be opened", error);
      return false;
    }
  }

  /** The first beat of a reading lay in the bucket, as old as the last words of the books: what follows it was put meanwhile. */
  #heard(seal: RecordSeal, bytes: Uint8Array, reading: Reading): void {
    const { time } = JSON.parse(seal.open(BEAT, bytes)) as { time: Seconds };
    const head = headOf(bytes);
    if (head.epoch < accessState(this.#db).highest || (reading.beat && !isHigher(head, reading.beat))) return;
    const isFirst = reading.beat === undefined;
    reading.beat = head;
    noteEpoch(this.#db, head.epoch);
    if (isFirst) return;
    const { elapsed, clock, follow } = this.#needs;
    // what came in between was heard, and what others have open too
    if (this.#isAlone || performance.now() - this.#heardAt > MISSED) this.#again.resolve();
    this.#isAlone = false;
    this.#heardAt = performance.now();
    noteBeat(this.#db, time, elapsed);
    followBeat(this.#db, elapsed, follow);
    this.state.heardAt = clock();
    this.state.ahead = time - machineTime();
  }

  /** Forgets what is not in the bucket, where the newest books say that all there is stands in it. */
  async #complete({ seen, complete }: Reading, book: RecordBook): Promise<void> {
    const { highest } = accessState(this.#db);
    this.state.isComplete = true;
    if (complete.length === 0 || complete.some((epoch) => epoch < highest)) return;
    const now = this.#needs.clock();
    const forgotten = await writePatiently(this.#db, (tx) => book.forgetUnseen(tx, seen, now));
    if (forgotten > 0) this.#needs.changed();
  }

  async #hearAsks(nc: NatsConnection): Promise<void> {
    for await (const message of nc.subscribe(askOf(this.#needs.name))) void this.#answerOr(message);
  }

  async #answerOr(message: Msg): Promise<void> {
    try {
      await this.#answer(message);
    } catch (error) {
      this.#needs.failed("what the books ask could not be done", error);
    }
  }

  /** Once: who hears a request again, because somebody kept it, does nothing. */
  async #answer(message: Msg): Promise<void> {
    const { subject, data } = message;
    const seal = recordSeal(this.#db);
    if (!seal) return;
    const head = headOf(data);
    const request = JSON.parse(seal.open(subject, data)) as BoxRequest | { ask: typeof EPOCH_ASK }; // sealed by the books
    if (request.ask === EPOCH_ASK) {
      const { highest: epoch } = accessState(this.#db);
      const said = JSON.stringify({ epoch });
      message.respond(seal.seal(`${subject}.answer`, { epoch, number: 0, isGone: false }, said));
      return;
    }
    if (head.epoch < accessState(this.#db).highest || (this.#asked && !isHigher(head, this.#asked))) return;
    this.#asked = head;
    const answer = JSON.stringify(await this.#needs.asked(request));
    message.respond(seal.seal(`${subject}.answer`, { ...head, isGone: false }, answer));
  }

  async #watchBeat(): Promise<void> {
    while (!this.#isStopped) {
      await this.#pause(1000);
      const unheard = performance.now() - this.#heardAt;
      if (!this.#isAlone && unheard > othersCountFor(this.#db)) await this.#forgetOthers();
      if (unheard < MISSED || performance.now() - this.#readAt < MISSED) continue;
      this.#again.resolve();
    }
  }

  async #forgetOthers(): Promise<void> {
    try {
      await writePatiently(this.#db, (tx) => forgetOthers(tx, this.#needs.clock()));
      this.#isAlone = true;
    } catch (error) {
      this.#needs.failed("the sessions of other boxes could not be forgotten; trying again", error);
    }
  }

  /** Says how this box is, whether anybody hears it or not. */
  async #reportAlways(nc: NatsConnection): Promise<void> {
    const subject = reportOf(this.#needs.name);
    while (!this.#isStopped) {
      try {
        const seal = recordSeal(this.#db);
        if (seal && this.state.isConnected) {
          const report: BoxReport = { ...this.#needs.report(), isComplete: this.state.isComplete };
          const head = { epoch: accessState(this.#db).highest, number: 0, isGone: false };
          nc.publish(subject, seal.seal(subject, head, JSON.stringify(report)));
        }
      } catch (error) {
        this.#needs.failed("how this box is could not be said; trying again", error);
      }
      await this.#pause(REPORT_EVERY);
    }
  }

  /** Sends the journal from where the books have it, and goes on when they have answered. */
  async #goHomeAlways(nc: NatsConnection): Promise<void> {
    let isAnswered = false;
    while (!this.#isStopped) {
      const { home } = accessState(this.#db);
      const { elapsed, clock } = this.#needs;
      const rows = homecomings(this.#db, { after: home, limit: ROWS, bytes: BYTES, elapsed, now: clock() });
      // the first time without any too: books that were restored ask for more than this file thinks they have
      if (!this.state.isConnected || (rows.length === 0 && isAnswered)) {
        await this.#pause(LOOK_EVERY);
        continue;
      }
      try {
        await this.#goHome(nc, { after: home, rows });
        isAnswered = true;
      } catch {
        isAnswered = false;
        await this.#pause(1000); // nobody answers: the books are away, or not reached
      }
    }
  }

  async #goHome(nc: NatsConnection, told: ToldJournal): Promise<void> {
    const seal = recordSeal(this.#db);
    if (!seal) throw new Error("this box has no key yet");
    const subject = homeOf(this.#needs.name);
    const { highest } = accessState(this.#db);
    const head = { epoch: highest, number: told.rows[0]?.number ?? 0, isGone: false };
    const { data } = await nc.request(subject, seal.seal(subject, head, JSON.stringify(told)), {
      timeout: PATIENCE,
    });
    const { journal } = JSON.parse(seal.open(`${subject}.answer`, data)) as { journal: number };
    await writePatiently(this.#db, (tx) => {
      if (headOf(data).epoch >= highest) this.#keepHome(tx, journal);
    });
  }

  /** Books that were restored have less than they had: their number counts, and from there on it is sent again. */
  #keepHome({ $client }: Pick<Db, "$client">, journal: number): void {
    $client.query<unknown, [number]>("UPDATE access_state SET home = ?").run(journal);
  }

  async #pause(milliseconds: number): Promise<void> {
    if (!this.#isStopped) await Promise.race([Bun.sleep(milliseconds), this.#end.promise]);
  }
}

/** Whether a subject is that of an open session. */
function isSession(subject: string): boolean {
  return subject.split(".")[2] === "o";
}

/** Sealed under another of the boxes' keys: the next one is on its way, or the books are about to publish it anew. */
function isOfOtherKey(bytes: Uint8Array, { keyNumber }: RecordSeal): boolean {
  return headOf(bytes).keyNumber !== keyNumber;
}
