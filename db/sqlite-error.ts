export function sqliteCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isLocked(error: unknown): boolean {
  return sqliteCode(error).startsWith("SQLITE_BUSY");
}
