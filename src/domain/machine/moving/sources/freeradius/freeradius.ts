import type { ReadSource } from "../../source.ts";
import { readRows } from "../read-rows.ts";
import { STREAMED } from "./accounting.ts";
import { movedOf } from "./moved.ts";
import { Tables, wantedTables } from "./tables.ts";

/** Reads copies of the database that FreeRADIUS looks its users up in, with the tables of daloRADIUS where they are there. */
export const readFreeRadius: ReadSource = async (files, options) => {
  const tables = new Tables(options);
  await readRows(files, { wanted: wantedTables, options, counted: STREAMED }, (row, file) =>
    tables.add(row, file),
  );
  return movedOf(tables, options);
};
