import type { Claim } from "./claim.ts";
import { configClaims } from "./claims/config.ts";
import { gardenClaims } from "./claims/garden.ts";
import { lineClaims } from "./claims/lines.ts";
import { queueClaims } from "./claims/queues.ts";
import { removalClaims, setupClaims } from "./claims/setup.ts";
import { sabotageClaims } from "./claims/sabotages.ts";

/** The rows of the table, in the order in which they are tried at each router. */
export const claims: readonly Claim[] = [
  ...setupClaims,
  ...configClaims,
  ...queueClaims,
  ...lineClaims,
  ...gardenClaims,
  ...removalClaims,
  // last: what a button changed is given back as it was spoilt
  ...sabotageClaims,
];
