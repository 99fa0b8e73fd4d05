import type { Db } from "../../../../db/open.ts";

export function waitingMessages({ $client }: Db): readonly { channel: string; waiting: number }[] {
  return $client
    .query<{ channel: string; waiting: number }, []>(
      `SELECT c.name AS channel, (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.state = 'waiting') AS waiting
       FROM channels c`,
    )
    .all();
}

export function downChannels({ $client }: Db): readonly { channel: string; down: number }[] {
  return $client
    .query<{ channel: string; down: number }, []>(
      "SELECT name AS channel, down_since IS NOT NULL AS down FROM channels WHERE disabled_at IS NULL",
    )
    .all();
}
