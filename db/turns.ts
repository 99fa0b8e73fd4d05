import type { Database } from "bun:sqlite";
import type { Db } from "./open.ts";
import { isLocked } from "./sqlite-error.ts";

/*
 * Batches of one thread leave gaps that are too short for a connection that polls for the lock. So a person's write is
 * announced in shared memory, and batches wait.
 */

/** Tries, and milliseconds between two, in which others are served. */
export const TRIES = 15;
export const PAUSE = 50;

/** Shared counters of waiting persons, by connection. */
const waiting = new WeakMap<Database, Int32Array>();
/** Connections that run a person's operation: its writes are announced, not its reads. */
const writingForPerson = new WeakSet<Database>();

/** Milliseconds that a batch waits at the most, for routers wait for it. */
export const STAND_BACK = 100;
const LOOK_EVERY = 2;

/** `shared`: the counter of another thread. */
export function shareTurns({ $client }: Db, shared = new SharedArrayBuffer(4)): SharedArrayBuffer {
  waiting.set($client, new Int32Array(shared));
  return shared;
}

/** Whether a person waits for the lock in any thread; false without a shared counter. */
export function isPersonWaiting({ $client }: Db): boolean {
  const count = waiting.get($client);
  return count !== undefined && Atomics.load(count, 0) > 0;
}

/** Lets a person write first, for STAND_BACK at the most. */
export async function standBack(db: Db): Promise<void> {
  const end = performance.now() + STAND_BACK;
  while (isPersonWaiting(db) && performance.now() < end) await Bun.sleep(LOOK_EVERY);
}

/**
 * Runs `work`, and again for about two seconds while the write lock is taken, but only if nothing can have happened: the lock
 * was missing before the first `await` and no row was written. Later writes of an operation use `writePatiently`. Throws what
 * `work` throws.
 */
export async function untilUnlocked<T>(db: Db, work: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const written = totalChanges(db);
    const outcome = attempt(db, work);
    if (!outcome.isLocked || tries === TRIES || totalChanges(db) !== written) return outcome.result;
    outcome.result.catch(() => {}); // retried
    await Bun.sleep(PAUSE);
  }
}

/** `isLocked`: failed for the lock before it waited for anything. */
function attempt<T>({ $client }: Db, work: () => T | Promise<T>): { isLocked: boolean; result: Promise<T> } {
  writingForPerson.add($client);
  try {
    const begun = work();
    if (!(begun instanceof Promise)) return { isLocked: false, result: Promise.resolve(begun) };
    const isRejected = Bun.peek.status(begun) === "rejected";
    return { isLocked: isRejected && isLocked(Bun.peek(begun)), result: begun };
  } catch (error) {
    return { isLocked: isLocked(error), result: Promise.reject(error) };
  } finally {
    writingForPerson.delete($client);
  }
}

/** Announces a person's write; undefined outside an operation. Call the result at its end. */
export function personWrites($client: Database): (() => void) | undefined {
  const count = writingForPerson.has($client) ? waiting.get($client) : undefined;
  if (!count) return undefined;
  Atomics.add(count, 0, 1);
  return () => void Atomics.sub(count, 0, 1);
}

/** Includes rolled back rows. */
function totalChanges({ $client }: Db): number {
  return $client.query<{ changes: number }, []>("SELECT total_changes() AS changes").get()?.changes ?? 0;
}
