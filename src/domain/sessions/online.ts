import { asc, eq, isNull } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { nas, sessions } from "../../../db/schema.ts";
import { formatTime } from "../time.ts";

/** Who is online: every open accounting session, the oldest first. `user_id` is null for a name that we do not know. */
export function onlineSessions(db: Db) {
  return db
    .select({ session: sessions, nasName: nas.name })
    .from(sessions)
    .leftJoin(nas, eq(nas.id, sessions.nasId))
    .where(isNull(sessions.stoppedAt))
    .orderBy(asc(sessions.startedAt), asc(sessions.id))
    .all()
    .map(({ session, nasName }) => ({
      username: session.username,
      user_id: session.subscriberId,
      ip: session.framedIp,
      mac: session.mac,
      nas: nasName,
      nas_ip: session.nasIp ?? session.nasAddress,
      session_id: session.acctSessionId,
      start_time: formatTime(session.startedAt),
      last_update: formatTime(session.updatedAt),
      session_time: session.sessionTime,
      input_octets: session.inputOctets,
      output_octets: session.outputOctets,
    }));
}
