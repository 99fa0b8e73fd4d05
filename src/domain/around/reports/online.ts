import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { cappedSum } from "../../../../db/sum.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { HOURS_OF_MINUTES } from "../../money/sums/minutes.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Range, requireRange, requireRouters } from "./range.ts";

const steps = { minute: 60, hour: 3600 } as const;
const DAY = 86_400;
/** Samples read, a tenth of a second. */
const MOST = 75_000;

export interface OnlineReportFilter extends Range {
  readonly resolution: keyof typeof steps;
  readonly group: "nas" | "isp";
  readonly nasId?: number | null | undefined;
}

/** `sessions` at the end of a minute or mean of an hour, `sessionsMost` of a router, logins, bytes. */
export interface OnlineRow {
  at: Seconds;
  ispId: number;
  isp: string | null;
  /** null: all. */
  nasId: number | null;
  nas: string | null;
  sessions: number;
  sessionsMost: number | null;
  accepted: number;
  rejected: number;
  inputOctets: number;
  outputOctets: number;
}

const MINUTES = `
  SELECT nas_id, at, isp_id, sessions, accepted, rejected, input_octets, output_octets, sessions AS sessions_most
  FROM nas_minutes WHERE at >= ? AND at < ?`;
/** Hours, summed and unsummed. */
const HOURS = `
  SELECT nas_id, at, isp_id, sessions, accepted, rejected, input_octets, output_octets, sessions_most
  FROM nas_hours WHERE at >= ? AND at < ?
  UNION ALL
  SELECT h.nas_id, hour, isp_id, (2 * sessions + n) / (2 * n), accepted, rejected, input_octets, output_octets, sessions_most
  FROM (${HOURS_OF_MINUTES}) h
    JOIN (SELECT at - at % 3600 AS of_hour, count(DISTINCT at) AS n FROM nas_minutes WHERE at >= ? AND at < ? GROUP BY 1)
      ON of_hour = hour`;

/** The report, oldest first; missing rows mean none, or that we were down. Minutes are kept for 8 days. Throws `invalid`, `forbidden`. */
export function reportOnline(db: Db, by: Actor, filter: OnlineReportFilter): { rows: OnlineRow[] } {
  permit(by, "reportOnline");
  requireRouters(by);
  const { from, to, resolution, group, nasId } = filter;
  requireRange({ from, to }, 3 * 366 * DAY);
  requireFew(db, by, filter);
  const end = to + 1;
  const begun = Math.ceil(from / steps[resolution]) * steps[resolution];
  const samples = resolution === "minute" ? MINUTES : HOURS;
  const live = firstLiveHour(db, begun);
  const ranges = resolution === "minute" ? [begun, end] : [begun, live, live, end, live, end];
  const { text, values } = all(equal("x.isp_id", by.scope.ispId), equal("x.nas_id", nasId));
  const each =
    "x.nas_id AS nasId, nas.name AS nas, x.sessions, x.sessions_most AS sessionsMost, x.accepted, x.rejected, x.input_octets AS inputOctets, x.output_octets AS outputOctets";
  const summed = `NULL AS nasId, NULL AS nas, sum(x.sessions) AS sessions, NULL AS sessionsMost, sum(x.accepted) AS accepted, sum(x.rejected) AS rejected, ${cappedSum("x.input_octets")} AS inputOctets, ${cappedSum("x.output_octets")} AS outputOctets`;
  const rows = db.$client
    .query<OnlineRow, Value[]>(
      `SELECT x.at, x.isp_id AS ispId, isps.name AS isp, ${group === "nas" ? each : summed}
       FROM (${samples}) x LEFT JOIN nas ON nas.id = x.nas_id LEFT JOIN isps ON isps.id = x.isp_id
       WHERE ${text} ${group === "nas" ? "" : "GROUP BY x.at, x.isp_id"} ORDER BY x.at, x.isp_id${group === "nas" ? ", x.nas_id" : ""}`,
    )
    .all(...ranges, ...values);
  return { rows };
}

/** Minutes count from here. */
function firstLiveHour({ $client }: Db, from: Seconds): Seconds {
  const row = $client.query<{ at: number | null }, []>("SELECT max(at) AS at FROM nas_hours").get();
  return Math.max(from, (row?.at ?? -steps.hour) + steps.hour);
}

function requireFew(
  { $client }: Db,
  { scope }: Actor,
  { from, to, resolution, nasId }: OnlineReportFilter,
): void {
  const { text, values } = all(equal("isp_id", scope.ispId), equal("id", nasId));
  const row = $client
    .query<{ n: number }, Value[]>(`SELECT count(*) AS n FROM nas WHERE ${text}`)
    .get(...values);
  const most = Math.floor(MOST / Math.max(1, row?.n ?? 0)) * steps[resolution];
  if (to - from < most) return;
  const message = phrase`is too long a range for ${row?.n} routers: take at most ${(most / DAY).toFixed(1)} days, one router (nas_id)${resolution === "minute" ? phrase`, or hours in place of minutes` : ""}`;
  throw new DomainError("invalid", phrase`check to: it ${message}`, { fields: { to: [message] } });
}
