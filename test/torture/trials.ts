import { attack } from "./attack/attack.ts";
import { boxes } from "./boxes/boxes.ts";
import { clock } from "./clock/clock.ts";
import { console } from "./console/console.ts";
import { database } from "./database/database.ts";
import { dumps } from "./dumps/dumps.ts";
import { feed } from "./feed/feed.ts";
import { flood } from "./flood/flood.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { hooks } from "./hooks/hooks.ts";
import { imports } from "./imports/imports.ts";
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
import { type Trial, type TrialName, trialNames } from "./trial.ts";

/*
 * Each group is a file of the tests, so that its short forms take at most 20 s of a quiet machine. No test has the others, which say how much
 * the program bears; what they hold for a little of it is held elsewhere: of damaged stores in test/db, test/cli and test/http, of floods and
 * storms in test/radius, of dumps and uploads in test/domain/machine/imports, of outages in test/domain/service/outages, of messages that are
 * late in test/domain/around/messages, of what no program writes beside each reader.
 */

/** A box that loses its power, and its money then. */
export const ofPower: readonly Trial[] = [power, money];
/** What the box tells others, and what they tell it. */
export const ofTheBox: readonly Trial[] = [hooks, payments, messages, illDisk];
/** What the shaper is told. */
export const ofShapers: readonly Trial[] = [feed];
/** Its clock, its connections. */
export const ofItsParts: readonly Trial[] = [clock, radsec];
/** What goes wrong between several machines. */
export const ofSeveral: readonly Trial[] = [boxes];
/** Who wants in. */
export const ofStrangers: readonly Trial[] = [attack];
/** Who wants to see or do what is not theirs, at the console. */
export const ofTheConsole: readonly Trial[] = [console];
/** What nobody may see. */
export const ofSecrets: readonly Trial[] = [secrets];
/** For how long. */
export const ofMonths: readonly Trial[] = [soak];

const byName: Readonly<Record<TrialName, Trial>> = {
  power,
  money,
  hooks,
  payments,
  messages,
  disk: illDisk,
  database,
  clock,
  radsec,
  boxes,
  feed,
  attack,
  flood,
  console,
  secrets,
  fuzz,
  dumps,
  imports,
  storm,
  outages,
  reminders,
  soak,
};

/** Every trial, in the order in which they run. */
export const trials: readonly Trial[] = trialNames.map((name) => byName[name]);
