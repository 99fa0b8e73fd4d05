import type { Db } from "../../../../db/open.ts";
import { formatNear, type Seconds } from "../../core/time/time.ts";
import { type BoxReportFields, isWhole, readReport } from "./status-report.ts";
import type { BoxReport } from "../../machine/access-boxes/report.ts";
import { parseScope, type Scope } from "./box-scope.ts";

/** Seconds of silence after which a box is cut off: three reports. */
export const CUT_OFF_AFTER = 35;
/** Difference of clocks in seconds that is reported. */
export const CLOCKS_APART = 30;
/** Seconds that the journal of a connected box may lag. */
export const JOURNAL_LATE = 60;
/** Seconds for which refused reports of a box are shown. */
const REFUSED_LISTED = 7 * 86_400;
/** Share of the disk, and bytes, below which a box is nearly full. */
const DISK_SHARE = 0.05;
const DISK_BYTES = 1e9;

/** The last report of a box as far as understood, and when it came by the primary's clock. */
export type KeptReport = BoxReportFields & { readonly heardAt: Seconds };

export interface Standing {
  readonly id: number;
  readonly name: string;
  readonly scope: Scope | null;
  readonly createdAt: Seconds;
  /** null: never heard. */
  readonly heardAt: Seconds | null;
  readonly report: KeptReport | null;
  /** `new`: not joined yet. */
  readonly state: "new" | "heard" | "cut_off";
  /** Seconds that the primary's clock is ahead of the box's. */
  readonly ahead: Seconds;
  readonly isDiskNearlyFull: boolean;
  /** Whether the report was complete: other versions may differ. */
  readonly isUnderstood: boolean;
  /** Since when it has its own keys; null: it shares one with all. */
  readonly ownKeysAt: Seconds | null;
  /** Whether it runs 0.2.0, without its own keys and inbox. */
  readonly isOld: boolean;
  /** Whether nats-server limits it to its own subjects; undefined: not reported. */
  readonly isWalled: boolean | undefined;
  /** Time up to which the primary has all reports of its routers. */
  readonly knownTo: Seconds;
  /** Rows refused as not its own since it was added, and the last; null: none for a week. */
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

/** State of every access box; empty without any. */
export function standings({ $client }: Pick<Db, "$client">, now: Seconds): Standing[] {
  return $client
    .query<Row, []>(
      `SELECT id, name, scope, created_at AS createdAt, heard_at AS heardAt, state, own_keys_at AS ownKeysAt, refused, refused_at AS refusedAt,
         refused_what AS refusedWhat FROM access_boxes
       WHERE removed_at IS NULL AND nkey <> '' ORDER BY id`,
    )
    .all()
    .map((row) => toStanding(row, now));
}

function toStanding(row: Row, now: Seconds): Standing {
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
    scope: parseScope({ scope }),
    state: heardAt === null ? "new" : now - heardAt > CUT_OFF_AFTER ? "cut_off" : "heard",
    ahead: report?.at === undefined ? 0 : report.heardAt - report.at,
    isDiskNearlyFull: report?.disk !== undefined && isNearlyFull(report.disk),
    // a box with its own keys does not go back
    ownKeysAt: row.ownKeysAt,
    isOld: row.ownKeysAt === null && heardAt !== null && report?.isWalled === undefined,
    isWalled: report?.isWalled,
    isUnderstood: report === null || isWhole(report),
    // without a reported backlog nothing is certain
    knownTo: report?.waitingFor === undefined ? 0 : report.heardAt - report.waitingFor,
  };
}

/** A report as keepReport of any version wrote it. */
function keptReport(state: string | null): KeptReport | null {
  if (state === null) return null;
  const kept: unknown = JSON.parse(state);
  const heardAt = typeof kept === "object" && kept !== null && "heardAt" in kept ? kept.heardAt : undefined;
  return { ...readReport(kept), heardAt: typeof heardAt === "number" ? heardAt : 0 };
}

/** Boxes whose routers' reports before `since` may be missing: cut off, or with a backlog. */
export function boxesBehind(db: Pick<Db, "$client">, since: Seconds): number[] {
  return standings(db, since)
    .filter(({ knownTo }) => knownTo < since - CUT_OFF_AFTER)
    .map(({ id }) => id);
}

/** Routers with sessions through boxes that are cut off: their silence is unknown here. */
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

export function isLate(
  report: BoxReportFields | null,
): report is BoxReportFields & { readonly waitingFor: Seconds } {
  return report?.waitingFor !== undefined && report.waitingFor > JOURNAL_LATE;
}

export function isNearlyFull({ free, total }: BoxReport["disk"]): boolean {
  return free < Math.min(DISK_BYTES, total * DISK_SHARE);
}

/** Stores what is understood of a box's status report, and when. False for an unknown box. */
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

/** Records that a removed box still signs in with its nkey; false: a box of that name exists. */
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

/** Removed boxes that were heard since, with the time. */
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
