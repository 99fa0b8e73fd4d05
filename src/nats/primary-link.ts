import { jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { type Db, write } from "../../db/open.ts";
import { standBack } from "../../db/turns.ts";
import { sealedKeys } from "../domain/machine/access-boxes/boxes.ts";
import { primaryLinkState, type PrimaryLinkState } from "../domain/machine/access-boxes/link-state.ts";
import { primaryBehind } from "../domain/machine/access-boxes/book-changes.ts";
import {
  isPublished,
  placeSubjects,
  markAll,
  notePublished,
  type Publication,
  publications,
} from "../domain/machine/access-boxes/publishing.ts";
import { DueMarks } from "../domain/machine/access-boxes/due-marks.ts";
import { Claims } from "../domain/machine/access-boxes/claims.ts";
import { BACKUP_COPY } from "../domain/machine/backup/sealed-copy.ts";
import { parseHead, type RecordSeal } from "../domain/machine/access-boxes/seal.ts";
import {
  countsAbove,
  headEpoch,
  claimedEpoch,
  signHead,
  readSigningKey,
} from "../domain/machine/access-boxes/signed-head.ts";
import {
  accessState,
  isOver,
  keepBucket,
  noteOver,
  PairCounter,
  recordSeal,
} from "../domain/machine/access-boxes/state.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { askNode } from "./ask.ts";
import { BoxListener, type BoxListenerNeeds } from "./node-listener.ts";
import { connectLink, type NatsOptions } from "./connection.ts";
import { Ending } from "./ending.ts";
import { listedKeys } from "./listed-keys.ts";
import { OtherHands } from "./other-hands.ts";
import type { NodeRequest } from "../domain/service/control/routers-of-boxes.ts";
import {
  askSubject,
  backupsBucket,
  PRIMARY_INBOX,
  BEAT,
  BUCKET,
  COMPLETE,
  HEAD,
  nodeKey,
  STREAM,
} from "./subjects.ts";
import { PrimaryStream } from "./primary-stream.ts";
import { newestWhole, putBackup } from "./backup-store.ts";

/** Milliseconds between two checks for changes; every so often data used is checked too. */
const LOOK_EVERY = 50;
const MINUTE = 60_000;
const BEAT_EVERY = 5000;
/** Milliseconds an access box has to ask its router and answer. */
const ASK_PATIENCE = 15_000;
/** Milliseconds after which deleted keys are purged from the bucket; boxes cut off for longer read it as a whole anyway. */
const GONE_AFTER = 600_000;

/**
 * The NATS side of the primary: it publishes what access boxes need, sends a heartbeat, and receives their reports. One at a
 * time, on its own connection.
 */
export class PrimaryLink {
  readonly state: {
    -readonly [K in keyof Omit<PrimaryLinkState, "at" | "waiting" | "claims">]: PrimaryLinkState[K];
  };
  readonly #db: Db;
  readonly #needs: BoxListenerNeeds;
  readonly #pairs: PairCounter;
  readonly #due: DueMarks;
  readonly #ears: BoxListener;
  readonly #stream: PrimaryStream;
  readonly #claims = new Claims();
  readonly #ending = new Ending();
  readonly #gone = new Map<string, number>();
  readonly #others = new OtherHands();
  #isRepairDue = false;
  #lookedAt = -Infinity;
  #repairedAt = -Infinity;
  #nc: NatsConnection | undefined;
  #manager: JetStreamManager | undefined;
  #bucket: KV | undefined;
  #isCompleteDue = true;
  #isEmpty = false;
  /** The number of the box key that the bucket has for each of them. */
  #keyTold = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(db: Db, needs: BoxListenerNeeds) {
    this.#db = db;
    this.#needs = needs;
    const {
      rebuiltAt = null,
      spoiltAt = null,
      reached = 0,
    }: Partial<PrimaryLinkState> = primaryLinkState(db) ?? {};
    this.state = {
      isConnected: false,
      since: needs.clock(),
      behindSince: null,
      published: 0,
      lag: 0,
      rebuiltAt,
      spoiltAt,
      reached,
      behind: { changes: 0, since: null },
      booked: 0,
      fault: null,
    };
    this.#pairs = new PairCounter(db);
    this.#due = new DueMarks(db);
    this.#ears = new BoxListener(db, needs, this.#claims);
    this.#stream = new PrimaryStream(db);
  }

  /** Connects and runs until stopped. Resolves at the first connection. */
  async start(options: NatsOptions): Promise<void> {
    const nc = await connectLink(options, {
      ...this.#needs,
      state: this.state,
      inbox: PRIMARY_INBOX,
      ending: this.#ending,
      back: () => {
        this.#bucket = undefined; // its server may have lost it meanwhile
        this.#stream.forget();
      },
    });
    if (!nc) return;
    this.#nc = nc;
    this.#ears.listen(nc);
    this.#work = Promise.all([this.#publishAlways(nc), this.#bookAlways(nc), this.#beatAlways()]);
  }

  /** The link's state as it is stored. */
  standing(now: Seconds): PrimaryLinkState {
    const { waiting } = this.#due;
    if (waiting === 0) this.state.behindSince = null;
    else this.state.behindSince ??= now;
    return { ...this.state, at: now, waiting, claims: this.#claims.all() };
  }

  /** Stops publishing, and resolves when work under way has ended. */
  async stop(): Promise<void> {
    this.#ending.come();
    await this.#work;
    await this.#nc?.close();
  }

  async #publishAlways(nc: NatsConnection): Promise<void> {
    let minute = performance.now();
    while (!this.#ending.isCome) {
      let isMore = false;
      try {
        const isMinute = performance.now() - minute >= MINUTE;
        isMore = await this.#publish(nc, isMinute);
        if (isMinute && !isMore) minute = performance.now();
      } catch (error) {
        this.#needs.failed("what boxes are told could not be published; trying again", error);
        this.#bucket = undefined;
        await this.#ending.pause(1000);
      }
      if (!isMore) await this.#ending.pause(LOOK_EVERY);
    }
  }

  /** Writes the primary's change stream beside the bucket: neither waits for the other. */
  async #bookAlways(nc: NatsConnection): Promise<void> {
    while (!this.#ending.isCome) {
      try {
        this.state.behind = primaryBehind(this.#db);
        // not before the bucket was read: it says whether another primary counts
        if (this.#bucket && this.#seal() && this.state.isConnected) {
          const number = await this.#stream.publish(nc);
          if (number !== undefined) this.state.booked = number;
        }
      } catch (error) {
        this.#stream.forget();
        this.#needs.failed("what the books have written is not in their stream yet; trying again", error);
        await this.#ending.pause(1000);
      }
      await this.#ending.pause(LOOK_EVERY);
    }
  }

  /** Whether there is more to put at once. */
  async #publish(nc: NatsConnection, isMinute: boolean): Promise<boolean> {
    const seal = this.#seal();
    if (!seal || !this.state.isConnected) return false;
    if (this.#pairs.follow(accessState(this.#db).epoch)) {
      this.#bucket = undefined; // promoted: all is published anew, under the new epoch
      this.#isCompleteDue = true;
    }
    const bucket = await this.#open(nc);
    if (accessState(this.#db).marking === 0) return this.#empty();
    this.#isEmpty = false;
    if (await this.#isSpoilt(seal)) await this.#repair(bucket);
    await this.#tellKeys(bucket, seal);
    const { marks, isMore, isBehind } = this.#due.take({ isMinute, now: performance.now() });
    if (marks.length > 0) {
      const failed = (key: string, error: unknown) =>
        this.#needs.failed(`${key} cannot be told to the boxes`, error);
      const made = publications(this.#db, marks, { seal, pairs: this.#pairs, failed });
      const begun = performance.now();
      await Promise.all(
        made.flatMap(({ puts }) => puts.map(({ subject, bytes }) => this.#putBytes(bucket, subject, bytes))),
      );
      this.state.lag = performance.now() - begun;
      await standBack(this.#db);
      notePublished(this.#db, made);
      this.#due.published(performance.now());
      this.#noteGone(made);
      this.state.published += made.length;
    }
    if (!isBehind) this.state.behindSince = null;
    if (!isMore && this.#isCompleteDue) await this.#complete(bucket, seal);
    return isMore;
  }

  /** After the last access box was removed, nobody needs what was published. */
  async #empty(): Promise<false> {
    if (!this.#isEmpty) await this.#manager?.streams.purge(STREAM);
    this.#isEmpty = true;
    this.#keyTold = 0;
    return false;
  }

  /** Puts the new box key for each access box before anything sealed under it. */
  async #tellKeys(bucket: KV, seal: RecordSeal): Promise<void> {
    if (this.#keyTold === seal.keyNumber) return;
    for (const { name, bytes } of sealedKeys(this.#db)) await this.#putBytes(bucket, nodeKey(name), bytes);
    this.#keyTold = seal.keyNumber;
    this.#isCompleteDue = true;
  }

  /**
   * A head signed by a primary of a higher epoch ends this one; it is readable without the box key, which may have changed
   * since. Otherwise our own head is put if it is missing.
   */
  async #hearOthers(bucket: KV): Promise<void> {
    const { epoch } = accessState(this.#db);
    const head = await bucket.get(HEAD);
    const isThere = head?.operation === "PUT";
    const signed = isThere ? headEpoch(head.value, readSigningKey(this.#db)) : undefined;
    if (countsAbove(signed, epoch)) return write(this.#db, (tx) => noteOver(tx, this.#needs.clock()));
    const beat = await bucket.get(BEAT);
    const entries = [...(isThere ? [head] : []), ...(beat?.operation === "PUT" ? [beat] : [])];
    const highest = Math.max(0, ...entries.map(({ value }) => claimedEpoch(value) ?? 0));
    this.#claims.hear({ who: null, epoch: highest, at: this.#needs.clock() }, epoch);
    if (signed !== epoch) await this.#putBytes(bucket, HEAD, signHead(this.#db, epoch));
  }

  /** Checked between records, as often as a heartbeat is sent. */
  async #isSpoilt(seal: RecordSeal): Promise<boolean> {
    const now = performance.now();
    if (this.#manager && now - this.#lookedAt > BEAT_EVERY) {
      this.#lookedAt = now;
      this.#isRepairDue ||= await this.#others.areThere(this.#manager, seal);
    }
    return this.#isRepairDue;
  }

  /** Somebody else has overwritten or filled the bucket: it is deleted and published anew. At most once a minute, as an attacker may continue. */
  async #repair(bucket: KV): Promise<void> {
    const now = performance.now();
    if (now - this.#repairedAt < MINUTE) return;
    this.#repairedAt = now;
    this.#isRepairDue = false;
    this.#needs.failed(
      "somebody else writes what access boxes are told: all of it is published anew",
      "no box may; whoever has taken one asks nats-server for answers that are written there; see: gatehouse check",
    );
    this.state.spoiltAt = this.#needs.clock();
    await this.#manager?.streams.purge(STREAM);
    write(this.#db, (tx) => markAll(tx));
    this.#keyTold = 0;
    this.#gone.clear();
    this.#isCompleteDue = true;
    await this.#hearOthers(bucket);
  }

  /** Revisions this primary does not know to have written: its store was restored. Everything is published again with higher numbers. */
  async #hearEarlierLife(bucket: KV): Promise<void> {
    for (const key of [BEAT, `0.0.${COMPLETE}`]) {
      const entry = await bucket.get(key);
      const { epoch, number } = accessState(this.#db);
      // foreign records are found and repaired once this primary publishes
      if (entry?.operation !== "PUT" || claimedEpoch(entry.value) === undefined) continue;
      const head = parseHead(entry.value);
      if (head.epoch !== epoch || head.number <= number) continue;
      write(this.#db, (tx) => {
        this.#pairs.goOnAbove(tx, head.number);
        markAll(tx);
      });
      this.#isCompleteDue = true;
    }
  }

  /** The key to seal with; undefined: no access boxes yet, or this primary is over. */
  #seal(): RecordSeal | undefined {
    return isOver(this.#db) || accessState(this.#db).pending !== null ? undefined : recordSeal(this.#db);
  }

  /** The bucket; everything is published again when it is a new one or has lost its last records. */
  async #open(nc: NatsConnection): Promise<KV> {
    if (this.#bucket) return this.#bucket;
    const bucket = await new Kvm(nc).create(BUCKET, { history: 1 });
    this.#manager ??= await jetstreamManager(nc);
    await this.#hearOthers(bucket);
    await this.#hearEarlierLife(bucket);
    if (isOver(this.#db)) throw new Error("books with a higher epoch count");
    const { created, state } = await this.#manager.streams.info(STREAM);
    this.#others.begin(Math.min(this.state.reached, state.last_seq));
    const before = accessState(this.#db).bucket;
    this.#keyTold = 0;
    // nats-server syncs its files every two minutes: a power cut loses what it had acknowledged since
    if (before !== created || state.last_seq < this.state.reached) {
      if (before !== null) this.state.rebuiltAt = this.#needs.clock();
      write(this.#db, (tx) => {
        markAll(tx);
        keepBucket(tx, created);
      });
      this.state.reached = state.last_seq;
      this.#isCompleteDue = true;
    }
    this.#bucket = bucket;
    return bucket;
  }

  /** Marks the bucket complete for each ISP and branch, so that boxes delete what is not in it. */
  async #complete(bucket: KV, seal: RecordSeal): Promise<void> {
    for (const subject of placeSubjects(this.#db))
      await this.#put(bucket, seal, `${subject}.${COMPLETE}`, {});
    await this.#sweep(bucket);
    this.#isCompleteDue = false;
  }

  /** Removes keys from the bucket whose rows were deleted while this primary was not running. */
  async #sweep(bucket: KV): Promise<void> {
    const keys = new Set(sealedKeys(this.#db).map(({ name }) => nodeKey(name)));
    for await (const subject of listedKeys(bucket)) {
      const key = subject.split(".").slice(2).join(".");
      if (
        key !== COMPLETE &&
        subject !== BEAT &&
        subject !== HEAD &&
        !keys.has(subject) &&
        !isPublished(this.#db, key)
      )
        this.#gone.set(subject, performance.now());
    }
  }

  #noteGone(made: readonly Publication[]): void {
    for (const { puts } of made)
      for (const { subject, isGone } of puts) {
        if (isGone) this.#gone.set(subject, performance.now());
        else this.#gone.delete(subject);
      }
  }

  async #purge(): Promise<void> {
    const before = performance.now() - GONE_AFTER;
    for (const [subject, at] of this.#gone) {
      if (at > before || this.#ending.isCome) return; // in the order in which they went
      await this.#manager?.streams.purge(STREAM, { filter: `$KV.${BUCKET}.${subject}` });
      this.#gone.delete(subject);
    }
  }

  async #beatAlways(): Promise<void> {
    while (!this.#ending.isCome) {
      try {
        const seal = this.#seal();
        if (seal && this.#bucket && this.state.isConnected && !this.#isEmpty) {
          await this.#hearOthers(this.#bucket);
          if (isOver(this.#db)) continue;
          await this.#put(this.#bucket, seal, BEAT, { time: this.#needs.clock() });
          await this.#purge();
        }
      } catch (error) {
        this.#needs.failed("the beat of the books could not be put; trying again", error);
      }
      await this.#ending.pause(BEAT_EVERY);
    }
  }

  async #put(bucket: KV, seal: RecordSeal, subject: string, body: object): Promise<void> {
    const pair = this.#pairs.next();
    const bytes = seal.seal(subject, { ...pair, isGone: false }, JSON.stringify(body));
    await this.#putBytes(bucket, subject, bytes);
  }

  async #putBytes(bucket: KV, subject: string, bytes: Uint8Array): Promise<void> {
    const revision = await bucket.put(subject, bytes);
    this.#others.wrote(revision);
    this.state.reached = Math.max(this.state.reached, revision);
  }

  /** Stores a backup for another machine to fetch. Rejects unless it was stored completely; returns its size there. */
  async putBackup(file: string): Promise<number> {
    const nc = this.#nc;
    if (!recordSeal(this.#db))
      throw new Error("there are no access boxes yet; the first: gatehouse box add tower-1");
    if (!this.#seal()) throw new Error("these books do not count; see: gatehouse check");
    if (!nc || !this.state.isConnected)
      throw new Error("nats-server is away; on its machine: systemctl status nats-server");
    await this.#open(nc); // which says so where others count by now
    const key = this.#db.vault.deriveKey(BACKUP_COPY);
    return putBackup(nc, { bucket: backupsBucket(this.#db), file, key });
  }

  /** The newest complete backup, null for none. Rejects when NATS cannot be reached. */
  async newestBackup(): Promise<{ at: Seconds; bytes: number } | null> {
    if (!this.#nc || !this.state.isConnected) throw new Error("nats-server is away");
    const newest = await newestWhole(this.#nc, backupsBucket(this.#db));
    return newest ? { at: newest.createdAt, bytes: newest.bytes } : null;
  }

  /** Asks an access box. Rejects when it does not answer within `patience` milliseconds, or the answer is not sealed by it. */
  async ask(node: string, request: NodeRequest, patience = ASK_PATIENCE): Promise<unknown> {
    const seal = this.#seal();
    if (!this.#nc || !seal || !this.state.isConnected)
      throw new Error("the books have no connection to NATS");
    const subject = askSubject(node);
    const head = { ...this.#pairs.next(), isGone: false };
    const bytes = seal.seal(subject, head, JSON.stringify({ ...request, at: this.#needs.clock() }));
    const data = await askNode(this.#nc, node, { bytes, patience });
    return JSON.parse(seal.open(`${subject}.answer`, data));
  }
}
