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
import { headOf, isHigher, type Pair, RecordSeal, SealError } from "../domain/machine/access-boxes/seal.ts";
import { accessState } from "../domain/machine/access-boxes/state.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { BOOKS, PRIMARY_STREAM, primarySubject } from "./subjects.ts";

/** Days that the stream keeps what happened. */
const KEPT = 30;
/** Characters of a part: of the longest in UTF-8 fewer bytes than nats-server takes. */
const PART = 250_000;
/** Milliseconds that the stream has to acknowledge. */
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
 * What seals the stream: a key of the appliance's own, which a restored store has too. Boxes do not know it, so that none of them, stolen or
 * not, reads who paid what; and it stays when the boxes' key changes.
 */
export function streamSeal(db: Db): RecordSeal {
  return new RecordSeal(db.vault.deriveKey("books stream"), 0);
}

/** The stream as the books write it: what has changed, until it is acknowledged. */
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

  /** After a lost connection: its server may have lost the stream. */
  forget(): void {
    this.#isThere = false;
  }

  /** Publishes what the stream does not have. Returns the number up to which it has all, undefined where nothing was due. Rejects where it is not acknowledged. */
  async publish(nc: NatsConnection): Promise<number | undefined> {
    if (primaryBehind(this.#db).changes === 0) return undefined;
    if (!this.#isThere) goOnBehind(this.#db, await makeStream(nc, this.#db));
    this.#isThere = true;
    const batch = readBookChanges(this.#db);
    if (!batch) return undefined;
    const { epoch, number } = batch;
    const js = jetstream(nc);
    for (const part of partsOf(JSON.stringify(batch))) {
      const bytes = this.#seal.seal(BOOKS, { epoch, number, isGone: false }, JSON.stringify(part));
      const msgID = `${epoch}.${number}.${part.part}`;
      await js.publish(this.#subject, bytes, { msgID, timeout: PATIENCE });
    }
    noteBooked(this.#db, number);
    return number;
  }
}

/** Makes the stream where it is not there. Returns up to which number it has the changes of the epoch of these books. */
async function makeStream(nc: NatsConnection, db: Db): Promise<number> {
  const manager = await jetstreamManager(nc);
  const subjects = [primarySubject(db)];
  const known = await infoOf(manager);
  if (!known) await manager.streams.add({ name: PRIMARY_STREAM, subjects, max_age: KEPT * 86_400 * 1e9 });
  else if (known.config.subjects?.join() !== subjects.join())
    await manager.streams.update(PRIMARY_STREAM, { subjects }); // of 0.2.0, whose every box knew where to write
  const last = await lastOfPrimary(manager, db);
  return last?.epoch === accessState(db).epoch ? last.number : 0;
}

/** What the stream has of these books last; undefined: nothing, or it is of another appliance. */
export async function lastOfPrimary(manager: JetStreamManager, db: Db): Promise<Pair | undefined> {
  for (const last_by_subj of [primarySubject(db), BOOKS]) {
    const last = await manager.streams.getMessage(PRIMARY_STREAM, { last_by_subj });
    if (last && isOpened(streamSeal(db), last.data)) return headOf(last.data);
  }
  return undefined;
}

/** Whether these books have sealed it. */
function isOpened(seal: RecordSeal, bytes: Uint8Array): boolean {
  try {
    seal.open(BOOKS, bytes);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}

function infoOf(manager: JetStreamManager) {
  return manager.streams.info(PRIMARY_STREAM).catch((error: unknown) => {
    if (isUnknown(error)) return undefined;
    throw error;
  });
}

function partsOf(text: string): Part[] {
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
 * All that the stream has after what a store has already, in the order in which it was put. A batch of which a part is missing was not acknowledged: it is left out. Rejects
 * where the server cannot be asked, with `refused` where it has lost the stream, and with SealError for what was sealed by another appliance.
 */
export async function readPrimaryStream(
  nc: NatsConnection,
  { db, after }: { db: Db; after: Pair },
): Promise<BookBatch[]> {
  const manager = await jetstreamManager(nc);
  const info = await infoOf(manager);
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
  // what is taken out of the stream while it is read never comes
  let stalled = setTimeout(() => messages.stop(), STALLED);
  for await (const message of messages) {
    stalled = stalled.refresh();
    isWhole = message.seq >= last;
    // under the name that every box of 0.2.0 knew stands what any of them wrote
    const isBooks = message.subject.startsWith(`${BOOKS}.`) || isOpened(seal, message.data);
    const head = isBooks ? headOf(message.data) : undefined;
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

/** It had once what this store says, and has not even that any more: what came after is lost with it. */
function lost(): DomainError {
  return new DomainError(
    "refused",
    "the stream of the books has less than when the backup was made: nats-server has lost it, or GATEHOUSE_NATS_URL names another one; start the right one, or go on from the backup alone: gatehouse recover --nothing-to-recover",
  );
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && /stream not found/i.test(error.message);
}
