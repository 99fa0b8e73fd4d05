import type { ReadSource } from "../../source.ts";
import { readRows } from "../read-rows.ts";
import { ofShared, Room } from "../room.ts";
import { movedOf } from "./moved.ts";
import { onDisk, Tables, tablesToRead } from "./tables.ts";

/** Reads copies of the database that FreeRADIUS looks its users up in, with the tables of daloRADIUS where they are there. */
export const readFreeRadius: ReadSource = async (files, options) => {
  const tables = new Tables(options);
  const room = new Room(ofShared);
  await readRows(files, { tables: tablesToRead, options, uncounted: onDisk, room }, (row, file) =>
    tables.add(row, file),
  );
  return movedOf(tables, options);
};
