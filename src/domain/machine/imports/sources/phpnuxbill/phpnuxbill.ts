import type { ReadSource } from "../../source.ts";
import { readRows } from "../read-rows.ts";
import { movedOf } from "./moved.ts";
import { onDisk, Tables, tablesToRead } from "./tables.ts";

/** Reads copies of the database of phpnuxbill, with `nas` of its FreeRADIUS where that is there. */
export const readPhpNuxBill: ReadSource = async (files, options) => {
  const tables = new Tables(options.notices.scratch);
  await readRows(files, { tables: tablesToRead, options, uncounted: onDisk }, (row, file) =>
    tables.add(row, file),
  );
  return movedOf(tables, options);
};
