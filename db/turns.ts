import type { Database } from "bun:sqlite";
import type { Db } from "./open.ts";
import { isLocked } from "./sqlite-error.ts";

/*
 * One connection writes at a time. Threads that write batches one after the other leave gaps too short for a connection that looks for
 * the lock every few milliseconds, so whoever writes for a person says so in memory that all threads share, and batches stand back.
 */

/** Tries of what waits for the write lock, and milliseconds between two, in which everybody else is served. */
export const TRIES = 15;
export const PAUSE = 50;

/** How many operations of persons look for the write lock at this moment, by connection of this thread. */
const waiting = new WeakMap<Database, Int32Array>();
/** The connections on which a person's operation is under way: those of its writes go before, and not what it only reads. */
const asking = new WeakSet<Database>();

/** Milliseconds for which a batch stands back at the most: those whose report it books wait too. */
export const STAND_BACK = 100;
/** Milliseconds between two looks of one that stands back. */
const LOOK_EVERY = 2;

/** Counts persons of this connection in memory that other threads share; `shared` is what another thread made. */
export function shareTurns({ $client }: Db, shared = new SharedArrayBuffer(4)): SharedArrayBuffer {
  waiting.set($client, new Int32Array(shared));
  return shared;
}

/** Whether an operation of a person looks for the write lock, in any thread; false where nothing is shared. */
export function isPersonWaiting({ $client }: Db): boolean {
  const count = waiting.get($client);
  return count !== undefined && Atomics.load(count, 0) > 0;
}

/** Lets persons write before the next batch, for a tenth of a second at the most. */
export async function standBack(db: Db): Promise<void> {
  const end = performance.now() + STAND_BACK;
  while (isPersonWaiting(db) && performance.now() < end) await Bun.sleep(LOOK_EVERY);
}

/**
 * Does what a person asked for, whole, and again for about two seconds while another connection holds the write lock. It is tried again
 * only where nothing of it can have happened: the lock was missing before its first `await`, and no row was written until then. What an
 * operation writes after it has waited for something else is written by `writePatiently`. Throws what `work` throws.
 */
export async function untilUnlocked<T>(db: Db, work: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const written = changesOf(db);
    const came = atOnce(db, work);
    if (!came.isLocked || tries === TRIES || changesOf(db) !== written) return came.result;
    came.result.catch(() => {}); // it is done anew
    await Bun.sleep(PAUSE);
  }
}

/** What came of a try; `isLocked`: it failed for the lock, and before it waited for anything. */
function atOnce<T>({ $client }: Db, work: () => T | Promise<T>): { isLocked: boolean; result: Promise<T> } {
  asking.add($client);
  try {
    const begun = work();
    if (!(begun instanceof Promise)) return { isLocked: false, result: Promise.resolve(begun) };
    const isRejected = Bun.peek.status(begun) === "rejected";
    return { isLocked: isRejected && isLocked(Bun.peek(begun)), result: begun };
  } catch (error) {
    return { isLocked: isLocked(error), result: Promise.reject(error) };
  } finally {
    asking.delete($client);
  }
}

/** Counts a person from the moment at which a write of its operation looks for the lock; undefined where none is under way. Call what is returned at its end. */
export function personWrites($client: Database): (() => void) | undefined {
  const count = asking.has($client) ? waiting.get($client) : undefined;
  if (!count) return undefined;
  Atomics.add(count, 0, 1);
  return () => void Atomics.sub(count, 0, 1);
}

/** Rows that this connection has written since it was opened, those of what was rolled back too. */
function changesOf({ $client }: Db): number {
  return $client.query<{ changes: number }, []>("SELECT total_changes() AS changes").get()?.changes ?? 0;
}
