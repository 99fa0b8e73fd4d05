import { DomainError, type FieldErrors } from "../../../core/errors/errors.ts";
import { type FaultGroup, groupFaults } from "./fault-groups.ts";

/** Every fault by JSON pointer, grouped for people. */
export class ImportRefused extends DomainError {
  override readonly fields: FieldErrors;
  readonly groups: readonly FaultGroup[];

  constructor(faults: FieldErrors, data: unknown) {
    const count = Object.keys(faults).length;
    const places = count === 1 ? "this place" : `these ${count.toLocaleString("en-US")} places`;
    super("invalid", `nothing was imported; correct ${places} and try again`);
    this.fields = faults;
    this.groups = groupFaults(faults, data);
  }
}

/** Throws ImportRefused for any fault. */
export function rejectImport(faults: FieldErrors, data: unknown): void {
  if (Object.keys(faults).length > 0) throw new ImportRefused(faults, data);
}
