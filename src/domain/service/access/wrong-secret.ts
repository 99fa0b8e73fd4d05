import type { Db } from "../../../../db/open.ts";
import type { authLog } from "../../../../db/schema.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";

/** A router starts accounting within seconds of an Accept; a minute is no delay. */
const ACCOUNTING_FOLLOWS_WITHIN = 60;
/** Seconds back to which a router's other logins are examined. */
const LOOK_BACK = 86_400;
const ENTRIES = 200;

interface Decision {
  readonly entry: typeof authLog.$inferSelect;
  readonly nasName: string | null;
}

/**
 * Signs of a wrong shared secret in a subscriber's decisions. Without a Message-Authenticator a request passes with any secret:
 * PAP passwords arrive garbled, and with CHAP the router drops our reply as forged, so no accounting follows the Accept.
 */
export function findWrongSecrets(db: Db, decisions: readonly Decision[], now: Seconds): string[] {
  const routers = new Map<number, string>();
  for (const { entry, nasName } of decisions) {
    if (entry.nasId !== null && nasName !== null)
      routers.set(entry.nasId, `${nasName} (${entry.nasAddress})`);
  }
  const findings: string[] = [];
  for (const [nasId, router] of routers) {
    const here = decisions.filter(({ entry }) => entry.nasId === nasId);
    findings.push(...findGarbled(db, nasId, router, now), ...findUnaccounted(db, here, router, now));
  }
  return findings;
}

function findGarbled(db: Db, nasId: number, router: string, now: Seconds): string[] {
  const count = db.$client
    .query<{ passwords: number; garbled: number }, [number, number, number]>(
      `SELECT count(*) AS passwords, coalesce(sum(detail = 'garbled'), 0) AS garbled FROM (
         SELECT detail, method FROM auth_log WHERE at >= ? AND nas_id = ? ORDER BY at DESC, id DESC LIMIT ?
       ) WHERE method = 'pap'`,
    )
    .get(now - LOOK_BACK, nasId, ENTRIES);
  if (!count || count.garbled === 0) return [];
  const { garbled, passwords } = count;
  return [
    `${garbled} of the last ${passwords} passwords from the router ${router} are no text: its shared secret is most likely not ours; set the same one on both sides (RouterOS: /radius set secret=...)`,
  ];
}

/** The newest consecutive Accepts: an earlier one may have had a session, which shows that the router listens. */
function findUnaccounted(db: Db, decisions: readonly Decision[], router: string, now: Seconds): string[] {
  const accepts = decisions
    .map(({ entry }) => entry)
    .filter(({ accepted, at }) => accepted === 1 && at <= now - ACCOUNTING_FOLLOWS_WITHIN);
  const index = accepts.findIndex((entry) => isAccounted(db, entry));
  const unheard = index < 0 ? accepts : accepts.slice(0, index);
  const oldest = unheard.at(-1);
  if (!oldest) return [];
  const times = unheard.length === 1 ? "once" : `${unheard.length} times`;
  return [
    `accepted ${times} since ${formatTime(oldest.at)} on the router ${router}, and no accounting followed: either the router does not believe our answer, because its shared secret is not ours, or it sends no accounting to us (RouterOS: /radius set secret=... accounting-port=..., /ppp aaa set accounting=yes)`,
  ];
}

/** Whether the Accept's session was reported: by Class, or by subscriber where a NAS does not return it. */
function isAccounted(
  db: Db,
  { at, class: sessionClass, subscriberId, nasAddress }: Decision["entry"],
): boolean {
  const query = db.$client.query<{ found: number }, [number | null, number, Uint8Array | null, string]>(
    `SELECT 1 AS found FROM sessions WHERE subscriber_id = ? AND started_at >= ?
       AND (class = ? OR (class IS NULL AND nas_address = ?)) LIMIT 1`,
  );
  return query.get(subscriberId, at - ACCOUNTING_FOLLOWS_WITHIN, sessionClass, nasAddress) !== null;
}
