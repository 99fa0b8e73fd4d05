import type { Db } from "../../../db/open.ts";
import { formatTime, type Seconds } from "../time.ts";
import { type Finding, ok, warning } from "./finding.ts";

interface Row {
  id: number;
  name: string;
  isOff: number;
  since: Seconds | null;
  reason: string | null;
  waiting: number;
}

/** Ways to reach people that fail for everybody, and those that are off while messages wait for them. */
export function checkChannels({ $client }: Pick<Db, "$client">): Finding[] {
  const rows = $client
    .query<Row, []>(
      `SELECT c.id, c.name, c.disabled_at IS NOT NULL AS isOff, c.down_since AS since, c.down_reason AS reason,
         (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.state = 'waiting') AS waiting
       FROM channels c ORDER BY c.id`,
    )
    .all();
  const stuck = rows.map(stuckWords).filter((words) => words !== undefined);
  if (stuck.length > 0) return stuck.map((words) => warning("messages", words));
  const on = rows.filter(({ isOff }) => isOff === 0).length;
  return on === 0 ? [] : [ok("messages", `${on === 1 ? "one channel sends" : `${on} channels send`}`)];
}

const WHERE = "on the console under Messages";

function stuckWords({ id, name, isOff, since, reason, waiting }: Row): string | undefined {
  if (isOff === 1)
    return waiting === 0
      ? undefined
      : `the channel ${name} (${id}) is off, and ${waiting} wait for it; switch it on or cancel them, ${WHERE}`;
  if (since === null) return undefined;
  return `the channel ${name} (${id}) sends nothing since ${formatTime(since)}: ${reason ?? "nobody knows why"}; ${waiting} wait, and it is tried again by one; look at it ${WHERE}`;
}
