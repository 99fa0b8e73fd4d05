import type { Db } from "../../../../db/open.ts";
import type { Session } from "../sessions/advance.ts";
import type { Seconds } from "../../core/time/time.ts";

/*
 * A router ends a session by the Session-Timeout of its Accept, which is not stored: it was the service's end at login. So the
 * router does not know an end that was moved since, until told by CoA.
 */

interface Ends {
  expiresAt: Seconds;
  /** Last change by activation, top-up or extension; null: imported. */
  setAt: Seconds | null;
}

/** The service's end, for sessions whose routers do not know it. */
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

/** Remembers that a session's router knows the service's end. */
export function storeAnnounced({ $client }: Db, { id }: Session, until: Seconds): void {
  $client
    .query(
      "INSERT INTO told_ends (session_id, until) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET until = excluded.until",
    )
    .run(id, until);
}
