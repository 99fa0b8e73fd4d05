import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { isLocked } from "./sqlite-error.ts";

export class ServingError extends Error {
  override name = "ServingError";
}

/** Claims a data folder until disposed or the process ends: two servers would run jobs twice. Throws ServingError. */
export function claimServing(folder: string): Disposable {
  const file = join(folder, "serving.lock");
  try {
    return holdFile(file);
  } catch (error) {
    throw new ServingError(whyNot(error, folder, file), { cause: error });
  }
}

/** Creates and locks a file until disposed or the process ends. Throws what isLocked recognizes. */
export function holdFile(file: string): Disposable {
  closeSync(openSync(file, "a", 0o600));
  const lock = new Database(file, { readwrite: true });
  try {
    lock.run("PRAGMA busy_timeout = 0");
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw error;
  }
  return { [Symbol.dispose]: () => lock.close() };
}

function whyNot(error: unknown, folder: string, file: string): string {
  return isLocked(error)
    ? `another gatehouse serves ${folder}; stop it first, or set another GATEHOUSE_DATA_DIR`
    : `${file} cannot be locked (${error instanceof Error ? error.message : String(error)}); see to its disk and the room on it`;
}
