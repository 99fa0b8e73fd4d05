import { bookKey } from "../../../../db/book-keys.ts";
import { type BookTable, bookTables } from "../../../../db/book-tables.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { accessState } from "./state.ts";

/*
 * The change stream has row images, not operations: replaying a payment would need every price and rule of its moment, and
 * would give other receipt numbers. Applying an image twice does no harm. Outbox events and audit entries are among the rows.
 */

export type ImageValue = string | number | null | { readonly b64: string };

/** `row` null: deleted. */
export interface RowImage {
  readonly table: string;
  readonly key: readonly (string | number)[];
  readonly row: Readonly<Record<string, ImageValue>> | null;
}

/** The number of the last change that counts, for each epoch. */
export type Lineage = readonly (readonly [epoch: number, number: number])[];

/** All rows that changed between two numbers, read at one moment. */
export interface BookBatch {
  readonly epoch: number;
  readonly after: number;
  readonly number: number;
  readonly lineage: Lineage;
  readonly images: readonly RowImage[];
}

/** How far the change stream is behind. */
export interface PrimaryBehind {
  readonly changes: number;
  readonly since: Seconds | null;
}

export function primaryBehind({ $client }: Db): PrimaryBehind {
  const row = $client
    .query<PrimaryBehind, []>("SELECT count(*) AS changes, min(at) AS since FROM book_changes")
    .get();
  return row ?? { changes: 0, since: null };
}

export function lastChange({ $client }: Db): number {
  const row = $client
    .query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'book_changes'")
    .get();
  return row?.seq ?? 0;
}

export function readLineage(db: Db): Lineage {
  return JSON.parse(accessState(db).lineage) as Lineage; // as keepLineage wrote it
}

export function keepLineage({ $client }: Tx, lineage: Lineage): void {
  $client.query<unknown, [string]>("UPDATE access_state SET lineage = ?").run(JSON.stringify(lineage));
}

/** Changes that are not in the stream yet; undefined: none. */
export function readBookChanges(db: Db): BookBatch | undefined {
  const { $client } = db;
  const changes = $client.query<{ tableName: string; key: string }, [number]>(
    `SELECT table_name AS tableName, key FROM book_changes WHERE number <= ? GROUP BY table_name, key ORDER BY max(number)`,
  );
  const read = $client.transaction((): BookBatch | undefined => {
    const last = $client.query<{ number: number | null }, []>(
      "SELECT max(number) AS number FROM book_changes",
    );
    const number = last.get()?.number ?? null;
    if (number === null) return undefined;
    const { epoch, booked } = accessState(db);
    const images = changes.all(number).flatMap(({ tableName, key }) => {
      const table = tableNamed(tableName);
      return table ? [readImage(db, table, JSON.parse(key) as RowImage["key"])] : []; // by a trigger
    });
    return { epoch, after: booked, number, lineage: readLineage(db), images };
  });
  return read();
}

export function noteBooked(db: Db, number: number): void {
  write(db, ({ $client }) => {
    $client.query<unknown, [number]>("DELETE FROM book_changes WHERE number <= ?").run(number);
    $client.query<unknown, [number]>("UPDATE access_state SET booked = ?").run(number);
  });
}

/** Skips numbers of the stream that this store does not have, because it was put back: new changes get later numbers, behind a gap. */
export function goOnBehind(db: Db, number: number): void {
  if (number <= lastChange(db)) return;
  write(db, (tx) => {
    const { $client } = tx;
    const later = number + 1;
    $client.query<unknown, [number]>("UPDATE book_changes SET number = number + ?").run(later);
    $client
      .query<unknown, [number]>("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'book_changes'")
      .run(later);
    $client.query<unknown, [number]>("UPDATE access_state SET booked = ?").run(later);
  });
}

export function readImage({ $client }: Db, { name, without }: BookTable, key: RowImage["key"]): RowImage {
  const found = $client
    .query<Record<string, string | number | Uint8Array | null>, (string | number)[]>(
      `SELECT * FROM ${name} WHERE ${hasKey(name)}`,
    )
    .get(...key);
  if (!found) return { table: name, key, row: null };
  const values = Object.entries(found).filter(([column]) => !without?.columns.includes(column));
  return {
    table: name,
    key,
    row: Object.fromEntries(values.map(([column, value]) => [column, imageValue(value)])),
  };
}

/** A WHERE clause for a key, values bound in order; bytes as hex. */
export const hasKey = (table: string): string =>
  bookKey(table)
    .map(({ name, isBytes }) => (isBytes ? `hex("${name}") = ?` : `"${name}" = ?`))
    .join(" AND ");

function tableNamed(name: string): BookTable | undefined {
  return bookTables.find((table) => table.name === name);
}

function imageValue(value: string | number | Uint8Array | null): ImageValue {
  return value instanceof Uint8Array ? { b64: Buffer.from(value).toString("base64") } : value;
}
