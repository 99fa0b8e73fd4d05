import type { NatsConnection } from "@nats-io/transport-node";
import { type Db, write, writePatiently } from "../../db/open.ts";
import { sqliteCode } from "../../db/sqlite-error.ts";
import { RecordBook } from "../domain/access-boxes/apply.ts";
import { takeSealedKey } from "../domain/access-boxes/boxes.ts";
import { headOf, isHigher, type Pair, type RecordSeal, SealError } from "../domain/access-boxes/seal.ts";
import { isFarAbove } from "../domain/access-boxes/signed-head.ts";
import { accessState, noteEpoch, noteSigned, recordSeal, type Scope } from "../domain/access-boxes/state.ts";
import type { Clock, Seconds } from "../domain/time.ts";
import type { Ending } from "./ending.ts";
import { type BucketEntry, watchBucket } from "./bucket-watch.ts";
import { BEAT, COMPLETE, consumerOf, filtersOf, inboxOf, HEAD, keyOf, KEYS } from "./subjects.ts";

/** Records that are written in one transaction, and milliseconds that the first of them waits for others. */
const AT_ONCE = 500;
const GATHERED = 20;

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

/** Reads what the books publish into the store of a box: the bucket as a whole, what comes after it, and all of it again when asked. */
export class BucketReader {
  readonly #db: Db;
  readonly #needs: Needs;
  readonly #ending: Ending;
  #again = Promise.withResolvers<void>();
  #isComplete = false;
  #readAt = performance.now();

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
    given: {
      readonly filter: string;
      readonly filters: readonly string[];
      readonly reading: Reading;
      readonly book: RecordBook;
      readonly seal: RecordSeal;
    },
  ): Promise<void> {
    const { filter, filters, reading, book, seal } = given;
    const { name } = this.#needs;
    const { entries, stop } = await watchBucket(nc, {
      ...{ name: consumerOf(name, filters.indexOf(filter)), filter, inbox: inboxOf(name) },
      lost: () => this.again(),
    });
    void Promise.race([this.#again.promise, this.#ending.coming]).then(stop);
    let gathered: BucketEntry[] = [];
    let since = performance.now();
    for await (const entry of entries) {
      if (gathered.length === 0) since = performance.now();
      gathered.push(entry);
      const isRead = entry.delta === 0; // nothing is behind it
      if (!isRead && gathered.length < AT_ONCE && performance.now() - since < GATHERED) continue;
      const batch = gathered;
      gathered = [];
      await this.#apply(batch, { reading, book, seal });
      if (isRead && !this.#isComplete) {
        reading.read.add(filter);
        if (reading.read.size === filters.length) await this.#complete(reading, book);
      }
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
    const applied = await writePatiently(this.#db, (tx) => {
      let written = 0;
      for (const { key: subject, value } of entries) {
        try {
          if (subject.startsWith(KEYS)) continue;
          if (subject === HEAD) {
            if (!noteSigned(this.#db, value)) this.#needs.unsigned(headOf(value).epoch);
            continue;
          }
          if (!seal.has(subject)) continue; // it is of an ISP that this box is not for
          if (isOfOtherKey(value, seal)) {
            reading.seen.add(subject); // what is sealed under ours follows
            continue;
          }
          if (subject === BEAT) this.#heard(seal, value, reading);
          else if (subject.endsWith(`.${COMPLETE}`)) {
            seal.open(subject, value);
            reading.complete.push(headOf(value).epoch);
          } else {
            requireNear(value, accessState(this.#db).highest);
            reading.seen.add(subject);
            if (this.#needs.isAlone() && isSession(subject)) continue; // until somebody says whether it still is
            const record = { subject, bytes: value };
            if (write(this.#db, () => book.apply(tx, record, now)) === "written") written++;
          }
        } catch (error) {
          // one that this store refuses, and would again, keeps nobody from the others
          const isRefused = error instanceof SealError || sqliteCode(error).startsWith("SQLITE_CONSTRAINT");
          if (!isRefused) throw error;
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
