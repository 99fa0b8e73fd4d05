import type { Database } from "bun:sqlite";
import type { Seconds } from "../../core/time/time.ts";
import { openPrivately } from "./label.ts";

/**
 * Holds an incoming store with access boxes until it is recovered. Returns whether it is held; then its numbers keep their
 * letter. Marking stops meanwhile: a migration that changes rows would use numbers of the stream. A backup that was held
 * already keeps its position.
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
