import type { Db } from "../../../../db/open.ts";

/** Subscribers that are looked at together: a few milliseconds of the main thread. */
const STEP = 500;
/** Milliseconds between two steps, for everybody else. */
const PAUSE = 10;

/** Ids above `after`, up to `last`. */
export interface IdRange {
  readonly after: number;
  readonly last: number;
}

/** All subscribers in steps with a pause after each. False: it was broken off by `signal`. */
export async function inSteps(
  { $client }: Db,
  signal: AbortSignal | undefined,
  work: (range: IdRange) => void,
): Promise<boolean> {
  const newest = $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM subscribers").get();
  for (let after = 0; after < (newest?.id ?? 0); after += STEP) {
    if (signal?.aborted) return false;
    work({ after, last: after + STEP });
    await Bun.sleep(PAUSE);
  }
  return true;
}
