import type { Db } from "../../../db/open.ts";
import type { Seconds } from "../time.ts";

interface Heard {
  readonly at: Seconds;
  readonly nasAddress: string;
  readonly localAddress: string | null;
}

/** Sessions of the whole box among which a router's newest is looked for: there is no index of theirs. */
export const LATEST = 100_000;

/** The newest accounting of a NAS: when, from which of its addresses, and to which of ours. Its authenticator was right. */
export function lastHeard({ $client }: Db, nasId: number): Heard | undefined {
  const statement = $client.query<Heard, [number]>(
    `SELECT updated_at AS at, nas_address AS nasAddress, local_address AS localAddress FROM sessions WHERE nas_id = ? AND id > (SELECT max(id) FROM sessions) - ${LATEST} ORDER BY id DESC LIMIT 1`,
  );
  return statement.get(nasId) ?? undefined;
}
