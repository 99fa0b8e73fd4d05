import type { Db } from "../../../../db/open.ts";
import { formatNear, type Seconds } from "../../core/time/time.ts";
import { type BoxReportFields, isWhole, readReport } from "./status-report.ts";
import type { BoxReport } from "../../machine/access-boxes/report.ts";
import { type Scope, scopeOf } from "./box-scope.ts";

/** Seconds without a word after which a box is cut off: three of its reports. */
export const CUT_OFF_AFTER = 35;
/** Seconds between two clocks that are said. */
export const CLOCKS_APART = 30;
/** Seconds that the journal of a box may wait while it is heard. */
export const JOURNAL_LATE = 60;
/** Seconds for which it is said that a box told of what is not its own. */
const REFUSED_LISTED = 7 * 86_400;
/** The share of its disk, and the bytes, below which a box says that it is nearly full. */
const DISK_SHARE = 0.05;
const DISK_BYTES = 1e9;

/** What a box said last, as far as it is understood, and when by the clock of the books. */
export type KeptReport = BoxReportFields & { readonly heardAt: Seconds };

export interface Standing {
  readonly id: number;
  readonly name: string;
  readonly scope: Scope | null;
  readonly createdAt: Seconds;
  /** null: it has never been heard. */
  readonly heardAt: Seconds | null;
  readonly report: KeptReport | null;
  /** `new`: it has not joined yet. */
  readonly state: "new" | "heard" | "cut_off";
  /** Seconds that the clock of the books is ahead of its own. */
  readonly ahead: Seconds;
  readonly isDiskNearlyFull: boolean;
  /** Whether it said all that is asked of it: one of another version may say it otherwise. */
  readonly isUnderstood: boolean;
  /** Since when it has keys of its own; null: it shares one with all. */
  readonly ownKeysAt: Seconds | null;
  /** Whether it is of 0.2.0, which has no keys and no inbox of its own. */
  readonly isOld: boolean;
  /** Whether nats-server lets it hear what is its own alone; undefined: it did not say. */
  readonly isWalled: boolean | undefined;
  /** Up to when the books know all that its routers told it. */
  readonly knownTo: Seconds;
  /** Rows that were not its own to tell, since it was added, and the last of them; null: none for a week. */
  readonly refused: number;
  readonly refusal: { readonly at: Seconds; readonly what: string } | null;
}

interface Row {
  id: number;
  name: string;
  scope: string | null;
  createdAt: Seconds;
  heardAt: Seconds | null;
  state: string | null;
  ownKeysAt: Seconds | null;
  refused: number;
  refusedAt: Seconds | null;
  refusedWhat: string | null;
}

/** How every box that belongs to these books stands; none where there is none. */
export function standings({ $client }: Pick<Db, "$client">, now: Seconds): Standing[] {
  return $client
    .query<Row, []>(
      `SELECT id, name, scope, created_at AS createdAt, heard_at AS heardAt, state, own_keys_at AS ownKeysAt, refused, refused_at AS refusedAt,
         refused_what AS refusedWhat FROM access_boxes
       WHERE removed_at IS NULL AND nkey <> '' ORDER BY id`,
    )
    .all()
    .map((row) => standingOf(row, now));
}

function standingOf(row: Row, now: Seconds): Standing {
  const { id, name, scope, createdAt, heardAt, refused, refusedAt, refusedWhat } = row;
  const report = keptReport(row.state);
  const isRefusedLately = refusedAt !== null && now - refusedAt < REFUSED_LISTED;
  return {
    id,
    name,
    createdAt,
    heardAt,
    report,
    refused,
    refusal: isRefusedLately ? { at: refusedAt, what: refusedWhat ?? "" } : null,
    scope: scopeOf({ scope }),
    state: heardAt === null ? "new" : now - heardAt > CUT_OFF_AFTER ? "cut_off" : "heard",
    ahead: report?.at === undefined ? 0 : report.heardAt - report.at,
    isDiskNearlyFull: report?.disk !== undefined && isNearlyFull(report.disk),
    // what has keys of its own does not go back
    ownKeysAt: row.ownKeysAt,
    isOld: row.ownKeysAt === null && heardAt !== null && report?.isWalled === undefined,
    isWalled: report?.isWalled,
    isUnderstood: report === null || isWhole(report),
    // of one that does not say what waits there nothing is thought over
    knownTo: report?.waitingFor === undefined ? 0 : report.heardAt - report.waitingFor,
  };
}

/** As keepReport wrote it, of whatever version. */
function keptReport(state: string | null): KeptReport | null {
  if (state === null) return null;
  const kept: unknown = JSON.parse(state);
  const heardAt = typeof kept === "object" && kept !== null && "heardAt" in kept ? kept.heardAt : undefined;
  return { ...readReport(kept), heardAt: typeof heardAt === "number" ? heardAt : 0 };
}

/** Ids of the boxes of whose routers the books do not know all that was before `since`: cut off, or telling what they kept. */
export function boxesBehind(db: Pick<Db, "$client">, since: Seconds): number[] {
  return standings(db, since)
    .filter(({ knownTo }) => knownTo < since - CUT_OFF_AFTER)
    .map(({ id }) => id);
}

/** Routers with sessions through boxes that are cut off: nobody here knows whether they are silent. */
export function routersBehind(db: Pick<Db, "$client">, now: Seconds): ReadonlySet<number | null> {
  const behind = standings(db, now).filter(({ knownTo }) => knownTo < now - CUT_OFF_AFTER);
  if (behind.length === 0) return new Set();
  return new Set(
    db.$client
      .query<{ nasId: number | null }, [string]>(
        `SELECT DISTINCT nas_id AS nasId FROM sessions
         WHERE stopped_at IS NULL AND via_box IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(behind.map(({ id }) => id)))
      .map(({ nasId }) => nasId),
  );
}

/** Whether the journal of a box waits for too long. */
export function isLate(
  report: BoxReportFields | null,
): report is BoxReportFields & { readonly waitingFor: Seconds } {
  return report?.waitingFor !== undefined && report.waitingFor > JOURNAL_LATE;
}

/** Whether so little is left of a disk that somebody has to come. */
export function isNearlyFull({ free, total }: BoxReport["disk"]): boolean {
  return free < Math.min(DISK_BYTES, total * DISK_SHARE);
}

/** Keeps what is understood of what a box says of itself, and that it was heard. Returns false for a name that is no box of these books. */
export function keepReport(
  { $client }: Db,
  { box, report }: { box: string; report: unknown },
  now: Seconds,
): boolean {
  const { changes } = $client
    .query<unknown, [string, Seconds, string]>(
      "UPDATE access_boxes SET state = ?, heard_at = ? WHERE name = ? AND removed_at IS NULL",
    )
    .run(JSON.stringify({ ...readReport(report), heardAt: now } satisfies KeptReport), now, box);
  return changes > 0;
}

/** Notes that a box which was removed still signs in by its nkey; false: there is a box of that name. */
export function noteRemovedSeen({ $client }: Db, box: string, now: Seconds): boolean {
  const { changes } = $client
    .query<unknown, [Seconds, string, string]>(
      `UPDATE access_boxes SET heard_at = ?
       WHERE id = (SELECT max(id) FROM access_boxes WHERE name = ? AND removed_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM access_boxes WHERE name = ? AND removed_at IS NULL)`,
    )
    .run(now, box, box);
  return changes > 0;
}

/** Boxes that were removed and were heard since, with when. */
export function removedButSeen({
  $client,
}: Pick<Db, "$client">): { readonly name: string; readonly heardAt: Seconds }[] {
  return $client
    .query<{ name: string; heardAt: Seconds }, []>(
      "SELECT name, heard_at AS heardAt FROM access_boxes WHERE heard_at > removed_at + 5 ORDER BY id",
    )
    .all();
}

export function standingWords(
  { state, heardAt, report, ahead, isDiskNearlyFull, isUnderstood, refusal }: Standing,
  now: Seconds,
): string {
  if (state === "new") return "has not joined yet";
  if (state === "cut_off" && heardAt !== null) return `cut off since ${formatNear(heardAt, now)}`;
  const faults = [
    ...(refusal ? ["tells of what is not its own"] : []),
    ...(Math.abs(ahead) > CLOCKS_APART
      ? [`its clock is ${Math.abs(ahead)} s ${ahead > 0 ? "behind" : "ahead"}`]
      : []),
    ...(isLate(report) ? [`${report.waiting ?? "some"} wait to be told`] : []),
    ...(isDiskNearlyFull ? ["its disk is nearly full"] : []),
    ...(isUnderstood ? [] : ["says less of itself than is asked: another version?"]),
  ];
  return faults.length === 0 ? "all is well" : faults.join(", ");
}
