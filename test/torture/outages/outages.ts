import { temporaryStore } from "../../support/store.ts";
import { by } from "../../support/isp.ts";
import { OutageWatch, watchOutages } from "../../../src/domain/service/outages/watch.ts";
import { drawing, type Extent, type Outcome, type Trial } from "../trial.ts";
import { areaOutage, boxOutage, ordinaryDay, routerOutage, type Truth } from "./days.ts";
import { judge } from "./judge.ts";
import { Life } from "./life.ts";
import { openTown } from "./town.ts";

const DAY = 86_400;
const HOUR = 3600;
/** Midnight of a day in the zone of this process. */
const START = new Date(2030, 0, 15).getTime() / 1000;
/** Seconds between two looks, where something may be found and else, which finds the same. */
const LOOK = 10;
const QUIET_LOOK = 60;
/** Seconds after which what has happened was found, or is not. */
const STIR = 400;

interface Scale {
  readonly areas: number;
  readonly days: number;
}

function scaleOf({ isShort, isLong }: Extent): Scale {
  if (isLong) return { areas: 4, days: 365 };
  if (isShort) return { areas: 3, days: 2 };
  return { areas: 4, days: 40 };
}

/**
 * Outages among everything that happens to lines anyway, by a draw; what is told is held against what was. In this process and
 * with the functions that the server calls, for a year of looks every ten seconds is no matter of minutes by any other way.
 */
export const outages: Trial = {
  name: "outages",
  run: async (extent): Promise<Outcome> => {
    const { areas, days } = scaleOf(extent);
    using store = temporaryStore();
    const { db } = store;
    db.$client.run("PRAGMA synchronous = OFF"); // nothing of it outlives the trial
    const town = await openTown(db, areas, START);
    const life = new Life(db, town, { draw: drawing(extent.seed), now: START });
    const watch = new OutageWatch(db, { since: START });
    for (const line of town.lines) life.at(START + life.between(1, 900), () => life.dial(line));
    const truths: Truth[] = [];
    for (let day = 0; day < days; day++) {
      await liveDay(life, watch, { midnight: START + day * DAY, truths, day, isShort: extent.isShort });
      extent.log(`day ${day + 1}: ${life.records} records, ${truths.length} outages`);
    }
    return judge(db, { truths, days, now: life.now, lines: town.lines.length, records: life.records });
  },
};

async function liveDay(
  life: Life,
  watch: OutageWatch,
  { midnight, truths, day, isShort }: { midnight: number; truths: Truth[]; day: number; isShort: boolean },
): Promise<void> {
  ordinaryDay(life, midnight);
  truths.push(...happenings(life, midnight, isShort ? day : -1));
  for (let at = midnight + LOOK; at <= midnight + DAY; at += LOOK) {
    await life.pass(at);
    const isAway = life.town.routers.some(({ awayUntil }) => awayUntil > at - STIR);
    if (at - life.stirredAt < STIR || isAway || at % QUIET_LOOK === 0)
      await watchOutages(by, { watch }, { now: at });
  }
}

/** What goes dark on a day, if anything; of the short form one of each kind from the second day on. */
function happenings(life: Life, midnight: number, day: number): Truth[] {
  const morning = midnight + life.between(8 * HOUR, 9 * HOUR);
  const evening = midnight + life.between(19 * HOUR, 20 * HOUR);
  if (day === 1) return [boxOutage(life, morning), routerOutage(life, evening, { isSlight: true })];
  if (day === 2) return [areaOutage(life, morning), routerOutage(life, evening, { isSlight: false })];
  if (day >= 0) return [];
  const kind = life.draw();
  const at = life.draw() < 0.5 ? morning : evening;
  if (kind < 0.12) return [boxOutage(life, at)];
  if (kind < 0.18) return [areaOutage(life, at)];
  if (kind < 0.2) return [routerOutage(life, at, { isSlight: false })];
  return kind < 0.23 ? [routerOutage(life, at, { isSlight: true })] : [];
}
