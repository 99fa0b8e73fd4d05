import { Database } from "bun:sqlite";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { sqliteCode } from "../../../../db/sqlite-error.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";

/** A table that only backups have. */
export interface Label {
  readonly createdAt: Seconds;
  readonly program: string;
  readonly keyName: string;
  /** The key under a passphrase; null: kept apart. */
  readonly keySealed: Uint8Array | null;
}

/** Format 1, up to 0.2.0, has no checksum. */
const FORMAT = 2;
const WITHOUT_CHECKSUM = 1;
const labelRow = Type.Object({
  format: Type.Integer(),
  createdAt: Type.Integer(),
  program: Type.String(),
  keyName: Type.String(),
  keySealed: Type.Union([Type.Uint8Array(), Type.Null()]),
});

export function writeLabel(file: string, { createdAt, program, keyName, keySealed }: Label): void {
  using client = openPrivately(file);
  client.run(
    `CREATE TABLE _backup (format INTEGER NOT NULL, created_at INTEGER NOT NULL, program TEXT NOT NULL,
       key_name TEXT NOT NULL, key_sealed BLOB) STRICT`,
  );
  client.run("INSERT INTO _backup VALUES (?, ?, ?, ?, ?)", [FORMAT, createdAt, program, keyName, keySealed]);
}

/** Turns a backup into a database. */
export function removeLabel(file: string): void {
  using client = openPrivately(file);
  client.run("DROP TABLE _backup");
}

/** Throws `refused` for no backup or a damaged one. `hasChecksum`: the file ends with one. */
export function readLabel(client: Database): Label & { readonly hasChecksum: boolean } {
  const row = readRow(client);
  if (!Value.Check(labelRow, row))
    throw new DomainError(
      "refused",
      phrase`this is no backup of gatehouse; choose a file that \`gatehouse backup\` wrote`,
    );
  if (row.format !== FORMAT && row.format !== WITHOUT_CHECKSUM)
    throw new DomainError(
      "refused",
      phrase`a newer gatehouse wrote this backup; install that version to restore it`,
    );
  const { format, ...label } = row;
  return { ...label, hasChecksum: format !== WITHOUT_CHECKSUM };
}

function readRow(client: Database): unknown {
  try {
    return client
      .query(
        `SELECT format, created_at AS createdAt, program, key_name AS keyName, key_sealed AS keySealed FROM _backup`,
      )
      .get();
  } catch (error) {
    if (error instanceof Error && sqliteCode(error).startsWith("SQLITE_CORRUPT"))
      throw new DomainError("refused", phrase`the copy is damaged: ${error.message}; take another one`);
    return undefined; // another file, or a database without the table
  }
}

/** A database without a journal: nobody else knows the file, and it is synced as a whole. */
export function openPrivately(file: string): Database {
  const client = new Database(file, { readwrite: true, strict: true });
  client.run("PRAGMA journal_mode = MEMORY");
  client.run("PRAGMA synchronous = OFF");
  return client;
}
