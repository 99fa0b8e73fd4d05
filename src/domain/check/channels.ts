import type { Db } from "../../../db/open.ts";
import { formatTime, type Seconds } from "../time.ts";
import { type Finding, ok, warning } from "./finding.ts";

interface Row {
  id: number;
  name: string;
  since: Seconds | null;
  reason: string | null;
  waiting: number;
}

/** Ways to reach people that fail for everybody. */
export function checkChannels({ $client }: Pick<Db, "$client">): Finding[] {
  const rows = $client
    .query<Row, []>(
      `SELECT c.id, c.name, c.down_since AS since, c.down_reason AS reason,
         (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.state = 'waiting') AS waiting
       FROM channels c WHERE c.disabled_at IS NULL ORDER BY c.id`,
    )
    .all();
  const down = rows.flatMap(({ id, name, since, reason, waiting }) =>
    since === null
      ? []
      : [
          warning(
            "messages",
            `the channel ${name} (${id}) sends nothing since ${formatTime(since)}: ${reason ?? "nobody knows why"}; ${waiting} wait, and it is tried again by one`,
          ),
        ],
  );
  if (down.length > 0 || rows.length === 0) return down;
  return [ok("messages", `${rows.length === 1 ? "one channel sends" : `${rows.length} channels send`}`)];
}
