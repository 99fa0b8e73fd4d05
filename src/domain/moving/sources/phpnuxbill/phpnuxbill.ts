import { readDump } from "../../dump/read-dump.ts";
import type { ReadSource } from "../../source.ts";
import { movedOf } from "./moved.ts";
import { Tables, wantedTables } from "./tables.ts";

/** Reads copies of the database of phpnuxbill, with `nas` of its FreeRADIUS where that is there. */
export const readPhpNuxBill: ReadSource = async (files, options) => {
  const tables = new Tables();
  let before = 0;
  for (const file of files) {
    const progress = (bytes: number) => options.progress?.(before + bytes);
    for await (const row of readDump(file, wantedTables, { progress, told: options.told }))
      tables.add(row, file.name);
    before += file.bytes;
  }
  return movedOf(tables, options);
};
