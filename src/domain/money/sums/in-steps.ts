import type { Db } from "../../../../db/open.ts";

/** Subscribers of a step, a few milliseconds. */
const STEP = 500;
/** Milliseconds. */
const PAUSE = 10;

export interface IdRange {
  readonly after: number;
  readonly last: number;
}

/** False: aborted. */
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
