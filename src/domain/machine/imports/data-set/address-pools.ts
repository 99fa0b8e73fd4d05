import { poolRowFields, rangeIn } from "../../../goods/address-pools/fields.ts";
import { meet, type Range, rangeBounds, rangeText } from "../../../goods/address-pools/range.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault, type Input, readFields, type Values } from "../../../core/fields/fields.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { addBelow, type Directory, enter } from "./directory.ts";
import { type Row, readRows } from "./rows.ts";
import { StagedRows, type Staging } from "./staging.ts";

export type AddressPoolRow = Row<Values<typeof poolRowFields>>;

const required = ["isp_id", "name", "range"] as const;

export function readAddressPools(file: Input, stored: Directory, faults: Faults): AddressPoolRow[] {
  return readRows(
    file["address_pools"],
    "/address_pools",
    {
      names: new Set(Object.keys(poolRowFields)),
      read: (row, found) => {
        const values = readFields(poolRowFields, row, found, { required });
        const { range: written, length = null } = values;
        const range = written ? rangeIn({ range: written, length }, found) : undefined;
        return range ? { ...values, range: rangeText(range), length } : values;
      },
    },
    stored.address_pools,
    faults,
  );
}

/** Adds names and ranges that two of an ISP would have. */
export function findAddressPoolFaults(
  rows: readonly AddressPoolRow[],
  directory: Directory,
  faults: Faults,
): void {
  enter(directory, "address_pools", rows, faults);
  const before: { isp: unknown; name: unknown; range: Range | undefined }[] = [];
  for (const { pointer, values } of rows) {
    const { isp_id: isp, name, range: written, length = null } = values;
    const range = written ? rangeIn({ range: written, length }, {}) : undefined;
    const own = before.filter((other) => other.isp === isp);
    const found: Faults = {};
    if (own.some((other) => other.name === name))
      addFault(found, "name", phrase`is also that of another pool`);
    const meets = (other: Range | undefined) =>
      other && range && other.family === range.family && meet(rangeBounds(other), rangeBounds(range));
    if (own.some((other) => meets(other.range))) addFault(found, "range", phrase`meets that of another pool`);
    addBelow(pointer, found, faults);
    before.push({ isp, name, range });
  }
}

export function stageAddressPools(
  staging: Staging,
  rows: readonly AddressPoolRow[],
  now: Seconds,
): StagedRows {
  const staged = new StagedRows(staging, "address_pools");
  for (const row of rows) staged.put(row.id, staged.find(row), row.values, { onInsert: { created_at: now } });
  return staged;
}
