import type { ReadSource } from "../../source.ts";
import { readRows } from "../read-rows.ts";
import { STREAMED } from "../freeradius/accounting.ts";
import { Desk, wantedTables } from "./desk.ts";
import { movedOf } from "./moved.ts";

/** Reads copies of RADIUSdesk's database. */
export const readRadiusDesk: ReadSource = async (files, options) => {
  const desk = new Desk(options);
  await readRows(files, { wanted: wantedTables, options, counted: STREAMED }, (row, file) =>
    desk.add(row, file),
  );
  return movedOf(desk, options);
};
