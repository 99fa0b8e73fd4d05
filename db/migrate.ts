import type { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { type Migration, migrations } from "./migrations.ts";
import { readTriggers, renewTriggers } from "./triggers.ts";

export class MigrationError extends Error {
  override name = "MigrationError";
}

interface MigrateOptions {
  list?: readonly Migration[];
  triggers?: ((client: Database) => readonly string[]) | "none";
  snapshot?: ((tag: string) => void) | undefined;
  now: number;
}

/**
 * Migrates to the newest schema and this program's triggers. Calls `snapshot` once before the first migration of an existing
 * database. Throws MigrationError for a newer program's database or another history. The old triggers stay active meanwhile, so
 * that access boxes and the change stream get what migrations change.
 */
export function migrate(
  client: Database,
  {
    list = migrations,
    triggers = list === migrations ? readTriggers : "none",
    snapshot,
    now,
  }: MigrateOptions,
): void {
  applyPending(client, { list, snapshot, now });
  if (triggers !== "none") renewTriggers(client, triggers(client));
}

/** Foreign keys are off meanwhile (rebuilding a table would cascade) and checked before each commit, except on an access box. */
function applyPending(
  client: Database,
  { list, snapshot, now }: Omit<MigrateOptions, "list" | "triggers"> & { list: readonly Migration[] },
): void {
  client.run(
    "CREATE TABLE IF NOT EXISTS _migrations (tag TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
  );
  const pending = pendingMigrations(client, list);
  const first = pending[0];
  if (!first) return;
  if (pending.length < list.length) snapshot?.(first.tag);

  const isBox = isAccessBox(client);
  writeZoneOffsets(client);
  client.run("PRAGMA foreign_keys = OFF");
  try {
    for (const { tag, sql } of pending) {
      client
        .transaction(() => {
          if (!pendingMigrations(client, list).some((migration) => migration.tag === tag)) return; // another process was faster
          client.run(sql.replaceAll("--> statement-breakpoint", ""));
          const broken = isBox ? [] : client.query("PRAGMA foreign_key_check").all();
          if (broken.length > 0)
            throw new MigrationError(
              `migration ${tag} would leave ${broken.length} dangling references; nothing was changed`,
            );
          client.query("INSERT INTO _migrations VALUES (?, ?, ?)").run(tag, sha256(sql), now);
        })
        .immediate();
    }
  } finally {
    client.run("PRAGMA foreign_keys = ON");
    client.run("DROP TABLE temp.zone_offsets");
  }
}

/** An access box has no packages, ISPs and staff, so its references dangle. */
function isAccessBox(client: Database): boolean {
  const hasState = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'access_state'";
  if (client.query(hasState).get() === null) return false;
  return client.query("SELECT 1 FROM access_state WHERE role = 'access'").get() !== null;
}

/**
 * UTC offsets of the server's zone by time, for migrations that need local days: SQLite uses the C library's zone, which misses
 * a TZ read from a file.
 */
function writeZoneOffsets(client: Database): void {
  client.run("CREATE TEMP TABLE zone_offsets (from_at INTEGER PRIMARY KEY, seconds INTEGER NOT NULL) STRICT");
  const add = client.query("INSERT INTO temp.zone_offsets VALUES (?, ?)");
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(
    Temporal.Now.timeZoneId(),
  );
  while (at && at.year < 2100) {
    add.run(Math.floor(at.epochMilliseconds / 1000), at.offsetNanoseconds / 1e9);
    at = at.getTimeZoneTransition("next");
  }
  add.finalize();
}

/** Throws MigrationError as migrate. */
export function pendingMigrations(
  client: Database,
  list: readonly Migration[] = migrations,
): readonly Migration[] {
  const applied = new Map(
    client
      .query<{ tag: string; hash: string }, []>("SELECT tag, hash FROM _migrations")
      .all()
      .map(({ tag, hash }) => [tag, hash]),
  );
  for (const tag of applied.keys()) {
    if (list.some((migration) => migration.tag === tag)) continue;
    throw new MigrationError(
      `the database was written by a newer gatehouse (it has ${tag}); install that version or newer, or restore a backup`,
    );
  }
  return list.filter(({ tag, sql }) => {
    const hash = applied.get(tag);
    if (hash !== undefined && hash !== sha256(sql))
      throw new MigrationError(
        `migration ${tag} differs from the one that made this database; install the release that made it`,
      );
    return hash === undefined;
  });
}

function sha256(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}
