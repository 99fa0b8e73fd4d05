import type { ReadSource } from "../../source.ts";
import { readRows } from "../read-rows.ts";
import { movedOf } from "./moved.ts";
import { Tables, wantedTables } from "./tables.ts";

/** Reads copies of the database of phpnuxbill, with `nas` of its FreeRADIUS where that is there. */
export const readPhpNuxBill: ReadSource = async (files, options) => {
  const tables = new Tables();
  await readRows(files, { wanted: wantedTables, options }, (row, file) => tables.add(row, file));
  return movedOf(tables, options);
};
