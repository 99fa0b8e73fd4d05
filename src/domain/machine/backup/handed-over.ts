import type { Database } from "bun:sqlite";
import { openWriter } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { beginSeries } from "./continue-numbers.ts";
import { openPrivately } from "./label.ts";

/*
 * `gatehouse backup --move` writes a store that moves to another box while nobody serves it, and marks the copy. If this one is
 * started again, its numbers get a letter that no restore gives, so that the other may go on with the plain ones.
 */

/** Seconds for which the mark counts: later, another box may have gone on and be lost. */
const STANDS = 86_400;
const LEFT_BEHIND = "zzb";

/** Marks a copy after which nothing was booked. */
export function markHandedOver(copy: string, now: Seconds): void {
  using client = openPrivately(copy);
  client.run("CREATE TABLE _moved (at INTEGER NOT NULL) STRICT");
  client.run("INSERT INTO _moved VALUES (?)", [now]);
}

/** Switches the numbers of the store that stays behind. */
export function leaveNumbers(folder: string): void {
  const { $client } = openWriter(folder, { busyTimeout: 10_000 });
  try {
    $client.transaction(() => beginSeries($client, LEFT_BEHIND)).immediate();
  } finally {
    $client.close();
  }
}

/** Whether the copy is freshly handed over; removes the mark. */
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
