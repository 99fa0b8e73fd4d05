import type { Db } from "../../../../db/open.ts";
import { announceOther, timestamp } from "../../core/events/announce.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Tells that a router is silent since it was heard last, or back since it was heard again; once for each outage. */
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
