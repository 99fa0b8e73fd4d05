import type { Db } from "../../../../db/open.ts";
import { announceOther, timestamp } from "../../core/events/announce.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Events for a silent router and for its return, once per outage. */
export function tellRouter(
  tx: Db,
  {
    type,
    nasId,
    since,
    beganAt,
  }: { type: "router.silent" | "router.back"; nasId: number; since: Seconds; beganAt: Seconds },
  now: Seconds,
): void {
  const router = tx.$client
    .query<{ ispId: number | null; name: string; address: string }, [number]>(
      "SELECT isp_id AS ispId, name, address FROM nas WHERE id = ?",
    )
    .get(nasId);
  if (!router) return; // removed since
  const { ispId, name, address } = router;
  const data = { router: { id: nasId, name, address }, since: timestamp(since) };
  announceOther(tx, now, { type, ispId, dueKey: `${nasId} ${beganAt}`, data });
}
