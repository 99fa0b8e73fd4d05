import type { Tx } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

/** A manual resend retries a failing channel at once. */
export function tryNow({ $client }: Tx, messageIds: readonly number[], now: Seconds): void {
  $client
    .query<unknown, [Seconds, string, Seconds]>(
      `UPDATE channels SET try_at = ? WHERE id IN (
         SELECT channel_id FROM messages WHERE id IN (SELECT value FROM json_each(?))) AND try_at > ?`,
    )
    .run(now, JSON.stringify(messageIds), now);
}
