import { attack } from "./attack.ts";
import { clock } from "./clock.ts";
import { database } from "./database.ts";
import { fuzz } from "./fuzz.ts";
import { illDisk } from "./ill-disk.ts";
import { power } from "./power.ts";
import { secrets } from "./secrets.ts";
import { soak } from "./soak.ts";
import { storm } from "./storm.ts";
import type { Trial } from "./trial.ts";

/** Every trial, in the order in which they run. */
export const trials: readonly Trial[] = [power, illDisk, database, attack, fuzz, secrets, clock, storm, soak];
