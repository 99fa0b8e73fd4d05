import type { Database } from "bun:sqlite";
import type { Seconds } from "../../core/time/time.ts";
import { openPrivately } from "./label.ts";

/**
 * Lets books with access boxes, which are about to be put in place, wait until somebody has recovered what was done since. Returns whether
 * they do; then their numbers go on where they were, and are not given another letter. They mark nothing meanwhile: a migration that
 * changes rows would take numbers of changes that the stream has. A backup of books that waited already goes on from the same place.
 */
export function waitForRecovery(incoming: string, now: Seconds): boolean {
  using client = openPrivately(incoming);
  if (!hasBoxes(client)) return false;
  client.run(
    `UPDATE access_state SET highest = CASE WHEN pending IS NULL THEN epoch ELSE highest END, pending = 'recover', marking = 0,
       restored_at = ?`,
    [now],
  );
  return true;
}

function hasBoxes(client: Database): boolean {
  try {
    using statement = client.prepare(
      "SELECT 1 FROM access_state WHERE role = 'books' AND (marking = 1 OR pending IS NOT NULL)",
    );
    return statement.get() !== null;
  } catch {
    return false; // of before there were boxes
  }
}
