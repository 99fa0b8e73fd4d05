import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

interface LastSeen {
  readonly at: Seconds;
  readonly nasAddress: string;
  readonly localAddress: string | null;
}

/** The newest accounting: when, source and destination. It was authentic. */
export function lastSeen({ $client }: Db, nasId: number): LastSeen | undefined {
  const statement = $client.query<LastSeen, [number]>(
    `SELECT updated_at AS at, nas_address AS nasAddress, local_address AS localAddress 
     FROM sessions INDEXED BY sessions_nas WHERE nas_id = ? ORDER BY started_at DESC LIMIT 1`,
  );
  return statement.get(nasId) ?? undefined;
}
