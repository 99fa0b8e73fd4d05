/** SQLite's name for an error, as in SQLITE_BUSY_SNAPSHOT; empty for an error without a code. */
export function sqliteCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether another connection held the lock. */
export function isLocked(error: unknown): boolean {
  return sqliteCode(error).startsWith("SQLITE_BUSY");
}
