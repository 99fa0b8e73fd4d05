import type { ChrLab } from "./chr-lab.ts";

/** What no manual of RouterOS says and Gatehouse does all the same; each is a row of the lab's table, which decides it. */
export const brackets = {
  fastTrack: "a rule of FastTrack takes `in-interface=!all-ppp` and `out-interface=!all-ppp`",
  interfaceList: "RouterOS 6.49 takes an interface list in a PPP profile",
  unset: "a matcher is taken off a rule over the API by `=!in-interface=`",
  export: "the API exports with the policy api,read,write",
  hides: "an export has no secrets: 6.49 hides them by `hide-sensitive`, 7 by itself",
  leases: "the kind of the queue `default-small`, which leases have, may be set",
} as const;
export type Bracket = keyof typeof brackets;

/**
 * Who can show it: `api`, whoever speaks RouterOS' API, as the stand-in does; `router`, RouterOS alone, though the stand-in takes the same
 * commands; `lines`, a RouterOS to which a house dials in.
 */
export type Shower = "api" | "router" | "lines";

export interface Claim {
  readonly what: string;
  readonly by: Shower;
  /** One of those that the short form takes, which stand on each other alone. */
  readonly isInShort?: true;
  /** What was seen; throws what was not as it should be, and NotHere. */
  readonly run: (lab: ChrLab) => Promise<string>;
}

/** A row for what no manual says. */
export const bracketClaim = (bracket: Bracket, run: Claim["run"]): Claim => ({
  what: brackets[bracket],
  by: "router",
  run,
});

/** This version has nothing like it. */
export class NotHere extends Error {}
