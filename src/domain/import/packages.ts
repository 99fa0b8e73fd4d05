import type { Tx } from "../../../db/open.ts";
import type { FieldErrors } from "../errors.ts";
import { type Input, readFields, type Values } from "../fields.ts";
import { packageFields, requiredPackageFields } from "../packages/fields.ts";
import type { Seconds } from "../time.ts";
import { type Directory, enter } from "./directory.ts";
import { type Row, readRows } from "./rows.ts";
import { RowWriter } from "./row-writer.ts";

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

/** Writes the packages; services that were made from them keep their terms until the next activation. */
export function writePackages(tx: Tx, rows: readonly PackageRow[], now: Seconds): void {
  const writer = new RowWriter(tx, "packages");
  for (const row of rows) writer.put(row, { ...row.values }, { created_at: now });
}
