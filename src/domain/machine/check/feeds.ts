import type { Db } from "../../../../db/open.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Finding, warning } from "./finding.ts";

interface Behind {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly since: Seconds;
  readonly waiting: number;
  readonly silent: Seconds | null;
}

/** Shapers more than a minute behind. */
export function checkFeeds({ $client }: Pick<Db, "$client">): Finding[] {
  return $client
    .query<Behind, []>(
      `SELECT id, name, address, port, behind_since AS since, waiting, silent_since AS silent FROM feeds
       WHERE behind_since IS NOT NULL AND disabled_at IS NULL ORDER BY id`,
    )
    .all()
    .map(({ id, name, address, port, since, waiting, silent }) => {
      const why =
        silent === null
          ? "it answers more slowly than there is to tell"
          : `it has not answered since ${formatTime(silent)}; let it listen at ${address}:${port} under our secret, and take our address as a client`;
      return warning(
        "feeds",
        `the shaper ${name} is told nothing new since ${formatTime(since)}, and ${waiting} sessions wait: ${why}; see: gatehouse feed list`,
        "feed_behind",
        { id, name, at: since, waiting },
      );
    });
}
