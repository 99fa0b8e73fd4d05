import { existsSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { dataFolderOf } from "../../core/files/files.ts";
import { writePrivate } from "../../core/files/files.ts";
import { sync } from "../../../../db/durable.ts";

const fileIn = (folder: string) => resolve(folder, "first-password.txt");

export function keepFirstPassword(folder: string, username: string, password: string): string {
  const file = fileIn(folder);
  writePrivate(file, `${username}\n${password}\n`);
  sync(folder);
  return file;
}

export function firstPassword(db: Db): { readonly username: string; readonly file: string } | undefined {
  const file = fileIn(dataFolderOf(db));
  if (!existsSync(file)) return undefined;
  return { username: readFileSync(file, "utf8").split("\n")[0] ?? "", file };
}

/** Removes the file of the first password once it was changed. */
export function forgetFirstPassword(db: Db, username: string): void {
  const kept = firstPassword(db);
  if (kept?.username === username) rmSync(kept.file, { force: true });
}
