import { and, desc, eq, isNull } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { services, sessions } from "../../../db/schema.ts";
import type { Actor } from "../staff/actor.ts";
import { subscriberById } from "../subscribers/find.ts";
import { formatTime } from "../time.ts";

/** Online state and quota of a subscriber (interface.md, Usage snapshot). Throws not_found. */
export function usageSnapshot(db: Db, actor: Actor, subscriberId: number) {
  const { id, username } = subscriberById(db, actor.scope, subscriberId);
  const session = db
    .select()
    .from(sessions)
    .where(and(eq(sessions.subscriberId, id), isNull(sessions.stoppedAt)))
    .orderBy(desc(sessions.startedAt), desc(sessions.id))
    .limit(1)
    .get();
  const quota = db
    .select({ total: services.quotaTotal, used: services.quotaUsed })
    .from(services)
    .where(eq(services.subscriberId, id))
    .get();
  return {
    user_id: id,
    username,
    online: session !== undefined,
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
