import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { cappedSum } from "../../../../db/sum.ts";
import { routersBehind } from "../../service/box-standing/standing.ts";
import { requireRouters } from "../reports/range.ts";
import { staleAfter } from "../../service/sessions/in-scope.ts";
import { type Actor, type Scope, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { startOfMinute, type Looking, sessionsByRouter } from "../../money/sums/minutes.ts";
import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";

const DAY = 86_400;
/** Seconds; counts are by minute. */
const SILENT = 600;

interface RouterNow {
  readonly nasId: number;
  readonly name: string;
  readonly sessions: number;
  /** Of the last whole minute. */
  readonly logins: number;
  /** null: not within a day. */
  readonly heardAt: Seconds | null;
  readonly isSilent: boolean;
}

export function routersNow(db: Db, by: Actor, looking: Looking): RouterNow[] {
  permit(by, "routersNow");
  const { now } = looking;
  requireRouters(by);
  const silentAfter = Math.max(SILENT, staleAfter(db));
  const { text, values } = all(equal("nas.isp_id", by.scope.ispId));
  const rows = db.$client
    .query<Omit<RouterNow, "isSilent" | "sessions">, Value[]>(
      `SELECT nas.id AS nasId, nas.name, coalesce(last.accepted + last.rejected, 0) AS logins,
         (SELECT m.at FROM nas_minutes m WHERE m.nas_id = nas.id AND m.at > ? AND (m.accepted > 0 OR m.rejected > 0 OR m.input_octets > 0 OR m.output_octets > 0)
          ORDER BY m.at DESC LIMIT 1) AS heardAt
       FROM nas LEFT JOIN nas_minutes last ON last.nas_id = nas.id AND last.at = ? WHERE ${text} ORDER BY nas.name`,
    )
    .all(now - DAY, startOfMinute(now) - 60, ...values);
  const open = sessionsByRouter(db, by.scope.ispId, looking);
  const behind = routersBehind(db, now);
  return rows
    .map((row) => {
      const sessions = open.get(row.nasId) ?? 0;
      const isSilent = sessions > 0 && now - (row.heardAt ?? 0) > silentAfter && !behind.has(row.nasId);
      return Object.assign(row, { sessions, isSilent });
    })
    .sort((a, b) => b.sessions - a.sessions);
}

/** How long they are, and what traffic is the mean of. */
const spans = {
  day: { length: DAY, step: 900, table: "nas_minutes" },
  month: { length: 30 * DAY, step: 10_800, table: "nas_hours" },
} as const;
export type CurveSpan = keyof typeof spans;

interface OnlineCurve {
  readonly times: readonly Seconds[];
  readonly routers: readonly {
    readonly nasId: number;
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
  /** A span earlier. */
  readonly before: readonly (number | null)[];
  /** Before the first count; else null. */
  readonly open: number | null;
  /** As noticed. */
  readonly outages: readonly { readonly name: string; readonly from: Seconds; readonly to: Seconds | null }[];
}

/** The curve by quarter hour of a day, or daily maxima of a month. Throws `forbidden`. */
export function onlineCurve(
  db: Db,
  by: Actor,
  { span, nasId }: { span: CurveSpan; nasId?: number | undefined },
  looking: Looking,
): OnlineCurve {
  permit(by, "onlineCurve");
  const { now } = looking;
  requireRouters(by);
  const { times, earlier } = span === "day" ? quarters(now) : days(now);
  const moments = JSON.stringify([...new Set([...earlier, ...times])]);
  const samples = samplesAt(db, { by, nasId }, span, moments);
  const byTime = Map.groupBy(samples, ({ at }) => at);
  const sumAt = (at: Seconds) => byTime.get(at)?.reduce((sum, { sessions }) => sum + sessions, 0) ?? null;
  const names = new Map(samples.map(({ nasId, name }) => [nasId, name]));
  const routers = [...names].map(([nasId, name]) => ({
    nasId,
    name,
    values: times.map((at) => {
      const counted = byTime.get(at);
      return counted ? (counted.find((sample) => sample.nasId === nasId)?.sessions ?? 0) : null;
    }),
  }));
  return {
    times,
    routers,
    open: routers.length > 0 ? null : countOpen(nasId, sessionsByRouter(db, by.scope.ispId, looking)),
    before: earlier.map(sumAt),
    outages: outagesSince(db, { by, nasId }, times[0] ?? now),
  };
}

function countOpen(nasId: number | undefined, open: ReadonlyMap<number, number>): number {
  return nasId === undefined ? open.values().reduce((sum, one) => sum + one, 0) : (open.get(nasId) ?? 0);
}

interface Times {
  readonly times: readonly Seconds[];
  readonly earlier: readonly Seconds[];
}

function quarters(now: Seconds): Times {
  const { length, step } = spans.day;
  const end = now - 60 - ((now - 60) % step);
  const times = Array.from({ length: length / step + 1 }, (_, index) => end - length + index * step);
  return { times, earlier: times.map((at) => at - length) };
}

/** The last 60 days until yesterday, for today is incomplete. */
function days(now: Seconds): Times {
  const starts = Array.from({ length: 60 }, (_, back) => startOfDay(localDay(now - (60 - back) * DAY)));
  return { times: starts.slice(30), earlier: starts.slice(0, 30) };
}

interface Sample {
  readonly nasId: number;
  readonly name: string;
  readonly at: Seconds;
  readonly sessions: number;
}

/** One index step each. */
const samples = {
  day: "m.sessions FROM nas CROSS JOIN json_each(?) t CROSS JOIN nas_minutes m ON m.nas_id = nas.id AND m.at = t.value",
  month: `max(m.sessions_most) AS sessions FROM nas CROSS JOIN json_each(?) t
    CROSS JOIN nas_hours m ON m.nas_id = nas.id AND m.at >= t.value AND m.at < t.value + ${DAY}`,
};

/** All routers that somebody sees, or one of them. */
interface Which {
  readonly by: Actor;
  readonly nasId: number | undefined;
}

const ofWhich = ({ by, nasId }: Which) => all(equal("nas.isp_id", by.scope.ispId), equal("nas.id", nasId));

function samplesAt({ $client }: Db, which: Which, span: CurveSpan, times: string): Sample[] {
  const { text, values } = ofWhich(which);
  return $client
    .query<Sample, Value[]>(
      `SELECT nas.id AS nasId, nas.name, t.value AS at, ${samples[span]} WHERE ${text} ${span === "month" ? "GROUP BY 1, 3" : ""} ORDER BY nas.id`,
    )
    .all(times, ...values);
}

function outagesSince({ $client }: Db, which: Which, from: Seconds) {
  const { text, values } = ofWhich(which);
  return $client
    .query<OnlineCurve["outages"][number], Value[]>(
      `SELECT nas.name, outages.began_at AS "from", outages.ended_at AS "to" FROM outages JOIN nas ON nas.id = outages.nas_id
       WHERE outages.kind = 'router' AND outages.began_at >= ? AND ${text} ORDER BY outages.began_at`,
    )
    .all(from, ...values);
}

interface TrafficPoint {
  readonly at: Seconds;
  readonly down: number;
  readonly up: number;
}

/** Means of each step. Throws `forbidden`. */
export function trafficCurve(
  db: Db,
  by: Actor,
  { span, nasId }: { span: CurveSpan; nasId?: number | undefined },
  { now }: { now: Seconds },
): TrafficPoint[] {
  permit(by, "trafficCurve");
  requireRouters(by);
  const { length, step, table } = spans[span];
  const end = now - (now % step);
  const { text, values } = ofWhich({ by, nasId });
  return db.$client
    .query<TrafficPoint, Value[]>(
      `SELECT m.at - m.at % ${step} AS at, ${cappedSum("m.output_octets")} * 8 / ${step} AS down, ${cappedSum("m.input_octets")} * 8 / ${step} AS up
       FROM nas CROSS JOIN ${table} m ON m.nas_id = nas.id AND m.at >= ? AND m.at < ? WHERE ${text} GROUP BY 1 ORDER BY 1`,
    )
    .all(end - length, end, ...values);
}

/** A name that was refused again and again. */
interface RejectedName {
  readonly username: string;
  readonly subscriberId: number | null;
  readonly name: string | null;
  readonly times: number;
  readonly reason: string;
  readonly at: Seconds;
}

/** Newest refusals scanned. */
const LOOKED_AT = 5000;

/** Most often first. */
export function rejectedOften(
  db: Db,
  by: Actor,
  { moreThan, since, limit }: { moreThan: number; since: Seconds; limit: number },
): { rows: RejectedName[]; total: number } {
  permit(by, "rejectedOften");
  const { text, values } = namesInScope(by.scope);
  const found = db.$client
    .query<Omit<RejectedName, "reason" | "at"> & { newest: number; total: number }, Value[]>(
      `SELECT g.username, g.subscriberId, s.name, g.times, g.newest, count(*) OVER () AS total FROM (
         SELECT username, max(subscriber_id) AS subscriberId, max(nas_id) AS nasId, count(*) AS times, max(id) AS newest
         FROM (SELECT id, username, subscriber_id, nas_id FROM auth_log INDEXED BY auth_log_rejected_at WHERE accepted = 0 AND at >= ? ORDER BY at DESC LIMIT ${LOOKED_AT})
         GROUP BY username HAVING count(*) > ?
       ) g LEFT JOIN subscribers s ON s.id = g.subscriberId LEFT JOIN nas ON nas.id = g.nasId
       WHERE ${text} ORDER BY g.times DESC, g.newest DESC LIMIT ? + 0`,
    )
    .all(since, moreThan, ...values, limit);
  const decision = db.$client.query<{ reason: string; at: Seconds }, [number]>(
    "SELECT reason, at FROM auth_log WHERE id = ?",
  );
  const rows = found.flatMap(({ newest, username, subscriberId, name, times }) => {
    const last = decision.get(newest);
    return last ? [{ username, subscriberId, name, times, ...last }] : [];
  });
  return { rows, total: found[0]?.total ?? 0 };
}

/** Unknown names for who sees the router's ISP. */
function namesInScope(scope: Scope): Condition {
  const theirs = scopeEver(scope);
  const text = `(g.subscriberId IS NOT NULL AND ${theirs.text})`;
  if (!seesWholeIsp(scope)) return { text, values: theirs.values };
  return {
    text: `(${text} OR (g.subscriberId IS NULL AND coalesce(nas.isp_id, 0) = coalesce(?, nas.isp_id, 0)))`,
    values: [...theirs.values, scope.ispId],
  };
}
