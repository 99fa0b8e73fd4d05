import { type Session, sessionColumns } from "./advance.ts";
import type { Db } from "../../../../db/open.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";

const newestOpen = `
  SELECT ${sessionColumns("o")} FROM sessions o
  WHERE o.subscriber_id = ? AND o.stopped_at IS NULL ORDER BY o.started_at DESC, o.id DESC LIMIT 1`;

export interface Usage {
  subscriberId: number;
  username: string;
  session: OpenSession | null;
  /** Bytes; total 0 without a quota. */
  quota: { total: number; used: number };
}

interface OpenSession {
  ip: string | null;
  nasIp: string;
  sessionId: string;
  mac: string | null;
  startedAt: Seconds;
  updatedAt: Seconds;
}

export function usageSnapshot({ $client }: Db, { id, username }: Subscriber): Usage {
  const session = $client.query<Session, [number]>(newestOpen).get(id);
  const quota = $client
    .query<{ total: number; used: number }, [number]>(
      "SELECT quota_total AS total, quota_used AS used FROM services WHERE subscriber_id = ?",
    )
    .get(id);
  return {
    subscriberId: id,
    username,
    session: session && {
      ip: session.framedIp,
      nasIp: session.nasIp ?? session.nasAddress,
      sessionId: session.acctSessionId,
      mac: session.mac,
      startedAt: session.startedAt,
      updatedAt: session.updatedAt,
    },
    quota: quota ?? { total: 0, used: 0 },
  };
}
