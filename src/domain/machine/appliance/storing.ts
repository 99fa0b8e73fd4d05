import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../../listen-error.ts";

/** Milliseconds for which a result counts, for anybody may ask. */
const KEPT = 5000;
const PAGE = new Uint8Array(4096);

const faults: Readonly<Record<string, string>> = {
  ENOSPC: "the disk of the data folder is full: accounting and payments are not taken; make room (df)",
  EDQUOT: "the quota of the data folder is used up: accounting and payments are not taken; make room",
  EROFS:
    "the disk of the data folder is mounted read-only: accounting and payments are not taken; look at it (dmesg)",
  EIO: "the disk of the data folder fails: accounting and payments are not taken; look at it (dmesg)",
};

/** Why nothing can be stored; undefined: it can. Writes a probe, at most every few seconds. */
export function storingFault(
  folder: string,
  put: (file: string) => void = tryToPut,
): () => string | undefined {
  let known: { at: number; fault: string | undefined } | undefined;
  return () => {
    const at = performance.now();
    if (!known || at - known.at >= KEPT) known = { at, fault: faultNow(folder, put) };
    return known.fault;
  };
}

function faultNow(folder: string, put: (file: string) => void): string | undefined {
  const file = join(folder, "storing.probe");
  try {
    try {
      put(file);
    } finally {
      rmSync(file, { force: true });
    }
    return undefined;
  } catch (error) {
    const code = String(errorCode(error));
    return faults[code] ?? `the data folder cannot be written to (${code}); see: gatehouse check`;
  }
}

function tryToPut(file: string): void {
  writeFileSync(file, PAGE, { mode: 0o600 });
}
