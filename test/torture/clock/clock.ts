import { calendarScenes } from "./calendar.ts";
import { leapScene } from "./leaps.ts";
import { zoneScene } from "./zone.ts";
import type { Outcome, Trial } from "../trial.ts";

const HOUR = 3600;
const YEAR = 365 * 24 * HOUR;

const leaps = [
  { name: "an hour ahead", leap: HOUR },
  { name: "an hour back", leap: -HOUR },
  { name: "a year ahead", leap: YEAR },
  { name: "a year back", leap: -YEAR },
];

/** The clock of the box leaps, the calendar has its odd days, and the zone changes. */
export const clock: Trial = {
  name: "clock",
  run: async ({ isShort, log }): Promise<Outcome> => {
    const faults: string[] = [];
    const checks = { count: 0 };
    const tell = (fault: string | undefined) => {
      checks.count++;
      if (fault !== undefined) faults.push(fault);
    };
    for (const { name, leap } of isShort ? leaps.slice(3) : leaps) {
      log(`the clock leaps ${name}`);
      await leapScene(leap, (fault) => tell(fault && `the clock leapt ${name}, ${fault}`));
    }
    const scenes = isShort ? calendarScenes.slice(0, 1) : calendarScenes;
    for (const { name, play } of scenes) {
      log(name);
      await play((fault) => tell(fault && `${name}: ${fault}`));
    }
    log("the zone changes");
    await zoneScene((fault) => tell(fault && `the zone changes: ${fault}`), { isShort });
    return {
      figures: [
        {
          what: "leaps of the clock by an hour and a year, both ways; summer time, leap days, another zone",
          figure: `${checks.count} checks: ${faults.length === 0 ? "nobody expired or gained, nobody was locked out, no time was negative" : `${faults.length} failed`}`,
        },
      ],
      faults,
    };
  },
};
