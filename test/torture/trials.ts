import { attack } from "./attack/attack.ts";
import { clock } from "./clock/clock.ts";
import { console } from "./console/console.ts";
import { database } from "./database/database.ts";
import { dumps } from "./dumps/dumps.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { illDisk } from "./ill-disk/ill-disk.ts";
import { money } from "./money/money.ts";
import { outages } from "./outages/outages.ts";
import { power } from "./power/power.ts";
import { secrets } from "./secrets/secrets.ts";
import { soak } from "./soak/soak.ts";
import { storm } from "./storm/storm.ts";
import type { Trial } from "./trial.ts";

/** Every trial, in the order in which they run. */
export const trials: readonly Trial[] = [
  power,
  money,
  illDisk,
  database,
  attack,
  console,
  fuzz,
  dumps,
  secrets,
  clock,
  outages,
  storm,
  soak,
];
