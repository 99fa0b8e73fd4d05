import { attack } from "./attack/attack.ts";
import { boxes } from "./boxes/boxes.ts";
import { clock } from "./clock/clock.ts";
import { console } from "./console/console.ts";
import { database } from "./database/database.ts";
import { dumps } from "./dumps/dumps.ts";
import { flood } from "./flood/flood.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { hooks } from "./hooks/hooks.ts";
import { illDisk } from "./ill-disk/ill-disk.ts";
import { messages } from "./messages/messages.ts";
import { money } from "./money/money.ts";
import { outages } from "./outages/outages.ts";
import { payments } from "./payments/payments.ts";
import { power } from "./power/power.ts";
import { radsec } from "./radsec/radsec.ts";
import { reminders } from "./reminders/reminders.ts";
import { secrets } from "./secrets/secrets.ts";
import { soak } from "./soak/soak.ts";
import { storm } from "./storm/storm.ts";
import type { Trial } from "./trial.ts";

/** What goes wrong with the box. */
export const ofTheBox: readonly Trial[] = [
  power,
  money,
  hooks,
  payments,
  messages,
  illDisk,
  database,
  clock,
  radsec,
];
/** What goes wrong between several machines. */
export const ofSeveral: readonly Trial[] = [boxes];
/** Who wants in, or to see what is not theirs. */
export const ofStrangers: readonly Trial[] = [attack, flood, console, secrets];
/** How much comes, for how long, and what no program writes. */
export const ofWork: readonly Trial[] = [fuzz, dumps, outages, reminders, storm, soak];

/** Every trial, in the order in which they run. */
export const trials: readonly Trial[] = [...ofTheBox, ...ofSeveral, ...ofStrangers, ...ofWork];
