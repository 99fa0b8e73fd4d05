import { Database } from "bun:sqlite";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../../../db/migrate.ts";
import { storeFiles } from "../../core/files/files.ts";
import { openPrivately } from "./label.ts";

/*
 * A restored store is older than the paper that was handed out since: its numbers would be given out a second time. So the
 * series go on with a letter that no restore of this box has used yet, from 1: R-2026b-000001.
 */

interface Counter {
  ispId: number;
  series: string;
  year: number;
  letter: string;
  last: number;
}

/**
 * Lets the series of a store that is about to replace the one of a folder go on with a new letter, unless that one has given out
 * the same numbers. `replaced` is open; undefined: there is none, or it cannot be read. `isHandedOver`: nothing was booked after it was
 * copied, so that where nothing was booked here either the numbers go on where they stand.
 */
export function continueNumbers(
  incoming: string,
  {
    replaced,
    folder,
    now,
    isHandedOver,
  }: { replaced: Database | undefined; folder: string; now: number; isHandedOver: boolean },
): void {
  using client = openPrivately(incoming);
  const former = replaced && countersOf(replaced);
  const isNew = (former ?? []).length === 0 && keptCounters(folder).length === 0;
  if (isHandedOver && isNew) return;
  if (!countersOf(client)) {
    if (!former || former.length === 0) return; // of before there were numbers, as what it replaces
    migrate(client, { now });
  }
  const restored = countersOf(client) ?? [];
  if (former && JSON.stringify(former) === JSON.stringify(restored)) return;
  const used = [...restored, ...(former ?? []), ...keptCounters(folder)].map(({ letter }) => letter);
  const letter = letterAfter(used);
  beginSeries(client, letter);
}

/** Lets every series go on with a letter, from 1. */
export function beginSeries(client: Database, letter: string): void {
  client.run(
    `INSERT INTO counters (isp_id, series, year, letter, last)
     SELECT i.id, s.series, 0, ?, 0 FROM isps i, (SELECT 'I' AS series UNION ALL SELECT 'R') s WHERE true
     ON CONFLICT (isp_id, series) DO UPDATE SET letter = excluded.letter, last = 0`,
    [letter],
  );
}

/** Undefined where the store has none, or cannot be read. */
function countersOf(client: Database): Counter[] | undefined {
  try {
    using statement = client.prepare<Counter, []>(
      "SELECT isp_id AS ispId, series, year, letter, last FROM counters ORDER BY isp_id, series",
    );
    return statement.all();
  } catch {
    return undefined;
  }
}

/** Of the stores that earlier restores have put aside, as far as they are there and can be read. */
function keptCounters(folder: string): Counter[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith("replaced-"))
    .map((name) => storeFiles(join(folder, name)).database)
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      try {
        using client = new Database(file, { readonly: true, strict: true });
        return countersOf(client) ?? [];
      } catch {
        return []; // it was put aside because it is damaged
      }
    });
}

/** b after none, c after b, zb after z: the one after the highest. */
function letterAfter(letters: readonly string[]): string {
  const highest = letters.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).at(-1) ?? "";
  if (highest === "") return "b";
  if (highest.endsWith("z")) return `${highest}b`;
  return highest.slice(0, -1) + String.fromCharCode(highest.charCodeAt(highest.length - 1) + 1);
}
