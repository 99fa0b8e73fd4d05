import type { Db } from "../../../../db/open.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import type { Shaper } from "../../goods/nas/kinds.ts";
import { menuRows, type Reading } from "./reading.ts";

/** CPU load of a router in percent, from a few checks an hour. */
export interface Load {
  /** The current hour and its samples. */
  readonly hour: number;
  readonly sum: number;
  readonly looks: number;
  /** Busiest hour of each day, by `localDay`. */
  readonly days: Readonly<Record<string, number>>;
  /** Since when the present queues are used, and the busiest hour of the week before. */
  readonly shaper: Shaper;
  readonly since: Seconds;
  readonly before: number | null;
}

/** Days kept and evaluated. */
const KEPT = 30;
const SAID = 7;
const HOUR = 3600;

/** Adds this reading; undefined without data. */
export function withLoad(known: Load | undefined, reading: Reading, now: Seconds): Load | undefined {
  const load = Number(menuRows(reading, "/system/resource")[0]?.["cpu-load"] ?? Number.NaN);
  if (!Number.isFinite(load)) return known;
  const shaper = findShaper(reading) ?? known?.shaper ?? "none";
  const hour = Math.floor(now / HOUR);
  const isSame = known?.hour === hour;
  const days = known && !isSame ? withHour(known) : (known?.days ?? {});
  const hasTurned = known !== undefined && known.shaper !== shaper;
  return {
    hour,
    sum: (isSame ? known.sum : 0) + load,
    looks: (isSame ? known.looks : 0) + 1,
    days: hasTurned ? {} : days,
    shaper,
    since: known && !hasTurned ? known.since : now,
    before: hasTurned ? busiest(days) : (known?.before ?? null),
  };
}

/** Adds the finished hour. */
function withHour({ hour, sum, looks, days }: Load): Load["days"] {
  const day = String(localDay(hour * HOUR));
  const mean = Math.round(sum / looks);
  return Object.fromEntries(newest({ ...days, [day]: Math.max(days[day] ?? 0, mean) }).slice(0, KEPT));
}

const newest = (days: Load["days"]) => Object.entries(days).sort(([one], [other]) => (one < other ? 1 : -1));

/** Which of our queue types is present. */
function findShaper(reading: Reading): Shaper | undefined {
  if (!reading.menus.has("/queue/type")) return undefined;
  const has = (type: string) => menuRows(reading, "/queue/type").some(({ name }) => name === type);
  if (has("gatehouse-cake")) return "cake";
  return has("gatehouse-fq-codel") ? "fq_codel" : "none";
}

export function busiest(days: Load["days"]): number | null {
  const loads = newest(days)
    .slice(0, SAID)
    .map(([, load]) => load);
  return loads.length === 0 ? null : Math.max(...loads);
}

export function readLoad({ $client }: Db, nasId: number): Load | undefined {
  const row = $client
    .query<{ load: string | null }, [number]>(
      "SELECT json_extract(facts, '$.load') AS load FROM router_readings WHERE nas_id = ?",
    )
    .get(nasId);
  return row?.load ? JSON.parse(row.load) : undefined;
}
