import type { ReadSource } from "../../source.ts";
import { readRows } from "../read-rows.ts";
import { ofShared, Room } from "../room.ts";
import { onDisk } from "../freeradius/tables.ts";
import { Desk, tablesToRead } from "./desk.ts";
import { toMoved } from "./moved.ts";

const ownOnDisk = new Set([...onDisk, "permanent_users", "vouchers", "top_ups", "devices"]);

export const readRadiusDesk: ReadSource = async (files, options) => {
  const desk = new Desk(options);
  await readRows(
    files,
    { tables: tablesToRead, options, uncounted: ownOnDisk, room: new Room(ofShared) },
    (row, file) => desk.add(row, file),
  );
  return toMoved(desk, options);
};
