import type { ReadSource } from "../../source.ts";
import { readRows } from "../read-rows.ts";
import { ofShared, Room } from "../room.ts";
import { toMoved } from "./moved.ts";
import { onDisk, Tables, tablesToRead } from "./tables.ts";

/** FreeRADIUS databases, with daloRADIUS's tables if present. */
export const readFreeRadius: ReadSource = async (files, options) => {
  const tables = new Tables(options);
  const room = new Room(ofShared);
  await readRows(files, { tables: tablesToRead, options, uncounted: onDisk, room }, (row, file) =>
    tables.add(row, file),
  );
  return toMoved(tables, options);
};
