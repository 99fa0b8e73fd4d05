import { attack } from "./attack.ts";
import { fuzz } from "./fuzz.ts";
import { power } from "./power.ts";
import { secrets } from "./secrets.ts";
import type { Trial } from "./trial.ts";

/** Every trial, in the order in which they run. */
export const trials: readonly Trial[] = [power, attack, fuzz, secrets];
