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
import { headOf, type RecordSeal } from "../domain/machine/access-boxes/seal.ts";
import {
  countsAbove,
  headEpoch,
  claimedEpoch,
  signHead,
  signingKeyOf,
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
import { connectNats, faultKept, type NatsOptions } from "./connection.ts";
import { Ending } from "./ending.ts";
import { listedKeys } from "./listed-keys.ts";
import { OtherHands } from "./other-hands.ts";
import type { NodeRequest } from "../domain/service/control/routers-of-boxes.ts";
import { askOf, backupsOf, PRIMARY_INBOX, BEAT, BUCKET, COMPLETE, HEAD, keyOf, STREAM } from "./subjects.ts";
import { PrimaryStream } from "./primary-stream.ts";
import { newestWhole, putBackup } from "./backup-store.ts";

/** Milliseconds between two looks at what has changed, and between two that also look at bytes used. */
const LOOK_EVERY = 50;
const MINUTE = 60_000;
const BEAT_EVERY = 5000;
/** Milliseconds that a box has to ask its router and answer. */
const ASK_PATIENCE = 15_000;
/** Milliseconds after which what is gone is taken out of the bucket; who was cut off reads it anew as a whole. */
const GONE_AFTER = 600_000;

/**
 * What the books have to do with NATS: they publish what boxes need to know, put a beat, and take what boxes tell. One runs at a time, on
 * a connection of its own.
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
  /** Which of the boxes' keys stands in the bucket for each of them. */
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

  /** Connects, and goes on for as long as it is not stopped. Resolves when it is connected for the first time. */
  async start(options: NatsOptions): Promise<void> {
    const onFault = faultKept(this.state, this.#needs.failed);
    const nc = await connectNats(options, { inbox: PRIMARY_INBOX, onFault, ending: this.#ending });
    if (!nc) return;
    this.#nc = nc;
    this.#noteConnected(true);
    void this.#follow(nc);
    this.#ears.listen(nc);
    this.#work = Promise.all([this.#publishAlways(nc), this.#bookAlways(nc), this.#beatAlways()]);
  }

  /** How it stands, as it is kept for those who ask. */
  standing(now: Seconds): PrimaryLinkState {
    const { waiting } = this.#due;
    if (waiting === 0) this.state.behindSince = null;
    else this.state.behindSince ??= now;
    return { ...this.state, at: now, waiting, claims: this.#claims.all() };
  }

  /** Publishes nothing more, and resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#ending.come();
    await this.#work;
    await this.#nc?.close();
  }

  async #follow(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status()) {
      if (type === "disconnect") this.#noteConnected(false);
      if (type === "reconnect") {
        this.#noteConnected(true);
        this.#bucket = undefined; // its server may have lost it meanwhile
        this.#stream.forget();
      }
    }
  }

  #noteConnected(isConnected: boolean): void {
    this.state.isConnected = isConnected;
    this.state.since = this.#needs.clock();
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

  /** What the books write goes into their stream, beside what boxes are told: neither waits for the other. */
  async #bookAlways(nc: NatsConnection): Promise<void> {
    while (!this.#ending.isCome) {
      try {
        this.state.behind = primaryBehind(this.#db);
        // not before the bucket has been seen: it says whether other books count
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

  /** Whether there is more to be put at once. */
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

  /** After the last box is removed: nobody is to read what it was told. */
  async #empty(): Promise<false> {
    if (!this.#isEmpty) await this.#manager?.streams.purge(STREAM);
    this.#isEmpty = true;
    this.#keyTold = 0;
    return false;
  }

  /** Puts the boxes' key for each of them before anything that is sealed under it. */
  async #tellKeys(bucket: KV, seal: RecordSeal): Promise<void> {
    if (this.#keyTold === seal.keyNumber) return;
    for (const { name, bytes } of sealedKeys(this.#db)) await this.#putBytes(bucket, keyOf(name), bytes);
    this.#keyTold = seal.keyNumber;
    this.#isCompleteDue = true;
  }

  /**
   * Books with a higher epoch have put the head that they signed, which is read without the boxes' key, for that may be another one by now:
   * these are over. Else the head of these is put, where it does not lie there yet.
   */
  async #hearOthers(bucket: KV): Promise<void> {
    const { epoch } = accessState(this.#db);
    const head = await bucket.get(HEAD);
    const isThere = head?.operation === "PUT";
    const signed = isThere ? headEpoch(head.value, signingKeyOf(this.#db)) : undefined;
    if (countsAbove(signed, epoch)) return write(this.#db, (tx) => noteOver(tx, this.#needs.clock()));
    const beat = await bucket.get(BEAT);
    const entries = [...(isThere ? [head] : []), ...(beat?.operation === "PUT" ? [beat] : [])];
    const highest = Math.max(0, ...entries.map(({ value }) => claimedEpoch(value) ?? 0));
    this.#claims.hear({ who: null, epoch: highest, at: this.#needs.clock() }, epoch);
    if (signed !== epoch) await this.#putBytes(bucket, HEAD, signHead(this.#db, epoch));
  }

  /** Looked at while no record is under way, as often as there is a beat. */
  async #isSpoilt(seal: RecordSeal): Promise<boolean> {
    const now = performance.now();
    if (this.#manager && now - this.#lookedAt > BEAT_EVERY) {
      this.#lookedAt = now;
      this.#isRepairDue ||= await this.#others.areThere(this.#manager, seal);
    }
    return this.#isRepairDue;
  }

  /**
   * Somebody else has written over what boxes are told, or filled the bucket with something: all of it goes, and is published anew. Once a
   * minute, for whoever does so goes on.
   */
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

  /** Numbers that these books do not know that they have given: their store was put back. All is published anew above them. */
  async #hearEarlierLife(bucket: KV): Promise<void> {
    for (const key of [BEAT, `0.0.${COMPLETE}`]) {
      const entry = await bucket.get(key);
      const { epoch, number } = accessState(this.#db);
      // what somebody else wrote there is looked for, and put right, once these publish
      if (entry?.operation !== "PUT" || claimedEpoch(entry.value) === undefined) continue;
      const head = headOf(entry.value);
      if (head.epoch !== epoch || head.number <= number) continue;
      write(this.#db, (tx) => {
        this.#pairs.goOnAbove(tx, head.number);
        markAll(tx);
      });
      this.#isCompleteDue = true;
    }
  }

  /** The key to seal with; undefined: there are no boxes yet, or these books are over. */
  #seal(): RecordSeal | undefined {
    return isOver(this.#db) || accessState(this.#db).pending !== null ? undefined : recordSeal(this.#db);
  }

  /** The bucket; where it is another than before, or has lost what came last, everything is published anew. */
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
    // nats-server syncs its files every two minutes: a power cut takes what it had acknowledged since
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

  /** Says of each ISP and branch that all there is stands in the bucket: what a box does not find there it forgets. */
  async #complete(bucket: KV, seal: RecordSeal): Promise<void> {
    for (const subject of placeSubjects(this.#db))
      await this.#put(bucket, seal, `${subject}.${COMPLETE}`, {});
    await this.#sweep(bucket);
    this.#isCompleteDue = false;
  }

  /** Takes out of the bucket what nothing stands under: of what was gone when these books last ran. */
  async #sweep(bucket: KV): Promise<void> {
    const keys = new Set(sealedKeys(this.#db).map(({ name }) => keyOf(name)));
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

  /** Puts a backup where another machine finds it. Rejects where it is not there as a whole; returns its bytes there. */
  async putBackup(file: string): Promise<number> {
    const nc = this.#nc;
    if (!recordSeal(this.#db))
      throw new Error("there are no access boxes yet; the first: gatehouse box add tower-1");
    if (!this.#seal()) throw new Error("these books do not count; see: gatehouse check");
    if (!nc || !this.state.isConnected)
      throw new Error("nats-server is away; on its machine: systemctl status nats-server");
    await this.#open(nc); // which says so where others count by now
    const key = this.#db.vault.deriveKey(BACKUP_COPY);
    return putBackup(nc, { bucket: backupsOf(this.#db), file, key });
  }

  /** The newest backup that lies there as a whole, null for none. Rejects where nobody can be asked. */
  async newestBackup(): Promise<{ at: Seconds; bytes: number } | null> {
    if (!this.#nc || !this.state.isConnected) throw new Error("nats-server is away");
    const newest = await newestWhole(this.#nc, backupsOf(this.#db));
    return newest ? { at: newest.createdAt, bytes: newest.bytes } : null;
  }

  /** Asks a box. Rejects where it does not answer within `patience` milliseconds, or says nothing that it sealed. */
  async ask(node: string, request: NodeRequest, patience = ASK_PATIENCE): Promise<unknown> {
    const seal = this.#seal();
    if (!this.#nc || !seal || !this.state.isConnected)
      throw new Error("the books have no connection to NATS");
    const subject = askOf(node);
    const head = { ...this.#pairs.next(), isGone: false };
    const bytes = seal.seal(subject, head, JSON.stringify({ ...request, at: this.#needs.clock() }));
    const data = await askNode(this.#nc, node, { bytes, patience });
    return JSON.parse(seal.open(`${subject}.answer`, data));
  }
}
