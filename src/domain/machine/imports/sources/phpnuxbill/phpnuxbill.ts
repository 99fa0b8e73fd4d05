import type { ReadSource } from "../../source.ts";
import { readRows } from "../read-rows.ts";
import { toMoved } from "./moved.ts";
import { onDisk, Tables, tablesToRead } from "./tables.ts";

/** phpnuxbill databases, with FreeRADIUS's `nas` if present. */
export const readPhpNuxBill: ReadSource = async (files, options) => {
  const tables = new Tables(options.notices.scratch);
  await readRows(files, { tables: tablesToRead, options, uncounted: onDisk }, (row, file) =>
    tables.add(row, file),
  );
  return toMoved(tables, options);
};
