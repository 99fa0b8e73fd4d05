import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "../../../../db/open.ts";
import type { Clock, Seconds } from "../../core/time/time.ts";
import { type Elapsed, homecomings } from "./journal.ts";
import { accessState } from "./state.ts";

/** The report of a box, every 10 seconds. Times are ages in seconds, which no wrong clock changes. */
export interface BoxReport {
  readonly version: string;
  readonly at: Seconds;
  /** Seconds since the program began. */
  readonly uptime: Seconds;
  readonly waiting: number;
  readonly waitingFor: Seconds;
  readonly disk: { readonly free: number; readonly total: number };
  readonly sessions: number;
  readonly loginAgo: Seconds | null;
  readonly accountingAgo: Seconds | null;
  /** Whether the master key is in a file: then it starts unattended, also for a thief. */
  readonly isKeyInFile: boolean;
  /** Whether it has read everything published since it connected. */
  readonly isComplete: boolean;
  /** Whether nats-server limits what it may read. */
  readonly isWalled: boolean;
}

/** Parts that need no link. */
export type OwnReport = Omit<BoxReport, "isComplete" | "isWalled">;

export interface ReportNeeds {
  readonly folder: string;
  readonly version: string;
  readonly clock: Clock;
  readonly elapsed: Elapsed;
  /** Monotonic time of the start. */
  readonly begun: number;
}

/** Throws what the store throws. */
export function makeBoxReport(db: Db, { folder, version, clock, elapsed, begun }: ReportNeeds): OwnReport {
  const now = clock();
  const { home } = accessState(db);
  const ago = (at: Seconds | null | undefined) => (at ? Math.max(0, now - at) : null);
  const { bavail, blocks, bsize } = statfsSync(folder);
  const [oldest] = homecomings(db, { after: home, limit: 1, bytes: 1, elapsed, now });
  return {
    version,
    at: now,
    uptime: Math.round((elapsed.uptime() - begun) / 1000),
    waiting: waitingHome(db, home),
    waitingFor: oldest?.age ?? 0,
    disk: { free: bavail * bsize, total: blocks * bsize },
    sessions: ownSessions(db),
    loginAgo: ago(db.$client.query<At, []>("SELECT at FROM auth_log ORDER BY id DESC LIMIT 1").get()?.at),
    accountingAgo: ago(
      db.$client
        .query<{ at: Seconds | null }, []>(
          `SELECT max(updated_at) AS at FROM sessions INDEXED BY sessions_open_board
           WHERE stopped_at IS NULL AND via_box IS NULL`,
        )
        .get()?.at,
    ),
    isKeyInFile: existsSync(join(folder, "secret.key")),
  };
}

interface At {
  readonly at: Seconds;
}

function ownSessions({ $client }: Db): number {
  return (
    $client
      .query<{ open: number }, []>(
        "SELECT count(*) AS open FROM sessions WHERE stopped_at IS NULL AND via_box IS NULL",
      )
      .get()?.open ?? 0
  );
}

/** Undelivered journal rows; numbers have no gaps. */
export function waitingHome({ $client }: Db, after: number): number {
  const kept = $client
    .query<{ first: number | null; last: number | null }, []>(
      "SELECT (SELECT min(number) FROM journal) AS first, (SELECT max(number) FROM journal) AS last",
    )
    .get();
  return Math.max(0, (kept?.last ?? 0) - Math.max(after, (kept?.first ?? 1) - 1));
}
