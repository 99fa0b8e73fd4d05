import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { BYTE_ORDER_MARK, csvLine } from "../domain/import/csv.ts";
import type { Beside } from "../domain/moving/move-in.ts";
import { toldRows } from "../domain/moving/report.ts";
import type { Tellings } from "../domain/moving/told.ts";
import { makeWhole, writePieces } from "./export-files.ts";

/** A file of the working folder, for its owner only, and what it holds. */
export type KeptFiles = readonly { readonly file: string; readonly holds: string }[];

/** Writes what is to be had outside of the store: the data set, passwords to hand out, prepaid codes. */
export function keepBeside(source: string, { dataSet, passwords, vouchers }: Beside): KeptFiles {
  const kept: KeptFiles[number][] = [];
  if (Object.keys(dataSet).length > 0) {
    const file = `${source}-import.json`;
    write(file, [`${JSON.stringify(dataSet, null, 1)}\n`]);
    kept.push({ file, holds: "what was imported, as gatehouse import takes it, passwords included" });
  }
  if (passwords.length > 0) {
    const file = free("new-passwords");
    const rows = passwords.map(({ username, name, phone, password }) => [username, name, phone, password]);
    writeCsv(file, [["username", "name", "phone", "password"], ...rows]);
    kept.push({ file, holds: `new passwords of ${passwords.length.toLocaleString("en-US")}, to hand out` });
  }
  if (vouchers.length > 0) {
    const file = "vouchers.csv";
    const rows = vouchers.map(({ code, package: key, price, batch }) => [code, key, price, batch]);
    writeCsv(file, [["code", "package", "price", "batch"], ...rows]);
    kept.push({ file, holds: `${vouchers.length.toLocaleString("en-US")} prepaid codes nobody has used` });
  }
  return kept;
}

/** Writes everything that was told. */
export function keepReport(told: Tellings): KeptFiles[number] {
  const file = "moved-report.csv";
  writeCsv(file, toldRows(told));
  return { file, holds: `all ${told.rows.length.toLocaleString("en-US")} that is told above` };
}

/** Passwords of an earlier run may wait to be handed out: its file stays. */
function free(name: string): string {
  for (let number = 1; ; number++) {
    const file = number === 1 ? `${name}.csv` : `${name}-${number}.csv`;
    if (!existsSync(resolve(file))) return file;
  }
}

function writeCsv(file: string, rows: readonly (readonly (string | null)[])[]): void {
  write(
    file,
    rows.map((row, index) => (index === 0 ? BYTE_ORDER_MARK : "") + csvLine(row)),
  );
}

function write(file: string, pieces: readonly string[]): void {
  makeWhole(file, (unfinished) => writePieces(unfinished, pieces));
}
