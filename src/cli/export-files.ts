import { renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sync } from "../../db/durable.ts";
import { unfinishedFile } from "../domain/core/files/files.ts";
import { errorCode } from "../listen-error.ts";
import { explainFile } from "./explain.ts";
import { CommandError } from "./io.ts";

export function requireNew(path: string, kind: "file" | "folder"): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (kind === "file" && found?.isDirectory())
    throw new CommandError(`cannot write ${path}: ${path} is a folder; name a file`);
  if (found) throw new CommandError(`${path} exists already; choose another name or remove it`);
}

/**
 * Has `write` fill an unfinished file or folder, which gets its name once it is whole and synced; nothing is left of a failure.
 * Throws CommandError.
 */
export function makeWhole<T>(path: string, write: (unfinished: string) => T): T {
  const target = resolve(path);
  const unfinished = unfinishedFile(target);
  rmSync(unfinished, { recursive: true, force: true }); // of an export that was broken off
  try {
    const result = write(unfinished);
    sync(unfinished);
    renameSync(unfinished, target);
    sync(dirname(target));
    return result;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // of the folder above, for the path itself is allowed not to exist
    const place = errorCode(error) === "ENOENT" ? dirname(target) : path;
    const reason = explainFile(error, place);
    throw reason === undefined
      ? error
      : new CommandError(`cannot write ${path}: ${reason}`, { cause: error });
  }
}
