import type { Browser } from "playwright-core";

/** How far a trial goes, and with what luck. */
export interface Extent {
  /** The short form: seconds, for every test run, each way of hurting a few times. The whole one takes a minute or two. */
  readonly isShort: boolean;
  /** The whole form, with what takes minutes or an hour for as long as that. */
  readonly isLong?: boolean;
  /** The same seed draws the same moments and the same bytes. */
  readonly seed: number;
  readonly log: (line: string) => void;
  /** The browser of this process; a trial starts one of its own where it is left out. */
  readonly browser?: () => Promise<Browser>;
}

/** A row of the table in README.md. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
}

export interface Outcome {
  readonly figures: readonly Figure[];
  /** A sentence for each promise that was not kept; empty when all is well. */
  readonly faults: readonly string[];
}

/** In the order in which they run. Here, so that nothing has to be loaded to know them. */
export const trialNames = [
  ...(["power", "money", "hooks", "payments", "messages", "disk", "database", "clock", "radsec"] as const),
  ...([
    "boxes",
    "attack",
    "flood",
    "console",
    "secrets",
    "fuzz",
    "dumps",
    "imports",
    "storm",
    "feed",
  ] as const),
  ...(["outages", "reminders", "soak"] as const),
] as const;
export type TrialName = (typeof trialNames)[number];

/** One way of hurting the product. It starts the real executable, and stops and removes everything that it made. */
export interface Trial {
  readonly name: TrialName;
  readonly run: (extent: Extent) => Promise<Outcome>;
}

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
export function drawing(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
