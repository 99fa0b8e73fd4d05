import type { Appliance, Outcome } from "../../support/appliance.ts";

/** A command that loses its power. */
export interface CutCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** What stands in its folder before; nothing by default. */
  readonly template?: string;
  /** Another executable than the one that is tested. */
  readonly program?: string;
  /** What is wrong after the cut. Code 0: the command had said that it was done. */
  readonly faultsAfter: (appliance: Appliance, outcome: Outcome) => Promise<string[]>;
}
