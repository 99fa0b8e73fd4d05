import { Database } from "bun:sqlite";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../../../db/migrate.ts";
import { storeFiles } from "../../core/files/files.ts";
import { openPrivately } from "./label.ts";

/*
 * A restored store would give out receipt numbers again, so its series go on from 1 with a letter that no restore of this box
 * has used: R-2026b-000001.
 */

interface Counter {
  ispId: number;
  series: string;
  year: number;
  letter: string;
  last: number;
}

/**
 * Gives the series of an incoming store a new letter, unless the replaced store has the same counters. `replaced` undefined:
 * none, or unreadable. `isHandedOver`: nothing was booked after the copy, so that its numbers may go on if this box has none
 * either.
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
  const former = replaced && readCounters(replaced);
  const isNew = (former ?? []).length === 0 && keptCounters(folder).length === 0;
  if (isHandedOver && isNew) return;
  if (!readCounters(client)) {
    if (!former || former.length === 0) return; // of before there were numbers, as what it replaces
    migrate(client, { now });
  }
  const restored = readCounters(client) ?? [];
  if (former && JSON.stringify(former) === JSON.stringify(restored)) return;
  const used = [...restored, ...(former ?? []), ...keptCounters(folder)].map(({ letter }) => letter);
  const letter = letterAfter(used);
  beginSeries(client, letter);
}

export function beginSeries(client: Database, letter: string): void {
  client.run(
    `INSERT INTO counters (isp_id, series, year, letter, last)
     SELECT i.id, s.series, 0, ?, 0 FROM isps i, (SELECT 'I' AS series UNION ALL SELECT 'R') s WHERE true
     ON CONFLICT (isp_id, series) DO UPDATE SET letter = excluded.letter, last = 0`,
    [letter],
  );
}

function readCounters(client: Database): Counter[] | undefined {
  try {
    using statement = client.prepare<Counter, []>(
      "SELECT isp_id AS ispId, series, year, letter, last FROM counters ORDER BY isp_id, series",
    );
    return statement.all();
  } catch {
    return undefined;
  }
}

/** Counters of stores set aside by earlier restores, as far as readable. */
function keptCounters(folder: string): Counter[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith("replaced-"))
    .map((name) => storeFiles(join(folder, name)).database)
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      try {
        using client = new Database(file, { readonly: true, strict: true });
        return readCounters(client) ?? [];
      } catch {
        return []; // it was put aside because it is damaged
      }
    });
}

/** The next letter after the highest: b after none, c after b, zb after z. */
function letterAfter(letters: readonly string[]): string {
  const highest = letters.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).at(-1) ?? "";
  if (highest === "") return "b";
  if (highest.endsWith("z")) return `${highest}b`;
  return highest.slice(0, -1) + String.fromCharCode(highest.charCodeAt(highest.length - 1) + 1);
}
