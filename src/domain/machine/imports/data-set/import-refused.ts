import { DomainError, type Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { type FaultGroup, groupFaults } from "./fault-groups.ts";

/** Every fault by JSON pointer, grouped for people. */
export class ImportRefused extends DomainError {
  readonly groups: readonly FaultGroup[];

  constructor(faults: Faults, data: unknown) {
    const count = Object.keys(faults).length;
    const message =
      count === 1
        ? phrase`nothing was imported; correct this place and try again`
        : phrase`nothing was imported; correct these ${count.toLocaleString("en-US")} places and try again`;
    super("invalid", message, { code: "invalid", fields: faults });
    this.groups = groupFaults(faults, data);
  }
}

/** Throws ImportRefused for any fault. */
export function rejectImport(faults: Faults, data: unknown): void {
  if (Object.keys(faults).length > 0) throw new ImportRefused(faults, data);
}
