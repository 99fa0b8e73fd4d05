import type { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { type Migration, migrations } from "./migrations.ts";
import { renewTriggers, triggersOf } from "./triggers.ts";

export class MigrationError extends Error {
  override name = "MigrationError";
}

interface MigrateOptions {
  list?: readonly Migration[];
  /** Those that the store has in the end, by default its own; none: whatever the migrations left. */
  triggers?: ((client: Database) => readonly string[]) | "none";
  snapshot?: ((tag: string) => void) | undefined;
  now: number;
}

/**
 * Brings a database to the newest schema and its triggers to those of this program. Calls `snapshot` once before the first new migration of
 * a database that has some already. Throws MigrationError for a database that a newer program wrote, or whose history differs from ours.
 * During the migrations the triggers of before are in force, so that access boxes and the stream of the books hear of what they change.
 */
export function migrate(
  client: Database,
  { list = migrations, triggers = list === migrations ? triggersOf : "none", snapshot, now }: MigrateOptions,
): void {
  applyPending(client, { list, snapshot, now });
  if (triggers !== "none") renewTriggers(client, triggers(client));
}

/** Foreign keys are off meanwhile (a table rebuild would cascade) and checked before each migration commits, but for an access box. */
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
          client.query("INSERT INTO _migrations VALUES (?, ?, ?)").run(tag, hashOf(sql), now);
        })
        .immediate();
    }
  } finally {
    client.run("PRAGMA foreign_keys = ON");
    client.run("DROP TABLE temp.zone_offsets");
  }
}

/** What an access box is told of refers to packages, ISPs and staff that it does not know: its references are never whole. */
function isAccessBox(client: Database): boolean {
  const hasState = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'access_state'";
  if (client.query(hasState).get() === null) return false;
  return client.query("SELECT 1 FROM access_state WHERE role = 'access'").get() !== null;
}

/**
 * What the server's clock adds to UTC, and from when on, for migrations that need the local day of a time: SQLite's own local
 * time is that of the C library, which does not know a TZ that was read from a file.
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

/** What is missing in a database that has been migrated before. Throws MigrationError as migrate does. */
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
    if (hash !== undefined && hash !== hashOf(sql))
      throw new MigrationError(
        `migration ${tag} differs from the one that made this database; install the release that made it`,
      );
    return hash === undefined;
  });
}

function hashOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}
