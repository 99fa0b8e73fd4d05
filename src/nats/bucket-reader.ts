import type { NatsConnection } from "@nats-io/transport-node";
import { type Db, type Tx, write, writePatiently } from "../../db/open.ts";
import { sqliteCode } from "../../db/sqlite-error.ts";
import { type Opened, RecordBook, type Sealed } from "../domain/machine/access-boxes/apply.ts";
import { takeSealedKey } from "../domain/machine/access-boxes/boxes.ts";
import {
  isHigher,
  type Pair,
  parseHead,
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
import { BEAT, COMPLETE, consumerName, scopeFilters, nodeInbox, HEAD, nodeKey, KEYS } from "./subjects.ts";

/** Most records opened in one batch. */
const AT_ONCE = 500;
/**
 * Milliseconds of a transaction, followed by a pause as long: other writers of the access box wait at most a tenth of a second,
 * and look for the lock every 25 ms.
 */
const WRITING = 50;
const LEAVING = 27;

interface Needs {
  readonly name: string;
  readonly scope: Scope | null;
  readonly clock: Clock;
  readonly changed: () => void;
  /** The primary's heartbeat, with its time. */
  readonly beat: (time: Seconds) => void;
  /** Somebody claims this epoch without the primary's signature; null: the claim was proven. */
  readonly unsigned: (epoch: number | null) => void;
  /** Whether everything in the bucket has been read. */
  readonly complete: (isComplete: boolean) => void;
  /** Whether sessions of other access boxes are ignored because we are cut off. */
  readonly isAlone: () => boolean;
  readonly failed: (what: string, error: unknown) => void;
}

interface Reading {
  readonly seen: Set<string>;
  /** Filters whose present keys have all been read. */
  readonly read: Set<string>;
  /** Epochs of the keys that mark the bucket complete. */
  readonly complete: number[];
  beat?: Pair;
}

/** Applies what the primary publishes to the store of an access box: the whole bucket, then changes, and the whole bucket again on request. */
export class BucketReader {
  readonly #db: Db;
  readonly #needs: Needs;
  readonly #ending: Ending;
  #again = Promise.withResolvers<void>();
  #isComplete = false;
  #readAt = performance.now();
  #wroteAt = 0;
  /** Cached highest known epoch while records are written: to query it each time would take a tenth of the writing. */
  #highest: number | undefined;

  constructor(db: Db, needs: Needs, ending: Ending) {
    this.#db = db;
    this.#needs = needs;
    this.#ending = ending;
  }

  /** Time of the last read, from a monotonic clock. */
  get readAt(): number {
    return this.#readAt;
  }

  /** Starts over: something may have been missed. */
  again(): void {
    this.#again.resolve();
  }

  /** Reads the bucket and its changes, and restarts whenever the stream may have stopped silently. */
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
        const filters = scopeFilters(this.#needs.scope);
        await Promise.all(filters.map((filter) => this.#read(nc, { filter, filters, reading, book, seal })));
      } catch (error) {
        if (!this.#ending.isCome)
          this.#needs.failed("what the books tell could not be read; trying again", error);
        await this.#ending.pause(1000);
      }
    }
  }

  /** Reads one filter until it has to restart. */
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
      name: consumerName(name, filters.indexOf(filter)),
      filter,
      inbox: nodeInbox(name),
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
      ({ key, value }) => key === nodeKey(this.#needs.name) && this.#takeKey(value),
    );
    if (isNewKey) return this.again(); // and all is read under that one
    const opened = entries.map(({ key: subject, value: bytes }) =>
      openOr({ subject, bytes }, { book, seal }),
    );
    let applied = 0;
    for (let at = 0; at < opened.length;) {
      await this.#leaveOthers();
      // a retried transaction starts from the same record
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

  /** Pauses so that other writers of the access box get the lock between two transactions. */
  async #leaveOthers(): Promise<void> {
    for (let rest: number; (rest = this.#wroteAt + LEAVING - performance.now()) > 0;) await Bun.sleep(rest);
  }

  /** Whether a record was written. A record that this store refuses does not hold up the others. */
  #take(
    tx: Tx,
    { subject, bytes, outcome }: Entry,
    { reading, book, seal, now }: { reading: Reading; book: RecordBook; seal: RecordSeal; now: Seconds },
  ): boolean {
    try {
      if (subject.startsWith(KEYS)) return false;
      if (subject === HEAD || subject === BEAT) this.#highest = undefined;
      if (subject === HEAD) {
        if (!noteSigned(this.#db, bytes)) this.#needs.unsigned(parseHead(bytes).epoch);
        return false;
      }
      if (!seal.has(subject)) return false; // it is of an ISP that this box is not for
      // an unreadable record still marks its key as present, and one sealed under our key may be preceded by one of another key
      reading.seen.add(subject);
      if (hasOtherKey(bytes, seal)) return false;
      if (subject === BEAT) this.#heard(seal, bytes, reading);
      else if (subject.endsWith(`.${COMPLETE}`)) {
        seal.open(subject, bytes);
        reading.complete.push(parseHead(bytes).epoch);
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

  /** Whether it is a newer key than ours. */
  #takeKey(value: Uint8Array): boolean {
    try {
      return takeSealedKey(this.#db, value);
    } catch (error) {
      this.#needs.failed("the boxes' next key cannot be opened", error);
      return false;
    }
  }

  /** The first heartbeat of a read was stored in the bucket, so it may be old: everything after it is newer. */
  #heard(seal: RecordSeal, bytes: Uint8Array, reading: Reading): void {
    const { time } = JSON.parse(seal.open(BEAT, bytes)) as { time: Seconds };
    const head = parseHead(bytes);
    if (head.epoch < accessState(this.#db).highest || (reading.beat && !isHigher(head, reading.beat))) return;
    if (!noteEpoch(this.#db, head.epoch)) return this.#needs.unsigned(head.epoch);
    this.#needs.unsigned(null);
    const isFirst = reading.beat === undefined;
    reading.beat = head;
    if (!isFirst) this.#needs.beat(time);
  }

  /** Deletes what the bucket does not contain, once the current primary has marked it complete. */
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

/** A bucket entry: its content when it is a new record, or why it is not. */
interface Entry extends Sealed {
  readonly outcome: Opened | SealError | undefined;
}

function openOr(sealed: Sealed, { book, seal }: { book: RecordBook; seal: RecordSeal }): Entry {
  const { subject, bytes } = sealed;
  const isRecord = !subject.startsWith(KEYS) && subject !== HEAD && subject !== BEAT;
  try {
    if (!isRecord || subject.endsWith(`.${COMPLETE}`) || hasOtherKey(bytes, seal))
      return { ...sealed, outcome: undefined };
    return { ...sealed, outcome: book.open(sealed) };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return { ...sealed, outcome: error };
  }
}

/** Throws SealError for an epoch far above ours, which would outrank everything the primary ever publishes. */
function requireNear(bytes: Uint8Array, highest: number): void {
  const { epoch } = parseHead(bytes);
  if (isFarAbove(epoch, highest)) throw new SealError(`its epoch ${epoch} is far above that of the books`);
}

function isSession(subject: string): boolean {
  return subject.split(".")[2] === "o";
}

/** Sealed under another key of the access boxes: the new key is on its way, or the primary is about to publish the record again. */
function hasOtherKey(bytes: Uint8Array, { keyNumber }: RecordSeal): boolean {
  return parseHead(bytes).keyNumber !== keyNumber;
}
