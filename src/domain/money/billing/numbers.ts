import type { Tx } from "../../../../db/open.ts";
import type { counters } from "../../../../db/schema.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

/** `I`: invoices and credit notes. `R`: receipts and refunds. */
export type Series = (typeof counters.$inferSelect)["series"];

interface Counter {
  year: number;
  letter: string;
  last: number;
}

/**
 * The next number, such as I-2026-000123: gapless, because it is counted in the booking transaction. The year is the server's,
 * but never goes back. A new series has the others' letter.
 */
export function nextNumber({ $client }: Tx, ispId: number, series: Series, now: Seconds): string {
  const thisYear = Math.floor(localDay(now) / 10_000);
  const stored = $client
    .query<Counter, [number, Series]>(
      "SELECT year, letter, last FROM counters WHERE isp_id = ? AND series = ?",
    )
    .get(ispId, series);
  const year = Math.max(thisYear, stored?.year ?? 0);
  const last = stored?.year === year ? stored.last + 1 : 1;
  const letter = stored?.letter ?? newestLetter($client);
  $client
    .query(
      `INSERT INTO counters (isp_id, series, year, letter, last) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (isp_id, series) DO UPDATE SET year = excluded.year, last = excluded.last`,
    )
    .run(ispId, series, year, letter, last);
  return `${series}-${year}${letter}-${String(last).padStart(6, "0")}`;
}

function newestLetter($client: Tx["$client"]): string {
  const newest = $client
    .query<{ letter: string }, []>(
      "SELECT letter FROM counters ORDER BY length(letter) DESC, letter DESC LIMIT 1",
    )
    .get();
  return newest?.letter ?? "";
}
