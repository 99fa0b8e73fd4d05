import { type Db, type Tx, write } from "./open.ts";

/** Writes of one commit at the most, which no other connection can write in between. */
const MOST = 32;

interface Waiting {
  /** Runs it, and returns what answers its caller. */
  readonly run: (tx: Tx) => () => void;
  readonly refuse: (error: unknown) => void;
}

/** The writes of this turn of the event loop. */
const thisTurn = new WeakMap<Db, Waiting[]>();

/**
 * As `write`, for what many ask for at once: the writes of one turn of the event loop are brought to the disk by one commit,
 * which takes longer than they do. Each is a savepoint, so that one that throws takes no other with it, and is answered after
 * the commit.
 */
export function writeTogether<T>(
  db: Db,
  body: (tx: Tx) => T extends Promise<unknown> ? never : T,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const run = (tx: Tx) => {
    const result = write(tx, body);
    return () => resolve(result);
  };
  batchOf(db).push({ run, refuse: reject });
  return promise;
}

/** Where the next write joins in. */
function batchOf(db: Db): Waiting[] {
  const begun = thisTurn.get(db);
  if (begun && begun.length < MOST) return begun;
  const batch: Waiting[] = [];
  thisTurn.set(db, batch);
  setImmediate(() => {
    if (thisTurn.get(db) === batch) thisTurn.delete(db);
    commit(db, batch);
  });
  return batch;
}

function commit(db: Db, batch: readonly Waiting[]): void {
  let answers: (() => void)[] = [];
  try {
    answers = write(db, (tx) => batch.map((one) => attempt(tx, one)));
  } catch (error) {
    for (const { refuse } of batch) refuse(error);
  }
  for (const answer of answers) answer();
}

function attempt(tx: Tx, { run, refuse }: Waiting): () => void {
  try {
    return run(tx);
  } catch (error) {
    if (!tx.$client.inTransaction) throw error; // SQLite has rolled back all of it, as it may when the disk is full
    return () => refuse(error);
  }
}
