import { columnsOf } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import type { Subscriber } from "../subscribers/find.ts";
import { formatTime } from "../time.ts";

const newestOpen = `
  SELECT ${columnsOf(sessions, "o")} FROM sessions o
  WHERE o.subscriber_id = ? AND o.stopped_at IS NULL ORDER BY o.started_at DESC, o.id DESC LIMIT 1`;

/** Online state and quota of a subscriber. */
export function usageSnapshot({ $client }: Db, { id, username }: Subscriber) {
  const session = $client.query<typeof sessions.$inferSelect, [number]>(newestOpen).get(id);
  const quota = $client
    .query<{ total: number; used: number }, [number]>(
      "SELECT quota_total AS total, quota_used AS used FROM services WHERE subscriber_id = ?",
    )
    .get(id);
  return {
    user_id: id,
    username,
    online: session !== null,
    session: session
      ? {
          ip: session.framedIp,
          nas_ip: session.nasIp ?? session.nasAddress,
          session_id: session.acctSessionId,
          mac: session.mac,
          start_time: formatTime(session.startedAt),
          last_update: formatTime(session.updatedAt),
        }
      : null,
    data_quota: {
      enabled: (quota?.total ?? 0) > 0,
      total_bytes: quota?.total ?? 0,
      used_bytes: quota?.used ?? 0,
    },
  };
}
