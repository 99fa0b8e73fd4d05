import type { Db } from "../../../../db/open.ts";
import type { Session } from "../sessions/advance.ts";
import type { Seconds } from "../../core/time/time.ts";

/*
 * A router cuts a session by the Session-Timeout of its Accept, which is not stored: it was the end of the service at the login.
 * So the router does not know of an end that was moved since the session began, until it was told by CoA.
 */

interface Ends {
  expiresAt: Seconds;
  /** When it was last set by an activation, a top-up or an extension; null: by an import. */
  setAt: Seconds | null;
}

/** The end of the service of a subscriber for those of its sessions whose routers do not know it. */
export function newEnds({ $client }: Db, subscriberId: number): (session: Session) => Seconds | undefined {
  const ends = $client
    .query<Ends, [number]>(
      `SELECT v.expires_at AS expiresAt, max(ifnull(v.activated_at, 0),
         ifnull((SELECT max(created_at) FROM extensions e WHERE e.subscriber_id = v.subscriber_id), 0),
         ifnull((SELECT max(created_at) FROM invoices i WHERE i.subscriber_id = v.subscriber_id), 0)) AS setAt
       FROM services v WHERE v.subscriber_id = ?`,
    )
    .get(subscriberId);
  const select = $client.query<{ until: Seconds }, [number]>(
    "SELECT until FROM told_ends WHERE session_id = ?",
  );
  return ({ id, startedAt }) => {
    if (!ends) return undefined;
    const { expiresAt, setAt } = ends;
    const known = select.get(id)?.until;
    const isKnown = known === undefined ? (setAt ?? 0) < startedAt : known === expiresAt;
    return isKnown ? undefined : expiresAt;
  };
}

/** Remembers that the router of a session knows the end of its service. */
export function storeAnnounced({ $client }: Db, { id }: Session, until: Seconds): void {
  $client
    .query(
      "INSERT INTO told_ends (session_id, until) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET until = excluded.until",
    )
    .run(id, until);
}
