import { gzipSync } from "node:zlib";
import { besides, freeradius, latin1, mariadbBesides, postgresBesides } from "./rows/freeradius.ts";
import { daloradius } from "./rows/daloradius.ts";
import { phpnuxbill } from "./rows/phpnuxbill.ts";
import { radiusdesk } from "./rows/radiusdesk.ts";
import { mariadbOf, postgresOf } from "./rows/table.ts";
import { startMariadb, startPostgres } from "./servers.ts";

/** A dump: its file name without extension, its database, the program and its options. */
interface Variant {
  readonly file: string;
  readonly database: keyof typeof databases;
  readonly by: "mariadb" | "postgres";
  readonly options: readonly string[];
  /** In two members, as appending to a gzip file makes them. */
  readonly isGzip?: boolean;
}

export const databases = {
  freeradius: [...freeradius, ...besides],
  daloradius,
  phpnuxbill,
  radiusdesk,
  latin1,
} as const;

const utf8 = "--default-character-set=utf8mb4";
const all = ["--routines", "--triggers", "--hex-blob"];

export const variants: readonly Variant[] = [
  { file: "freeradius.mariadb.sql", database: "freeradius", by: "mariadb", options: [utf8, ...all] },
  {
    file: "freeradius.mariadb-raw-blobs.sql",
    database: "freeradius",
    by: "mariadb",
    options: [utf8, "--skip-triggers", "--ignore-table=freeradius.online"],
  },
  {
    file: "freeradius.mariadb-single.sql",
    database: "freeradius",
    by: "mariadb",
    options: [utf8, ...all, "--skip-extended-insert"],
  },
  {
    file: "freeradius.mariadb-complete.sql",
    database: "freeradius",
    by: "mariadb",
    options: [utf8, ...all, "--complete-insert", "--no-create-info", "--skip-comments"],
  },
  {
    file: "freeradius.mariadb-ignore.sql",
    database: "freeradius",
    by: "mariadb",
    options: [utf8, "--hex-blob", "--insert-ignore", "--compact", "--skip-triggers"],
  },
  {
    file: "freeradius.mariadb-replace.sql",
    database: "freeradius",
    by: "mariadb",
    options: [
      utf8,
      "--hex-blob",
      "--replace",
      "--skip-quote-names",
      "--skip-triggers",
      "--ignore-table=freeradius.constructor",
    ],
  },
  {
    file: "freeradius.mariadb-ansi.sql",
    database: "freeradius",
    by: "mariadb",
    options: [utf8, ...all, "--compatible=ansi"],
  },
  {
    file: "latin1.mariadb.sql",
    database: "latin1",
    by: "mariadb",
    options: ["--default-character-set=latin1"],
  },
  {
    file: "freeradius.mariadb.sql.gz",
    database: "freeradius",
    by: "mariadb",
    options: [utf8, ...all],
    isGzip: true,
  },
  { file: "freeradius.pg-copy.sql", database: "freeradius", by: "postgres", options: [] },
  { file: "freeradius.pg-inserts.sql", database: "freeradius", by: "postgres", options: ["--inserts"] },
  {
    file: "freeradius.pg-column-inserts.sql",
    database: "freeradius",
    by: "postgres",
    options: ["--column-inserts", "--rows-per-insert=7", "--on-conflict-do-nothing"],
  },
  {
    file: "freeradius.pg-quoted.sql",
    database: "freeradius",
    by: "postgres",
    options: ["--quote-all-identifiers", "--clean", "--if-exists", "--create"],
  },
  {
    file: "freeradius.pg-custom.dump",
    database: "freeradius",
    by: "postgres",
    options: ["--format=custom", "--table=nas"],
  },
  { file: "daloradius.mariadb.sql", database: "daloradius", by: "mariadb", options: [utf8] },
  { file: "phpnuxbill.mariadb.sql", database: "phpnuxbill", by: "mariadb", options: [utf8] },
  { file: "radiusdesk.mariadb.sql", database: "radiusdesk", by: "mariadb", options: [utf8] },
];

export async function makeDumps(
  made: (file: string, bytes: Uint8Array) => Promise<void> | void,
): Promise<void> {
  await using mariadb = await startMariadb();
  await using postgres = await startPostgres();
  for (const [database, tables] of Object.entries(databases)) {
    await mariadb.load(database, mariadbOf(tables) + (database === "freeradius" ? mariadbBesides : ""));
  }
  await postgres.load("freeradius", postgresOf(databases.freeradius) + postgresBesides);
  for (const { file, database, by, options, isGzip } of variants) {
    const bytes = await (by === "mariadb" ? mariadb : postgres).dump(database, ...options);
    await made(file, isGzip === true ? members(bytes) : bytes);
  }
}

function members(bytes: Uint8Array): Uint8Array {
  const half = bytes.length >>> 1;
  return Buffer.concat([gzipSync(bytes.subarray(0, half)), gzipSync(bytes.subarray(half))]);
}
