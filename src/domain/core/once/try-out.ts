import { type Db, forTrial, type Tx, write } from "../../../../db/open.ts";
import { DomainError } from "../errors/errors.ts";

/** Carries a result out of a rolled-back transaction. */
class Undone<T> extends Error {
  readonly outcome: T;

  constructor(outcome: T) {
    super("a trial is undone");
    this.outcome = outcome;
  }
}

/** Runs `work` and rolls it back: a preview of result or refusal. Rare, because it holds the write lock. */
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
