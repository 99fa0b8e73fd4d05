import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { unfinishedFile } from "../../core/files/files.ts";

/*
 * What came of backups is kept in files of the data folder, beside the store and not in it: it is of this machine, and a restore of
 * an older state must neither forget it nor bring back another's.
 */

/** Undefined where there is none, or it is not ours to read. */
export function readKept<T extends TSchema>(file: string, schema: T): Static<T> | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Value.Check(schema, stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Never half written. */
export function writeKept(file: string, value: object): void {
  writeFileSync(unfinishedFile(file), `${JSON.stringify(value)}\n`, { mode: 0o600 });
  renameSync(unfinishedFile(file), file);
}

/** As writeKept; a data folder that takes nothing any more keeps the old one, for check says what is wrong with its disk. */
export function tryToKeep(file: string, value: object): void {
  try {
    writeKept(file, value);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
