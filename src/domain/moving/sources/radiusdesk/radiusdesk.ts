import { readDump } from "../../dump/read-dump.ts";
import type { ReadSource } from "../../source.ts";
import { Desk, wantedTables } from "./desk.ts";
import { movedOf } from "./moved.ts";

/** Reads copies of RADIUSdesk's database. */
export const readRadiusDesk: ReadSource = async (files, options) => {
  const desk = new Desk(options);
  let before = 0;
  for (const file of files) {
    const progress = (bytes: number) => options.progress?.(before + bytes);
    for await (const row of readDump(file, wantedTables, { progress, told: options.told }))
      desk.add(row, file.name);
    before += file.bytes;
  }
  return movedOf(desk, options);
};
