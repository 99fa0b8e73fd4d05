import { sqliteCode } from "../../../../../db/sqlite-error.ts";
import { DomainError } from "../../../core/errors/errors.ts";

/** The store got or lost a row since the file was compared with it. */
export class StaleError extends DomainError {
  constructor() {
    super("refused", "the store changed while the file was read; nothing was imported, try again", {
      code: "stale",
    });
  }
}

/** A key, a unique value or a reference that was right before the write lock was had. */
const moved = new Set([
  "SQLITE_CONSTRAINT_PRIMARYKEY",
  "SQLITE_CONSTRAINT_ROWID",
  "SQLITE_CONSTRAINT_UNIQUE",
  "SQLITE_CONSTRAINT_FOREIGNKEY",
]);

/** Throws StaleError where `write` meets a row that came or went meanwhile. */
export function refuseStale(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw moved.has(sqliteCode(error)) ? new StaleError() : error;
  }
}
