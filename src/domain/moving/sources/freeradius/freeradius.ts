import { readDump } from "../../dump/read-dump.ts";
import type { ReadSource } from "../../source.ts";
import { movedOf } from "./moved.ts";
import { Tables, wantedTables } from "./tables.ts";

/** Reads copies of the database that FreeRADIUS looks its users up in, with the tables of daloRADIUS where they are there. */
export const readFreeRadius: ReadSource = async (files, options) => {
  const tables = new Tables(options);
  let before = 0;
  for (const file of files) {
    const progress = (bytes: number) => options.progress?.(before + bytes);
    for await (const row of readDump(file, wantedTables, { progress, told: options.told }))
      tables.add(row, file.name);
    before += file.bytes;
  }
  return movedOf(tables, options);
};
