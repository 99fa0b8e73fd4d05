import type { Db } from "../../../db/open.ts";
import { setting } from "../settings/settings.ts";
import { lastChange } from "./book-changes.ts";
import { accessState } from "./state.ts";

/** Milliseconds that an answer waits at the most, and between two looks. */
const PATIENCE = 2000;
const LOOK_EVERY = 10;

/** What is said of money that the stream of the books did not have in time. */
export const ONLY_HERE = "only on this box so far";

/**
 * Where the setting money_waits is on: waits until the stream of the books has all that was written up to now, 2 seconds at the most.
 * Returns what is to be said beside the answer; undefined: nothing, the other machine has it or nobody asked.
 */
export async function onlyHere(db: Db): Promise<string | undefined> {
  const { marking } = accessState(db);
  if (marking === 0 || !setting(db, "money_waits")) return undefined;
  const written = lastChange(db);
  const waits = db.$client.query<unknown, [number]>("SELECT 1 FROM book_changes WHERE number <= ? LIMIT 1");
  const until = performance.now() + PATIENCE;
  while (waits.get(written) !== null) {
    if (performance.now() >= until) return ONLY_HERE;
    await Bun.sleep(LOOK_EVERY);
  }
  return undefined;
}
