import type { Database } from "bun:sqlite";
import { openWriter } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { beginSeries } from "./continue-numbers.ts";
import { openPrivately } from "./label.ts";

/*
 * Books that move to another box: `gatehouse backup --move` writes them while nobody serves them, and says so in the file. What is booked
 * here afterwards all the same, because somebody starts it again, has numbers of another letter than any restore gives, so that the
 * other box may go on where the numbers stand.
 */

/** Seconds that such a file is taken at its word: later, another box may have gone on from it, and be lost. */
const STANDS = 86_400;
/** Behind every letter that a restore comes to. */
const LEFT_BEHIND = "zzb";

/** Says in a copy that nothing was booked after it. */
export function markHandedOver(copy: string, now: Seconds): void {
  using client = openPrivately(copy);
  client.run("CREATE TABLE _moved (at INTEGER NOT NULL) STRICT");
  client.run("INSERT INTO _moved VALUES (?)", [now]);
}

/** Numbers of the books that stay behind. */
export function leaveNumbers(folder: string): void {
  const { $client } = openWriter(folder, { busyTimeout: 10_000 });
  try {
    $client.transaction(() => beginSeries($client, LEFT_BEHIND)).immediate();
  } finally {
    $client.close();
  }
}

/** Whether a copy was handed over a moment ago, so that it is all that there is. It says so no more. */
export function takeHandedOver(copy: string, now: Seconds): boolean {
  using client = openPrivately(copy);
  const at = movedAt(client);
  if (at === undefined) return false;
  client.run("DROP TABLE _moved");
  return Math.abs(now - at) <= STANDS;
}

function movedAt(client: Database): Seconds | undefined {
  const has = client.query("SELECT 1 FROM sqlite_schema WHERE name = '_moved'").get() !== null;
  if (!has) return undefined;
  return client.query<{ at: number }, []>("SELECT at FROM _moved").get()?.at;
}
