import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import { minuteOf, openSessions } from "./minutes.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Seconds. */
const FRESH = 180;

export interface Looking {
  readonly now: Seconds;
  readonly openSessions?: () => ReadonlyMap<number, number>;
}

/** As read, else sampled, else counted. */
export function sessionsByRouter(
  db: Db,
  ispId: number | null,
  looking: Looking,
): ReadonlyMap<number, number> {
  const read = looking.openSessions?.();
  if (read) return read;
  // waiting samples are minutes old
  const at = setting(db, "sample_write_minutes") > 1 ? null : lastSample(db, looking.now);
  const rows = at === null ? openSessions(db, ispId) : sampleOf(db, ispId, at);
  return new Map(rows.map(({ nasId, sessions }) => [nasId, sessions]));
}

/** The last counted minute. */
function lastSample({ $client }: Db, now: Seconds): Seconds | null {
  const row = $client
    .query<{ at: Seconds | null }, [number, number]>(
      "SELECT max(at) AS at FROM nas_minutes WHERE at <= ? AND at > ?",
    )
    .get(minuteOf(now) - 60, now - FRESH);
  return row?.at ?? null;
}

function sampleOf({ $client }: Db, ispId: number | null, at: Seconds) {
  return $client
    .query<{ nasId: number; sessions: number }, [number, number | null]>(
      "SELECT nas_id AS nasId, sessions FROM nas_minutes WHERE at = ? AND isp_id = coalesce(?, isp_id)",
    )
    .all(at, ispId);
}
