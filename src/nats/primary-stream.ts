import { jetstream, jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Db } from "../../db/open.ts";
import {
  type BookBatch,
  primaryBehind,
  goOnBehind,
  noteBooked,
  readBookChanges,
} from "../domain/machine/access-boxes/book-changes.ts";
import {
  isHigher,
  type Pair,
  parseHead,
  RecordSeal,
  SealError,
} from "../domain/machine/access-boxes/seal.ts";
import { accessState } from "../domain/machine/access-boxes/state.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { BOOKS, PRIMARY_STREAM, primarySubject } from "./subjects.ts";

/** Days of changes that the stream keeps. */
const KEPT = 30;
/** Characters of a chunk: in UTF-8 below nats-server's message limit in any case. */
const PART = 250_000;
/** Milliseconds to wait for an acknowledgement. */
const PATIENCE = 5000;
const READ_PATIENCE = 3000;
/** Milliseconds without a message after which reading is given up. */
const STALLED = 20_000;

interface Part {
  readonly part: number;
  readonly parts: number;
  readonly text: string;
}

/**
 * Seals the stream with the appliance's own key, which a restored store has too. Access boxes do not have it, so a stolen one
 * cannot read payments; and it survives a change of the box key.
 */
export function streamSeal(db: Db): RecordSeal {
  return new RecordSeal(db.vault.deriveKey("books stream"), 0);
}

/** The primary's change stream: changes are sent until acknowledged. */
export class PrimaryStream {
  readonly #db: Db;
  readonly #seal: RecordSeal;
  readonly #subject: string;
  #isThere = false;

  constructor(db: Db) {
    this.#db = db;
    this.#seal = streamSeal(db);
    this.#subject = primarySubject(db);
  }

  /** After a lost connection: the server may have lost the stream. */
  forget(): void {
    this.#isThere = false;
  }

  /**
   * Publishes what the stream lacks. Returns the number up to which it has everything, undefined when nothing was due. Rejects
   * without acknowledgement.
   */
  async publish(nc: NatsConnection): Promise<number | undefined> {
    if (primaryBehind(this.#db).changes === 0) return undefined;
    if (!this.#isThere) goOnBehind(this.#db, await makeStream(nc, this.#db));
    this.#isThere = true;
    const batch = readBookChanges(this.#db);
    if (!batch) return undefined;
    const { epoch, number } = batch;
    const js = jetstream(nc);
    for (const part of splitText(JSON.stringify(batch))) {
      const bytes = this.#seal.seal(BOOKS, { epoch, number, isGone: false }, JSON.stringify(part));
      const msgID = `${epoch}.${number}.${part.part}`;
      await js.publish(this.#subject, bytes, { msgID, timeout: PATIENCE });
    }
    noteBooked(this.#db, number);
    return number;
  }
}

/** Creates the stream if needed. Returns up to which number it has this epoch's changes. */
async function makeStream(nc: NatsConnection, db: Db): Promise<number> {
  const manager = await jetstreamManager(nc);
  const subjects = [primarySubject(db)];
  const known = await findStreamInfo(manager);
  if (!known) await manager.streams.add({ name: PRIMARY_STREAM, subjects, max_age: KEPT * 86_400 * 1e9 });
  else if (known.config.subjects?.join() !== subjects.join())
    await manager.streams.update(PRIMARY_STREAM, { subjects }); // of 0.2.0, whose every box knew where to write
  const last = await findLastEntry(manager, db);
  return last?.epoch === accessState(db).epoch ? last.number : 0;
}

/** The last entry of this primary in the stream; undefined: none, or the stream is another appliance's. */
export async function findLastEntry(manager: JetStreamManager, db: Db): Promise<Pair | undefined> {
  for (const last_by_subj of [primarySubject(db), BOOKS]) {
    const last = await manager.streams.getMessage(PRIMARY_STREAM, { last_by_subj });
    if (last && isOpened(streamSeal(db), last.data)) return parseHead(last.data);
  }
  return undefined;
}

/** Whether this primary has sealed it. */
function isOpened(seal: RecordSeal, bytes: Uint8Array): boolean {
  try {
    seal.open(BOOKS, bytes);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}

function findStreamInfo(manager: JetStreamManager) {
  return manager.streams.info(PRIMARY_STREAM).catch((error: unknown) => {
    if (isUnknown(error)) return undefined;
    throw error;
  });
}

function splitText(text: string): Part[] {
  const texts: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + PART, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? "")) end--; // no half of a pair
    texts.push(text.slice(at, end));
    at = end;
  }
  return texts.map((one, part) => ({ part, parts: texts.length, text: one }));
}

/**
 * Everything in the stream after what a store already has, in order. A batch with a missing chunk was never acknowledged and is
 * skipped. Rejects when the server cannot be reached, with `refused` when it has lost the stream, and with SealError for
 * another appliance's stream.
 */
export async function readPrimaryStream(
  nc: NatsConnection,
  { db, after }: { db: Db; after: Pair },
): Promise<BookBatch[]> {
  const manager = await jetstreamManager(nc);
  const info = await findStreamInfo(manager);
  const { booked } = accessState(db);
  if (!info || info.state.messages === 0) {
    if (booked > 0) throw lost();
    return [];
  }
  const { last_seq: last } = info.state;
  const seal = streamSeal(db);
  const batches = new Map<string, BookBatch>();
  const texts = new Map<string, Map<number, string>>();
  const consumer = await jetstream(nc).consumers.get(PRIMARY_STREAM);
  const messages = await consumer.consume({ expires: READ_PATIENCE });
  let isWhole = false;
  let reaches = 0;
  // a message deleted while reading never arrives
  let stalled = setTimeout(() => messages.stop(), STALLED);
  for await (const message of messages) {
    stalled = stalled.refresh();
    isWhole = message.seq >= last;
    // under the name that every box of 0.2.0 knew there may be anything any of them wrote
    const isPrimary = message.subject.startsWith(`${BOOKS}.`) || isOpened(seal, message.data);
    const head = isPrimary ? parseHead(message.data) : undefined;
    reaches = Math.max(reaches, head?.number ?? 0);
    if (!head || !isHigher(head, after)) {
      if (isWhole) break;
      continue; // of before: 30 days may stand there
    }
    const { epoch, number } = head;
    const { part, parts, text } = JSON.parse(seal.open(BOOKS, message.data)) as Part; // as publish wrote it
    const name = `${epoch}.${number}`;
    const known = texts.get(name) ?? new Map<number, string>();
    texts.set(name, known.set(part, text));
    if (known.size === parts) {
      const whole = [...known].toSorted(([a], [b]) => a - b).map(([, one]) => one);
      batches.set(name, JSON.parse(whole.join("")) as BookBatch);
      texts.delete(name);
    }
    if (isWhole) break;
  }
  clearTimeout(stalled);
  if (!isWhole) throw new Error("the stream of the books could not be read to its end; try again");
  if (reaches < booked) throw lost();
  return [...batches.values()];
}

/** The stream has lost even what this store already has, so later changes are lost too. */
function lost(): DomainError {
  return new DomainError(
    "refused",
    phrase`the stream of the books has less than when the backup was made: nats-server has lost it, or GATEHOUSE_NATS_URL names another one; start the right one, or go on from the backup alone: gatehouse recover --nothing-to-recover`,
  );
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && /stream not found/i.test(error.message);
}
