import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

/** Consecutive decisions with the same outcome and device: a refused router asks every few seconds. */
export interface LoginRun {
  /** Of the newest. */
  readonly id: number;
  readonly at: Seconds;
  /** Of the oldest. */
  readonly since: Seconds;
  readonly times: number;
  /** More of them than were counted. */
  readonly isMore: boolean;
  readonly accepted: boolean;
  readonly reason: string;
  readonly mac: string | null;
  readonly nasId: number | null;
  readonly nasName: string | null;
  readonly nasAddress: string;
  /** PAP passwords that were garbled, as by a wrong shared secret. */
  readonly garbled: number;
}

interface RunChoice {
  readonly subscriberId: number;
  readonly limit: number;
  /** Scope of router names; null is every ISP. */
  readonly ispId: number | null;
}

interface Until extends Pick<RunChoice, "subscriberId" | "ispId"> {
  readonly until: Seconds;
}

/** Most decisions scanned: a device that asks every ten seconds makes 8,640 a day. */
const MOST = 5000;
/** Seconds by which decisions may be stored out of order. */
const LATE = 3600;

interface Row {
  readonly id: number;
  readonly at: Seconds;
  readonly accepted: number;
  readonly reason: string;
  readonly mac: string | null;
  readonly nasId: number | null;
  readonly nasName: string | null;
  readonly nasAddress: string;
  readonly detail: string | null;
}

const select = `SELECT a.id, a.at, a.accepted, a.reason, a.mac, a.nas_id AS nasId, nas.name AS nasName,
    a.nas_address AS nasAddress, a.detail
  FROM auth_log a LEFT JOIN nas ON nas.id = a.nas_id AND nas.isp_id = coalesce(?, nas.isp_id) WHERE a.subscriber_id = ?`;
const newest = `${select} ORDER BY a.id DESC LIMIT ${MOST}`;
const earlier = `${select} AND a.at <= ? AND a.id <= ifnull((SELECT id FROM auth_log WHERE at <= ? ORDER BY at DESC LIMIT 1), -1)
  ORDER BY a.id DESC LIMIT ${MOST}`;

/** Decisions about a subscriber, newest first, grouped into runs. The caller has checked the scope. */
export function loginRuns(db: Db, { subscriberId, limit, ispId }: RunChoice): LoginRun[] {
  const runs: Row[][] = [];
  let seen = 0;
  for (const row of db.$client.query<Row, Value[]>(newest).iterate(ispId, subscriberId)) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    if (run && first && first.accepted === 0 && isSame(first, row)) run.push(row);
    else if (runs.length === limit) break;
    else runs.push([row]);
    seen++;
  }
  return runs.map((run, index) => toRun(run, seen >= MOST && index === runs.length - 1));
}

/**
 * Only rejects, grouped per local day, made up to `until`. `floor`: older ones were not scanned. A run that began after `until`
 * was already shown.
 */
export function refusedRuns(
  db: Db,
  { subscriberId, limit, ispId, until }: RunChoice & Until,
): { runs: LoginRun[]; floor: Seconds | null } {
  const runs: { day: number; rows: [Row, ...Row[]] }[] = [];
  let seen = 0;
  let floor: Seconds | null = null;
  for (const row of rowsUntil(db, { subscriberId, ispId, until })) {
    if (++seen === MOST) floor = row.at;
    if (row.accepted === 1) continue;
    const day = localDay(row.at);
    const run = runs.findLast((one) => one.day === day && isSame(one.rows[0], row));
    if (run) run.rows.push(row);
    else if (runs.length === limit) break;
    else runs.push({ day, rows: [row] });
  }
  const fresh = runs.filter(({ rows: [first] }) => !isContinued(db, { subscriberId, ispId, until }, first));
  const isCut = floor !== null;
  return { floor, runs: fresh.map(({ rows }, index) => toRun(rows, isCut && index === fresh.length - 1)) };
}

/** The first page has no bound: after a clock was set back the newest rows do not have the latest time. */
function rowsUntil({ $client }: Db, { subscriberId, ispId, until }: Until): Iterable<Row> {
  if (until === Number.MAX_SAFE_INTEGER)
    return $client.query<Row, Value[]>(newest).iterate(ispId, subscriberId);
  return $client.query<Row, Value[]>(earlier).iterate(ispId, subscriberId, until, until + LATE);
}

/** Decisions among which the continuation of a run is looked for. */
const NEXT = 50;

/** Whether a run continues on the previous page, where it was shown. */
function isContinued({ $client }: Db, { subscriberId, ispId, until }: Until, row: Row): boolean {
  if (until === Number.MAX_SAFE_INTEGER) return false;
  const later = $client
    .query<Row, Value[]>(`${select} AND a.id > ? ORDER BY a.id LIMIT ${NEXT}`)
    .all(ispId, subscriberId, row.id);
  return later.some(
    (other) =>
      other.at > until &&
      other.accepted === 0 &&
      isSame(row, other) &&
      localDay(row.at) === localDay(other.at),
  );
}

function isSame(one: Row, other: Row): boolean {
  return one.reason === other.reason && one.mac === other.mac && one.nasId === other.nasId;
}

function toRun(run: readonly Row[], isMore: boolean): LoginRun {
  const [first] = run;
  const last = run.at(-1);
  if (!first || !last) throw new Error("a run has a decision");
  const { id, at, reason, mac, nasId, nasName, nasAddress } = first;
  return {
    id,
    at,
    reason,
    mac,
    nasId,
    nasName,
    nasAddress,
    isMore,
    since: last.at,
    times: run.length,
    accepted: first.accepted === 1,
    garbled: run.filter(({ detail }) => detail === "garbled").length,
  };
}
