import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { unfinishedFile } from "../../core/files/files.ts";

/* Results about backups are files beside the store: they concern this machine, and a restore must neither lose nor import them. */

export function readKept<T extends TSchema>(file: string, schema: T): Static<T> | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Value.Check(schema, stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically. */
export function writeKept(file: string, value: object): void {
  writeFileSync(unfinishedFile(file), `${JSON.stringify(value)}\n`, { mode: 0o600 });
  renameSync(unfinishedFile(file), file);
}

/** Writes the file, or leaves the old one on a full disk, which check reports. */
export function tryToKeep(file: string, value: object): void {
  try {
    writeKept(file, value);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
