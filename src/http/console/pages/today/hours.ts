import { type OnlineRow, reportOnline } from "../../../../domain/around/reports/online.ts";
import { encoded } from "../../../pages/assets.ts";
import type { StaffVisit } from "../../guard.ts";

const HOUR = 3600;
const DAYS = 30;

interface Line {
  readonly name: string;
  readonly tone: string;
  /** Hours without a count are missing. */
  readonly points: readonly (readonly [at: number, value: number])[];
}

/** 30 days by hours, for zooming: sessions by router, or bits a second in all. */
export function hoursResponse({ db, by, now, query, request, view }: StaffVisit): Response {
  const range = { from: now - DAYS * 24 * HOUR, to: now };
  const isTraffic = query.get("plot") === "traffic";
  const { rows } = reportOnline(db, by, { ...range, resolution: "hour", group: isTraffic ? "isp" : "nas" });
  const { plot } = view.words.today;
  const lines = isTraffic
    ? [
        { name: plot.down, tone: "s1", points: toPoints(rows, ({ outputOctets }) => bits(outputOctets)) },
        { name: plot.up, tone: "s5", points: toPoints(rows, ({ inputOctets }) => bits(inputOctets)) },
      ]
    : linesByRouter(rows);
  const { body, headers } = encoded(JSON.stringify({ lines }), request);
  return new Response(body, {
    headers: { ...headers, "content-type": "application/json", "cache-control": "no-store" },
  });
}

const bits = (octets: number) => Math.round((octets * 8) / HOUR);

function toPoints(rows: readonly OnlineRow[], of: (row: OnlineRow) => number): Line["points"] {
  return rows.map((row) => [row.at, of(row)]);
}

/** Largest first, as stacked. */
function linesByRouter(rows: readonly OnlineRow[]): Line[] {
  return [...Map.groupBy(rows, ({ nas, nasId }) => nas ?? `#${nasId}`)]
    .map(([name, ofRouter]) => ({ name, points: toPoints(ofRouter, ({ sessions }) => sessions) }))
    .sort((a, b) => lastValue(b.points) - lastValue(a.points))
    .map(({ name, points }, index) => ({ name, points, tone: `s${Math.min(5, index + 1)}` }));
}

const lastValue = (points: Line["points"]) => points.at(-1)?.[1] ?? 0;
