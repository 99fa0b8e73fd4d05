import { bookKey } from "../../../../db/book-keys.ts";
import { type BookTable, bookTables } from "../../../../db/book-tables.ts";
import type { Tx } from "../../../../db/open.ts";
import { sqliteCode } from "../../../../db/sqlite-error.ts";
import { hasKey, readImage, type ImageValue, type RowImage } from "./book-changes.ts";

/** A row that cannot be put back, and the store's error. */
export interface LeftOut {
  readonly image: RowImage;
  readonly why: string;
}

/** Rounds: a row may have to wait for one that it refers to, or for a name that is still in use. */
const ROUNDS = 8;

/** Applies row images, each in a savepoint. Triggers run as usual; the tables that they fill come last and win. Throws what the disk throws. */
export function putBack(tx: Tx, images: readonly RowImage[]): { rows: number; left: LeftOut[] } {
  const byTable = Map.groupBy(images, ({ table }) => table);
  const ordered = bookTables.flatMap((table) =>
    (byTable.get(table.name) ?? []).map((image): Placed => ({ table, image })),
  );
  const written = new Set<RowImage>();
  const left = putRounds(tx, ordered, written);
  const traders = left.filter(({ image: { table, row } }) => table === "subscribers" && row !== null);
  if (traders.length < 2) return { rows: written.size, left };
  return { rows: written.size, left: trade(tx, traders, () => putRounds(tx, ordered, written)) ?? left };
}

interface Placed {
  readonly table: BookTable;
  readonly image: RowImage;
}

function putRounds(tx: Tx, ordered: readonly Placed[], written: Set<RowImage>): LeftOut[] {
  let left: LeftOut[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let changed = 0;
    left = [];
    for (const { table, image } of ordered) {
      const outcome = tryRow(tx, table, image);
      if (outcome === "same") continue;
      if (outcome === "written") {
        written.add(image);
        changed++;
      } else left.push({ image, why: outcome.why });
    }
    if (changed === 0) break;
  }
  return left;
}

/** Lets subscribers swap names or addresses by way of temporary ones. Returns what still does not fit; undefined: nothing was changed. */
function trade(tx: Tx, traders: readonly LeftOut[], again: () => LeftOut[]): LeftOut[] | undefined {
  const unname = tx.$client.query<unknown, (string | number)[]>(
    `UPDATE subscribers SET username = '~' || id, username_key = '~' || id, pool_ip_from = NULL, pool_prefix_from = NULL
     WHERE id = ?`,
  );
  const waiting = new Set(traders.map(({ image }) => image));
  let left: LeftOut[] | undefined;
  try {
    tx.$client.transaction(() => {
      for (const { key } of waiting) unname.run(...key);
      left = again();
      if (left.some(({ image }) => waiting.has(image))) throw new StillLeft();
    })();
  } catch (error) {
    if (!(error instanceof StillLeft)) throw error;
    left = undefined;
  }
  return left;
}

class StillLeft extends Error {}

function tryRow(tx: Tx, table: BookTable, image: RowImage): "same" | "written" | { readonly why: string } {
  if (isAsItStands(tx, table, image)) return "same";
  try {
    tx.$client.transaction(() => putRow(tx, table, image))();
    return "written";
  } catch (error) {
    if (!sqliteCode(error).startsWith("SQLITE_CONSTRAINT")) throw error;
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

function isAsItStands(tx: Tx, table: BookTable, { key, row }: RowImage): boolean {
  const { row: present } = readImage(tx, table, key);
  if (row === null || present === null) return row === present;
  return Object.entries(row).every(
    ([column, value]) => JSON.stringify(present[column]) === JSON.stringify(value),
  );
}

function putRow(tx: Tx, table: BookTable, { key, row }: RowImage): void {
  const { $client } = tx;
  const keys = bookKey(table.name).map(({ name }) => name);
  if (row === null) {
    const here = hasKey(table.name);
    $client.query<unknown, (string | number)[]>(`DELETE FROM ${table.name} WHERE ${here}`).run(...key);
    return;
  }
  const columns = Object.keys(row);
  const values = columns.map((column) => stored(row[column] ?? null));
  const set = columns
    .filter((column) => !keys.includes(column))
    .map((column) => `"${column}" = excluded."${column}"`);
  if (table.name === "services")
    set.push(ofNewPeriod("quota_used", "0"), ofNewPeriod("quota_crossed_at", "NULL"));
  const names = columns.map((column) => `"${column}"`).join(", ");
  const marks = columns.map(() => "?").join(", ");
  $client
    .query<unknown, (string | number | Uint8Array | null)[]>(
      `INSERT INTO ${table.name} (${names}) VALUES (${marks})
       ON CONFLICT (${keys.map((column) => `"${column}"`).join(", ")}) DO UPDATE SET ${set.join(", ")}`,
    )
    .run(...values);
}

/** Usage restarts with an activation; the boxes report what was used since. */
function ofNewPeriod(column: string, value: string): string {
  return `${column} = CASE WHEN activated_at IS excluded.activated_at THEN ${column} ELSE ${value} END`;
}

function stored(value: ImageValue): string | number | Uint8Array | null {
  return typeof value === "object" && value !== null ? Buffer.from(value.b64, "base64") : value;
}
