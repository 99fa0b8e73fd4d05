import { type Db, forTrial, type Tx, write } from "../../../../db/open.ts";
import { DomainError } from "../errors/errors.ts";

/** Carries what came of a trial out of the transaction, which it undoes. */
class Undone<T> extends Error {
  readonly outcome: T;

  constructor(outcome: T) {
    super("a trial is undone");
    this.outcome = outcome;
  }
}

/**
 * What `work` would come to now, or why it would be refused: it is done, looked at and undone, so that what people are told before
 * they act is what will happen. For what is rare: it holds the write lock as the act itself does.
 */
export function tryOut<T>(db: Db, work: (tx: Tx) => T): T | DomainError {
  try {
    write(forTrial(db), (tx) => {
      throw new Undone(work(tx));
    });
  } catch (error) {
    if (error instanceof Undone) return error.outcome as T;
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("a trial that is not undone");
}
