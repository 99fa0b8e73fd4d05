import { type Db, write } from "../../../../db/open.ts";
import type { Input } from "../../core/fields/fields.ts";
import { type Actor, requireWholeIsp, seesIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Channel, channelById, createChannel, setChannelSecret, noChannel } from "./channels.ts";

interface At {
  readonly now: Seconds;
}

/** Makes a channel and sets its secrets, of which empty ones are skipped. Throws as both do. */
export function setUpChannel(
  db: Db,
  by: Actor,
  { input, secrets }: { input: Input; secrets: Readonly<Record<string, string>> },
  at: At,
): Channel {
  permit(by, "setUpChannel");
  return write(db, () => {
    const { id } = createChannel(db, by, input, at);
    for (const [name, value] of Object.entries(secrets))
      if (value !== "") setChannelSecret(db, by, { id, input: { name, value } }, at);
    return channelById(db, by, { id });
  });
}

type SeenChannel = Pick<Channel, "id" | "ispId">;

/** Throws `not_found`. */
function requireSeen(by: Actor, channel: SeenChannel): void {
  requireWholeIsp(by, "messages");
  if (channel.ispId !== null && !seesIsp(by.scope, channel)) throw noChannel(channel.id);
}

/** The time at which each secret of a channel was set, by the audit log. Throws `not_found`. */
export function secretTimes(db: Db, by: Actor, channel: SeenChannel): Map<string, Seconds> {
  permit(by, "secretTimes");
  requireSeen(by, channel);
  const rows = db.$client
    .query<{ name: string | null; at: Seconds }, [string]>(
      `SELECT json_extract(after, '$.secret') AS name, max(at) AS at FROM audit_entries
       WHERE entity = 'channel' AND entity_id = ? AND action = 'channel.secret' GROUP BY 1`,
    )
    .all(String(channel.id));
  return new Map(rows.flatMap(({ name, at }) => (name === null ? [] : [[name, at] as const])));
}

/** Rules, and number of messages. Throws `not_found`. */
export function channelUses(
  db: Db,
  by: Actor,
  channel: SeenChannel,
): { rules: { id: number; name: string }[]; waiting: number; sent: boolean } {
  permit(by, "channelUses");
  requireSeen(by, channel);
  const { id } = channel;
  const rules = db.$client
    .query<{ id: number; name: string }, [number]>(
      "SELECT id, name FROM message_rules WHERE channel_id = ? ORDER BY id LIMIT 100",
    )
    .all(id);
  const waiting = db.$client
    .query<{ count: number }, [number]>(
      "SELECT count(*) AS count FROM (SELECT 1 FROM messages WHERE channel_id = ? AND state = 'waiting' LIMIT 1000)",
    )
    .get(id);
  const any = db.$client
    .query<{ found: number }, [number]>("SELECT 1 AS found FROM messages WHERE channel_id = ? LIMIT 1")
    .get(id);
  return { rules, waiting: waiting?.count ?? 0, sent: any !== null };
}
