import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

/** A line that went dark: an unwanted session end, no session since, and no login. */
export interface Loss {
  readonly subscriberId: number;
  readonly at: Seconds;
  readonly ispId: number;
  readonly nasId: number | null;
  readonly areaId: number | null;
  readonly boxNumber: string | null;
  readonly port: string | null;
}

/** Seconds within which a redialling line is back. */
export const SETTLED = 30;
/** Most losses read per check; of a larger number a part suffices. */
const MOST = 20_000;

/** Acct-Terminate-Cause of ends wanted by subscriber, staff or clock (RFC 2866 section 5.10). */
const TARGET = [
  "User-Request",
  "Idle-Timeout",
  "Session-Timeout",
  "Admin-Reset",
  "Admin-Reboot",
  "NAS-Reboot",
  "Port-Unneeded",
  "Port-Preempted",
  "Callback",
  "User-Error",
  "Host-Request",
  "lost",
];

/** SQL: session `o` has an unwanted end reported by its router. */
export const unwanted = `o.closed_by = 'stop'
  AND (o.terminate_cause IS NULL OR o.terminate_cause NOT IN (${TARGET.map((cause) => `'${cause}'`).join(", ")}))`;

/** SQL: subscriber `s` was not heard since `o` ended. A refused login shows that the line works. */
const stillDark = `NOT EXISTS (SELECT 1 FROM sessions n INDEXED BY sessions_open_subscriber WHERE n.subscriber_id = s.id AND n.stopped_at IS NULL)
  AND ifnull((SELECT a.at FROM auth_log a WHERE a.subscriber_id = s.id ORDER BY a.id DESC LIMIT 1), 0) <= o.stopped_at`;

/** Lines dark since after `since`, of subscribers allowed online; oldest first. */
export function lossesSince({ $client }: Db, since: Seconds, now: Seconds): Loss[] {
  const rows = $client
    .query<Loss, [Seconds, Seconds, Seconds]>(
      `SELECT s.id AS subscriberId, o.stopped_at AS at, s.isp_id AS ispId, o.nas_id AS nasId, s.area_id AS areaId,
         s.box_number AS boxNumber, coalesce(s.uplink_port, s.switch_port) AS port
       FROM sessions o INDEXED BY sessions_stopped CROSS JOIN subscribers s ON s.id = o.subscriber_id CROSS JOIN services v ON v.subscriber_id = s.id
       WHERE o.stopped_at > ? AND o.stopped_at <= ? AND ${unwanted} AND s.status = 1 AND s.archived_at IS NULL
         AND v.expires_at > ? AND v.frozen_at IS NULL AND ${stillDark}
       ORDER BY o.stopped_at LIMIT ${MOST}`,
    )
    .all(since, now, now);
  return [...new Map(rows.map((row) => [row.subscriberId, row])).values()].sort((a, b) => a.at - b.at);
}

/** The largest group of sorted times within so many seconds, as a half-open range. */
export function findCrowd(times: readonly Seconds[], within: Seconds): { from: number; to: number } {
  let best = { from: 0, to: 0 };
  let from = 0;
  for (const [index, at] of times.entries()) {
    while (at - (times[from] ?? at) > within) from++;
    if (index + 1 - from > best.to - best.from) best = { from, to: index + 1 };
  }
  return best;
}
