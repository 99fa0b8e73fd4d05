import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Brings a file, or the names in a folder, to the disk. */
export function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a folder for its owner only, and those above it, so that a power cut does not take them away with what is put into them. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const end = dirname(resolve(first));
  for (let made = resolve(path); made !== end; made = dirname(made)) sync(dirname(made));
}
