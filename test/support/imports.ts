import { moveIn } from "../../src/domain/machine/imports/move-in.ts";
import { keepLooks, keepResult } from "../../src/domain/machine/imports/runs/result.ts";
import { type Run, saveRun } from "../../src/domain/machine/imports/runs/run.ts";
import { lookAtTable } from "../../src/domain/machine/imports/sources/csv/look.ts";
import { readMap } from "../../src/domain/machine/imports/sources/csv/map.ts";
import { readCsv } from "../../src/domain/machine/imports/sources/csv/read.ts";
import { Notices } from "../../src/domain/machine/imports/notices.ts";
import { by } from "./isp.ts";
import { sourceFile } from "./source-files.ts";
import type { Tenants } from "./tenants.ts";

const table = `Login,Password,Full Name,Phone,Package,Expiry,Balance,Foo
neo1,pw-1,Neo One,0300 1111111,Home,03/04/2030,12.50,x
neo2,,Neo Two,,Office,05/06/2030,,
neo3,pw-3,Neo Three,,Home,soon,,
`;

/** Uploads of ISP 1 in three states, by id, and a finished import. */
export async function fillImports(
  { db, folder, clock }: Pick<Tenants, "db" | "folder" | "clock">,
  ids: Readonly<Record<"tried" | "columns" | "working", string>>,
): Promise<void> {
  const { now } = clock;
  const file = sourceFile("list.csv", table);
  const looks = [await lookAtTable(file, readMap(undefined))];
  const options = { ispId: 1, source: "csv", files: [file.name], now, zone: "UTC" };
  const read = async (dryRun: boolean) => {
    const notices = new Notices();
    const moved = await readCsv([file], { now, zone: "UTC", notices, map: undefined });
    return { ...(await moveIn(db, by, moved, { ...options, notices, dryRun })), moved };
  };
  const tried = await read(true);
  await read(false);
  const run: Run = {
    id: ids.tried,
    ispId: 1,
    staffId: 1,
    actor: "ada",
    source: "csv",
    createdAt: now,
    changedAt: now,
    files: [{ name: file.name, bytes: file.bytes }],
    state: "tried",
    problem: null,
    map: null,
    moveId: null,
    passwords: 0,
  };
  const states = { tried: "tried", columns: "columns", working: "reading" } as const;
  for (const name of ["tried", "columns", "working"] as const) {
    saveRun(folder, { ...run, id: ids[name], state: states[name] });
    keepLooks(folder, ids[name], looks);
  }
  keepResult(folder, ids.tried, tried);
}
