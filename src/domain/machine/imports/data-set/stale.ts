import { sqliteCode } from "../../../../../db/sqlite-error.ts";
import { DomainError } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";

/** The store changed since the comparison. */
export class StaleError extends DomainError {
  constructor() {
    super("refused", phrase`the store changed while the file was read; nothing was imported, try again`, {
      code: "stale",
    });
  }
}

const moved = new Set([
  "SQLITE_CONSTRAINT_PRIMARYKEY",
  "SQLITE_CONSTRAINT_ROWID",
  "SQLITE_CONSTRAINT_UNIQUE",
  "SQLITE_CONSTRAINT_FOREIGNKEY",
]);

/** Throws StaleError for constraints violated by changes since. */
export function refuseStale(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw moved.has(sqliteCode(error)) ? new StaleError() : error;
  }
}
