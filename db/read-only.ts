import { constants, Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pendingMigrations } from "./migrate.ts";
import { type Db, requireLog, requireStore } from "./open.ts";
import { readKey } from "./vault.ts";

/** Opens an unwritable store (read-only disk, another owner). Throws SQLite's error, or for a store that needs migration. */
export function openReadOnly(folder: string): Db {
  requireStore(folder);
  requireLog(folder);
  const path = join(folder, "gatehouse.db");
  const log = `${path}-wal`;
  // immutable without a log, which SQLite would otherwise create; an existing one has to be read
  const isAtRest = !existsSync(log) || statSync(log).size === 0;
  const client = isAtRest
    ? new Database(
        `${pathToFileURL(resolve(path)).href}?immutable=1`,
        constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
      )
    : new Database(path, { readonly: true });
  try {
    client.run("PRAGMA busy_timeout = 1000");
    if (pendingMigrations(client).length > 0)
      throw new Error(
        `the database in ${folder} is of an older gatehouse; make the folder writable and try again`,
      );
    return Object.assign(drizzle({ client }), { vault: readKey(join(folder, "secret.key")) });
  } catch (error) {
    client.close();
    throw error;
  }
}
