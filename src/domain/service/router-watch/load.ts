import type { Db } from "../../../../db/open.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import type { Shaper } from "../../goods/nas/kinds.ts";
import { rowsOf, type Reading } from "./reading.ts";

/** How busy the processor of a router was, in percent: by looks, of which there are a few each hour. */
export interface Load {
  /** The hour that goes on, and what its looks came to. */
  readonly hour: number;
  readonly sum: number;
  readonly looks: number;
  /** The busiest hour of each day, as `localDay` has it. */
  readonly days: Readonly<Record<string, number>>;
  /** Since when lines have these queues, and the busiest hour of the week before. */
  readonly shaper: Shaper;
  readonly since: Seconds;
  readonly before: number | null;
}

/** Days that are kept, and of which the busiest hour is said. */
const KEPT = 30;
const SAID = 7;
const HOUR = 3600;

/** With what this look says; undefined where it says nothing and nothing is known. */
export function withLoad(known: Load | undefined, reading: Reading, now: Seconds): Load | undefined {
  const load = Number(rowsOf(reading, "/system/resource")[0]?.["cpu-load"] ?? Number.NaN);
  if (!Number.isFinite(load)) return known;
  const shaper = shaperOf(reading) ?? known?.shaper ?? "none";
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

/** The days with the hour that is over. */
function withHour({ hour, sum, looks, days }: Load): Load["days"] {
  const day = String(localDay(hour * HOUR));
  const mean = Math.round(sum / looks);
  return Object.fromEntries(newest({ ...days, [day]: Math.max(days[day] ?? 0, mean) }).slice(0, KEPT));
}

const newest = (days: Load["days"]) => Object.entries(days).sort(([one], [other]) => (one < other ? 1 : -1));

/** Which of our queues is there, where they were read. */
function shaperOf(reading: Reading): Shaper | undefined {
  if (!reading.menus.has("/queue/type")) return undefined;
  const has = (type: string) => rowsOf(reading, "/queue/type").some(({ name }) => name === type);
  if (has("gatehouse-cake")) return "cake";
  return has("gatehouse-fq-codel") ? "fq_codel" : "none";
}

/** The busiest hour of the last days; null where there was none. */
export function busiest(days: Load["days"]): number | null {
  const loads = newest(days)
    .slice(0, SAID)
    .map(([, load]) => load);
  return loads.length === 0 ? null : Math.max(...loads);
}

/** What is known of a router's processor; undefined: nothing yet. */
export function loadOf({ $client }: Db, nasId: number): Load | undefined {
  const row = $client
    .query<{ load: string | null }, [number]>(
      "SELECT json_extract(facts, '$.load') AS load FROM router_readings WHERE nas_id = ?",
    )
    .get(nasId);
  return row?.load ? JSON.parse(row.load) : undefined;
}
