import type { NatsConnection } from "@nats-io/transport-node";
import { type Db, type Tx, write, writePatiently } from "../../db/open.ts";
import { sqliteCode } from "../../db/sqlite-error.ts";
import { type Opened, RecordBook, type Sealed } from "../domain/machine/access-boxes/apply.ts";
import { takeSealedKey } from "../domain/machine/access-boxes/boxes.ts";
import {
  headOf,
  isHigher,
  type Pair,
  type RecordSeal,
  SealError,
} from "../domain/machine/access-boxes/seal.ts";
import { isFarAbove } from "../domain/machine/access-boxes/signed-head.ts";
import type { Scope } from "../domain/service/box-standing/box-scope.ts";
import { accessState, noteEpoch, noteSigned, recordSeal } from "../domain/machine/access-boxes/state.ts";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
import { inBatches } from "./batches.ts";
import type { Ending } from "./ending.ts";
import { type BucketEntry, watchBucket } from "./bucket-watch.ts";
import { BEAT, COMPLETE, consumerOf, filtersOf, inboxOf, HEAD, keyOf, KEYS } from "./subjects.ts";

/** Records that are opened together, at the most. */
const AT_ONCE = 500;
/**
 * Milliseconds for which a transaction of them lasts, and is followed by none: whoever else of the box wants to write waits for a tenth
 * of a second, and looks every 25 milliseconds by then.
 */
const WRITING = 50;
const LEAVING = 27;

interface Needs {
  readonly name: string;
  readonly scope: Scope | null;
  readonly clock: Clock;
  /** Subscribers and routers may have changed. */
  readonly changed: () => void;
  /** The books have said that they are there, and what time it is. */
  readonly beat: (time: Seconds) => void;
  /** Somebody says that they are the books, and has not signed that epoch; null: they are ours. */
  readonly unsigned: (epoch: number | null) => void;
  /** Whether all that there is has been read. */
  readonly complete: (isComplete: boolean) => void;
  /** Whether sessions of others count no more. */
  readonly isAlone: () => boolean;
  readonly failed: (what: string, error: unknown) => void;
}

interface Reading {
  readonly seen: Set<string>;
  /** Filters whose present keys have all been read. */
  readonly read: Set<string>;
  /** Epochs of the keys that say so. */
  readonly complete: number[];
  /** The newest beat. */
  beat?: Pair;
}

/** Reads what the books publish into the store of a box: the bucket as a whole, what comes after it, and all of it again when asked. */
export class BucketReader {
  readonly #db: Db;
  readonly #needs: Needs;
  readonly #ending: Ending;
  #again = Promise.withResolvers<void>();
  #isComplete = false;
  #readAt = performance.now();
  #wroteAt = 0;
  /** The highest epoch that this box knows, while records are written alone: to ask for each takes a tenth of writing it. */
  #highest: number | undefined;

  constructor(db: Db, needs: Needs, ending: Ending) {
    this.#db = db;
    this.#needs = needs;
    this.#ending = ending;
  }

  /** When something was read last, by a clock that never jumps. */
  get readAt(): number {
    return this.#readAt;
  }

  /** Begins anew: something may have been missed. */
  again(): void {
    this.#again.resolve();
  }

  /** Reads everything and what comes after it, and begins again whenever that may have stopped without a word. */
  async readAlways(nc: NatsConnection): Promise<void> {
    while (!this.#ending.isCome) {
      this.#again = Promise.withResolvers();
      this.#readAt = performance.now();
      this.#needs.complete(false);
      this.#isComplete = false;
      const seal = recordSeal(this.#db);
      const { boxId } = accessState(this.#db);
      try {
        if (!seal || boxId === null) throw new Error("this box has no key yet; run: gatehouse box join");
        const reading: Reading = { seen: new Set(), read: new Set(), complete: [] };
        const book = new RecordBook(this.#db, { boxId, seal });
        const filters = filtersOf(this.#needs.scope);
        await Promise.all(filters.map((filter) => this.#read(nc, { filter, filters, reading, book, seal })));
      } catch (error) {
        if (!this.#ending.isCome)
          this.#needs.failed("what the books tell could not be read; trying again", error);
        await this.#ending.pause(1000);
      }
    }
  }

  /** Reads one filter until it has to begin again. */
  async #read(
    nc: NatsConnection,
    options: {
      readonly filter: string;
      readonly filters: readonly string[];
      readonly reading: Reading;
      readonly book: RecordBook;
      readonly seal: RecordSeal;
    },
  ): Promise<void> {
    const { filter, filters, reading, book, seal } = options;
    const { name } = this.#needs;
    const { entries, stop } = await watchBucket(nc, {
      name: consumerOf(name, filters.indexOf(filter)),
      filter,
      inbox: inboxOf(name),
      lost: () => this.again(),
    });
    void Promise.race([this.#again.promise, this.#ending.coming]).then(stop);
    const ready = () => this.#leaveOthers();
    try {
      for await (const batch of inBatches(entries, { most: AT_ONCE, ready })) {
        await this.#apply(batch, { reading, book, seal });
        if (this.#isComplete || batch.every(({ delta }) => delta > 0)) continue;
        reading.read.add(filter); // nothing was behind one of them
        if (reading.read.size === filters.length) await this.#complete(reading, book);
      }
    } finally {
      stop();
    }
  }

  async #apply(
    entries: readonly BucketEntry[],
    { reading, book, seal }: { reading: Reading; book: RecordBook; seal: RecordSeal },
  ): Promise<void> {
    const now = this.#needs.clock();
    const isNewKey = entries.some(
      ({ key, value }) => key === keyOf(this.#needs.name) && this.#takeKey(value),
    );
    if (isNewKey) return this.again(); // and all is read under that one
    const opened = entries.map(({ key: subject, value: bytes }) =>
      openOr({ subject, bytes }, { book, seal }),
    );
    let applied = 0;
    for (let at = 0; at < opened.length;) {
      await this.#leaveOthers();
      // what is tried again is taken again from where this one began
      const slice = await writePatiently(this.#db, (tx) => {
        const begun = performance.now();
        this.#highest = undefined;
        let [next, written] = [at, 0];
        while (next < opened.length && (next === at || performance.now() - begun < WRITING)) {
          const entry = opened[next++];
          if (entry && this.#take(tx, entry, { reading, book, seal, now })) written++;
        }
        return { next, written };
      });
      this.#wroteAt = performance.now();
      at = slice.next;
      applied += slice.written;
    }
    this.#readAt = performance.now(); // a long reading, whose beats wait behind the rest, is not begun again
    if (applied > 0) this.#needs.changed();
  }

  /** Others of the box write between two transactions. */
  async #leaveOthers(): Promise<void> {
    for (let rest: number; (rest = this.#wroteAt + LEAVING - performance.now()) > 0;) await Bun.sleep(rest);
  }

  /** Whether a record was written. What this store refuses, and would again, keeps nobody from the others. */
  #take(
    tx: Tx,
    { subject, bytes, outcome }: Entry,
    { reading, book, seal, now }: { reading: Reading; book: RecordBook; seal: RecordSeal; now: Seconds },
  ): boolean {
    try {
      if (subject.startsWith(KEYS)) return false;
      if (subject === HEAD || subject === BEAT) this.#highest = undefined;
      if (subject === HEAD) {
        if (!noteSigned(this.#db, bytes)) this.#needs.unsigned(headOf(bytes).epoch);
        return false;
      }
      if (!seal.has(subject)) return false; // it is of an ISP that this box is not for
      // whatever stands there: what is no record takes nothing away, and what is sealed under our key follows that of another
      reading.seen.add(subject);
      if (isOfOtherKey(bytes, seal)) return false;
      if (subject === BEAT) this.#heard(seal, bytes, reading);
      else if (subject.endsWith(`.${COMPLETE}`)) {
        seal.open(subject, bytes);
        reading.complete.push(headOf(bytes).epoch);
      } else {
        requireNear(bytes, (this.#highest ??= accessState(this.#db).highest));
        if (this.#needs.isAlone() && isSession(subject)) return false; // until somebody says whether it still is
        if (outcome instanceof SealError) throw outcome;
        if (!outcome) return false;
        write(this.#db, () => book.write(tx, outcome, now));
        return true;
      }
    } catch (error) {
      const isRefused = error instanceof SealError || sqliteCode(error).startsWith("SQLITE_CONSTRAINT");
      if (!isRefused) throw error;
      this.#needs.failed(`${subject} in the bucket is left out`, error);
    }
    return false;
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
    if (!noteEpoch(this.#db, head.epoch)) return this.#needs.unsigned(head.epoch);
    this.#needs.unsigned(null);
    const isFirst = reading.beat === undefined;
    reading.beat = head;
    if (!isFirst) this.#needs.beat(time);
  }

  /** Forgets what is not in the bucket, where the newest books say that all there is stands in it. */
  async #complete({ seen, complete }: Reading, book: RecordBook): Promise<void> {
    const { highest } = accessState(this.#db);
    this.#needs.complete(true);
    this.#isComplete = true;
    if (complete.length === 0 || complete.some((epoch) => epoch !== highest)) return;
    const now = this.#needs.clock();
    const forgotten = await writePatiently(this.#db, (tx) => book.forgetUnseen(tx, seen, now));
    if (forgotten > 0) this.#needs.changed();
  }
}

/** What lies in the bucket, and what it says if it is a record and news, or why it is none. */
interface Entry extends Sealed {
  readonly outcome: Opened | SealError | undefined;
}

function openOr(sealed: Sealed, { book, seal }: { book: RecordBook; seal: RecordSeal }): Entry {
  const { subject, bytes } = sealed;
  const isRecord = !subject.startsWith(KEYS) && subject !== HEAD && subject !== BEAT;
  try {
    if (!isRecord || subject.endsWith(`.${COMPLETE}`) || isOfOtherKey(bytes, seal))
      return { ...sealed, outcome: undefined };
    return { ...sealed, outcome: book.open(sealed) };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return { ...sealed, outcome: error };
  }
}

/** Throws SealError for a record of nobody's books: it would be above all that they ever publish. */
function requireNear(bytes: Uint8Array, highest: number): void {
  const { epoch } = headOf(bytes);
  if (isFarAbove(epoch, highest)) throw new SealError(`its epoch ${epoch} is far above that of the books`);
}

/** Whether a subject is that of an open session. */
function isSession(subject: string): boolean {
  return subject.split(".")[2] === "o";
}

/** Sealed under another of the boxes' keys: the next one is on its way, or the books are about to publish it anew. */
function isOfOtherKey(bytes: Uint8Array, { keyNumber }: RecordSeal): boolean {
  return headOf(bytes).keyNumber !== keyNumber;
}
