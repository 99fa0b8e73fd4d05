import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { sync } from "../../../../db/durable.ts";
import { storeFiles, unfinishedFile, writePrivate } from "../../core/files/files.ts";
import { keyName, sealKey } from "./sealed-key.ts";

/* The sealed key for scheduled backups, in the data folder: key name, a space, base64. The passphrase is not stored. */

export function storeSeal(folder: string, passphrase: string): void {
  const key = readFileSync(storeFiles(folder).key, "utf8");
  writeSeal(folder, keyName(key), sealKey(key, passphrase));
}

export function writeSeal(folder: string, name: string, sealed: Uint8Array): void {
  const { sealedKey } = storeFiles(folder);
  const unfinished = unfinishedFile(sealedKey);
  rmSync(unfinished, { force: true });
  writePrivate(unfinished, `${name} ${Buffer.from(sealed).toString("base64")}\n`);
  renameSync(unfinished, sealedKey);
  sync(folder);
}

/** The seal kept in a folder; null: none, or of another key. */
export function storedSeal(folder: string, key: string): Buffer | null {
  const { sealedKey } = storeFiles(folder);
  if (!existsSync(sealedKey)) return null;
  const [name, sealed = ""] = readFileSync(sealedKey, "utf8").trim().split(" ");
  return name === keyName(key) ? Buffer.from(sealed, "base64") : null;
}

export function isSealStored(folder: string): boolean {
  const { key } = storeFiles(folder);
  return existsSync(key) && storedSeal(folder, readFileSync(key, "utf8")) !== null;
}
