import type { Db } from "../../../../db/open.ts";
import type { Session } from "../../service/sessions/advance.ts";
import type { Nas } from "./find.ts";

/** RouterOS's Acct-Session-Id: two digits of service (80 hotspot, 81 PPP, 83 DHCP), one of boot, five of a counter. */
const ROUTEROS_SESSION_ID = /^8[0-3][0-9a-f]{6}$/i;

/** Whether a router seems to be a RouterOS by its sessions; for the wording of advice. */
export function seemsRouteros({
  acctSessionId,
  nasIdentifier,
}: Pick<Session, "acctSessionId" | "nasIdentifier">): boolean {
  return nasIdentifier === "MikroTik" || ROUTEROS_SESSION_ID.test(acctSessionId);
}

/** Whether a router is no MikroTik, by its kind, or without API by its newest session. */
export function isOtherKind(
  db: Db,
  { id, kind, routerosHost }: Pick<Nas, "id" | "kind" | "routerosHost">,
): boolean {
  if (kind !== "mikrotik") return true;
  if (routerosHost !== null) return false;
  const newest = db.$client
    .query<Pick<Session, "acctSessionId" | "nasIdentifier">, [number]>(
      `SELECT acct_session_id AS acctSessionId, nas_identifier AS nasIdentifier
       FROM sessions INDEXED BY sessions_nas WHERE nas_id = ? ORDER BY started_at DESC LIMIT 1`,
    )
    .get(id);
  return newest !== null && !seemsRouteros(newest);
}
