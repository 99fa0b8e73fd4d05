import type { Db } from "../../../../db/open.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Finding, ok, warning } from "./finding.ts";

interface Row {
  id: number;
  name: string;
  isOff: number;
  since: Seconds | null;
  reason: string | null;
  waiting: number;
}

/** Channels that always fail, and disabled ones with waiting messages. */
export function checkChannels({ $client }: Pick<Db, "$client">): Finding[] {
  const rows = $client
    .query<Row, []>(
      `SELECT c.id, c.name, c.disabled_at IS NOT NULL AS isOff, c.down_since AS since, c.down_reason AS reason,
         (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.state = 'waiting') AS waiting
       FROM channels c ORDER BY c.id`,
    )
    .all();
  const stuck = rows.flatMap(stuckFindings);
  if (stuck.length > 0) return stuck;
  const on = rows.filter(({ isOff }) => isOff === 0).length;
  return on === 0 ? [] : [ok("messages", `${on === 1 ? "one channel sends" : `${on} channels send`}`)];
}

const WHERE = "on the console under Messages";

function stuckFindings({ id, name, isOff, since, reason, waiting }: Row): Finding[] {
  if (isOff === 1 && waiting > 0)
    return [
      warning(
        "messages",
        `the channel ${name} (${id}) is off, and ${waiting} wait for it; switch it on or cancel them, ${WHERE}`,
        "channel_off",
        { name, waiting },
      ),
    ];
  if (isOff === 1 || since === null) return [];
  return [
    warning(
      "messages",
      `the channel ${name} (${id}) sends nothing since ${formatTime(since)}: ${reason ?? "nobody knows why"}; ${waiting} wait, and it is tried again by one; look at it ${WHERE}`,
      "channel_down",
      { name, at: since, waiting },
    ),
  ];
}
