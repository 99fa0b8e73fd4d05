import type { Db } from "../../../../db/open.ts";
import { type Session, sessionColumns } from "../sessions/advance.ts";
import { holderCondition, leaseHolder } from "../sessions/session-class.ts";
import type { Holder, OnlineAnswer, RouterAnswer, Routers } from "./routers.ts";
import type { NodeRequest } from "./routers-of-boxes.ts";

/** A lease may have been renewed since, unknown to the primary. */
const selectSession = `SELECT ${sessionColumns("o")} FROM sessions o
  WHERE o.acct_session_id = $acctSessionId AND o.nas_address = $nasAddress AND o.username = $username
    AND (o.class IS $class OR ${holderCondition("$holder")}) ORDER BY o.id DESC LIMIT 1`;

/** An access box's answer to the primary, from the session's router. Never rejects. */
export async function answerPrimary(
  db: Db,
  routers: Routers,
  { ask, session: key, value, added, limit }: NodeRequest,
): Promise<RouterAnswer | OnlineAnswer> {
  const { acctSessionId, nasAddress, username } = key;
  const sessionClass = key.class === null ? null : Buffer.from(key.class, "base64");
  const session = db.$client
    .query<Session, Record<string, string | Uint8Array | null>>(selectSession)
    .get({ acctSessionId, nasAddress, username, class: sessionClass, holder: leaseHolder(sessionClass) });
  if (!session || session.stoppedAt !== null) return { kind: "gone" };
  session.class &&= Buffer.from(session.class);
  const holder = findHolder(db, session);
  switch (ask) {
    case "disconnect":
      return routers.disconnect(holder, session);
    case "rate":
      return routers.changeRate(holder, session, { rateLimit: String(value), added, totalLimit: limit });
    case "timeout":
      return routers.changeTimeout(holder, session, Number(value));
    case "find":
      return routers.find(holder, session);
  }
}

/** A session's holder: a known subscriber, or none, as for a card. */
function findHolder({ $client }: Db, { subscriberId, username, nasId }: Session): Holder {
  const known = $client
    .query<Holder, [number | null]>(
      `SELECT id, isp_id AS ispId, username, connection_type_id AS connectionTypeId, any_connection AS anyConnection,
         mac_login AS macLogin, nas_id AS nasId FROM subscribers WHERE id = ?`,
    )
    .get(subscriberId);
  return (
    known ?? { id: null, ispId: null, username, connectionTypeId: 1, anyConnection: 1, macLogin: 0, nasId }
  );
}
