import type { FieldErrors } from "../errors.ts";
import { type Input, readFields, type Values } from "../fields.ts";
import { packageFields, requiredPackageFields } from "../packages/fields.ts";
import type { Seconds } from "../time.ts";
import { type Directory, enter } from "./directory.ts";
import { type Row, readRows } from "./rows.ts";
import { type Columns, StagedRows, type Staging } from "./staging.ts";

export type PackageRow = Row<Values<typeof packageFields>>;

export function readPackages(file: Input, stored: Directory, faults: FieldErrors): PackageRow[] {
  return readRows(
    file["packages"],
    "/packages",
    {
      names: new Set(Object.keys(packageFields)),
      read: (row, found, { known }) =>
        readFields(packageFields, row, found, { required: requiredPackageFields, partial: known }),
    },
    stored.packages,
    faults,
  );
}

export function findPackageFaults(
  rows: readonly PackageRow[],
  directory: Directory,
  faults: FieldErrors,
): void {
  enter(directory, "packages", rows, faults);
}

/** Services that were made from the packages keep their terms until the next activation. */
export function stagePackages(staging: Staging, rows: readonly PackageRow[], now: Seconds) {
  const staged = new StagedRows(staging, "packages");
  const given = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) staged.put(row.id, staged.find(row), row.values, { onInsert: { created_at: now } });
  /** The columns of a package once it is written. */
  const after = (id: number): Columns => {
    const { known = true, values = {} } = given.get(id) ?? {};
    return { ...staged.after(staged.find({ id, known }), values), id };
  };
  return { rows: staged, after };
}
