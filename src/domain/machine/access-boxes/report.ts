import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "../../../../db/open.ts";
import type { Clock, Seconds } from "../../core/time/time.ts";
import { type Elapsed, homecomings } from "./journal.ts";
import { accessState } from "./state.ts";

/** What a box says of itself every 10 seconds. Moments are said as so many seconds ago, which no wrong clock changes. */
export interface BoxReport {
  readonly version: string;
  readonly at: Seconds;
  /** Seconds since the program began. */
  readonly uptime: Seconds;
  /** Rows of the journal that the books do not have, and how long the oldest has waited. */
  readonly waiting: number;
  readonly waitingFor: Seconds;
  readonly disk: { readonly free: number; readonly total: number };
  /** Open sessions that its routers told it. */
  readonly sessions: number;
  /** null: never yet. */
  readonly loginAgo: Seconds | null;
  readonly accountingAgo: Seconds | null;
  /** Whether its master key lies in a file beside its store: it starts by itself, for a thief of the machine too. */
  readonly isKeyInFile: boolean;
  /** Whether it has read all that the books have published since it was connected. */
  readonly isComplete: boolean;
  /** Whether nats-server lets it hear what is its own alone. */
  readonly isWalled: boolean;
}

/** What it knows of itself without its link. */
export type OwnReport = Omit<BoxReport, "isComplete" | "isWalled">;

export interface ReportNeeds {
  readonly folder: string;
  readonly version: string;
  readonly clock: Clock;
  readonly elapsed: Elapsed;
  /** When the program began, as `elapsed.uptime` said it. */
  readonly begun: number;
}

/** How this box is. Throws what the store throws. */
export function reportOfBox(db: Db, { folder, version, clock, elapsed, begun }: ReportNeeds): OwnReport {
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

/** Rows of the journal after that number, which are given without a gap, wherever they begin, and forgotten only up to it. */
export function waitingHome({ $client }: Db, after: number): number {
  const kept = $client
    .query<{ first: number | null; last: number | null }, []>(
      "SELECT (SELECT min(number) FROM journal) AS first, (SELECT max(number) FROM journal) AS last",
    )
    .get();
  return Math.max(0, (kept?.last ?? 0) - Math.max(after, (kept?.first ?? 1) - 1));
}
