import { existsSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Db } from "../../../../db/open.ts";
import { dataFolderOf } from "../../core/files/files.ts";
import { writePrivate } from "../../core/files/files.ts";
import { sync } from "../../../../db/durable.ts";

/** Where the password of the first Admin stands until it is changed, for whom no terminal shows it. */
const fileIn = (folder: string) => resolve(folder, "first-password.txt");

/** Writes it for the owner of the data folder alone; the file's path. */
export function keepFirstPassword(folder: string, username: string, password: string): string {
  const file = fileIn(folder);
  writePrivate(file, `${username}\n${password}\n`);
  sync(folder);
  return file;
}

/** The account whose first password stands in a file still, and where; undefined: none does. */
export function firstPassword(db: Db): { readonly username: string; readonly file: string } | undefined {
  const file = fileIn(dataFolderOf(db));
  if (!existsSync(file)) return undefined;
  return { username: readFileSync(file, "utf8").split("\n")[0] ?? "", file };
}

/** After the password of an account was changed: a first one is worth nothing any more. */
export function forgetFirstPassword(db: Db, username: string): void {
  const kept = firstPassword(db);
  if (kept?.username === username) rmSync(kept.file, { force: true });
}
