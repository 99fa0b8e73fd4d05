import type { Db } from "../../../../../db/open.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { addFault, type Input, readFields, type Values } from "../../../core/fields/fields.ts";
import {
  type FairPackage,
  fairRateFault,
  packageFields,
  requiredPackageFields,
  resellerPriceFault,
  toFairPackage,
} from "../../../goods/packages/fields.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { type Directory, enter } from "./directory.ts";
import { type Row, readRows } from "./rows.ts";
import { type Columns, StagedRows, type Staging } from "./staging.ts";

export type PackageRow = Row<Values<typeof packageFields>>;

export function readPackages(file: Input, stored: Directory, faults: Faults): PackageRow[] {
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
  db: Db,
  rows: readonly PackageRow[],
  directory: Directory,
  faults: Faults,
): void {
  enter(directory, "packages", rows, faults);
  const storedPrices = db.$client.query<{ price: number; resellerPrice: number | null }, [number]>(
    "SELECT price, reseller_price AS resellerPrice FROM packages WHERE id = ?",
  );
  const storedRates = db.$client.query<FairPackage, [number]>(
    `SELECT rate_limit AS rateLimit, tiers, hours, quota_exceeded AS quotaExceeded, fair_window AS fairWindow
     FROM packages WHERE id = ?`,
  );
  for (const { id, pointer, values } of rows) {
    const rateFault = fairRateFault(toFairPackage(values, storedRates.get(id) ?? undefined));
    if (rateFault) addFault(faults, `${pointer}/rate_limit`, rateFault);
    const stored = storedPrices.get(id);
    const price = values.price ?? stored?.price;
    const { reseller_price: resellerPrice = stored?.resellerPrice ?? null } = values;
    if (price === undefined) continue;
    if (price === stored?.price && resellerPrice === stored.resellerPrice) continue;
    const fault = resellerPriceFault(price, resellerPrice);
    if (fault) addFault(faults, `${pointer}/reseller_price`, fault);
  }
}

/** Services keep their terms until the next activation. */
export function stagePackages(staging: Staging, rows: readonly PackageRow[], now: Seconds) {
  const staged = new StagedRows(staging, "packages");
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) staged.put(row.id, staged.find(row), row.values, { onInsert: { created_at: now } });
  const after = (id: number): Columns => {
    const { known = true, values = {} } = byId.get(id) ?? {};
    return { ...staged.after(staged.find({ id, known }), values), id };
  };
  return { rows: staged, after };
}
