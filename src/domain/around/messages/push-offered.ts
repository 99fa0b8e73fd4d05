import type { Db } from "../../../../db/open.ts";

/** Whether an ISP sends notifications at all: without a channel of theirs nobody is asked whether they want any. */
export function offersPush({ $client }: Pick<Db, "$client">, ispId: number | null): boolean {
  return (
    $client
      .query(
        "SELECT 1 FROM channels WHERE kind = 'push' AND disabled_at IS NULL AND (isp_id IS ?1 OR isp_id IS NULL OR ?1 IS NULL) LIMIT 1",
      )
      .get(ispId) !== null
  );
}
