import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Appliance } from "../../support/appliance.ts";
import { Books } from "../books.ts";
import { begin } from "../disk-faults.ts";
import { nothingSeen, Outage, type Seen } from "../outage.ts";
import { checkFaults } from "../soundness.ts";

const SIZE = "24m";
/** Records until the file system has to have refused one. */
const MOST_RECORDS = 20_000;

/** A server on a file system of its own that has no byte left. Undefined where this user may not mount one. */
export async function serveOnFullDisk(): Promise<Seen | undefined> {
  await using appliance = new Appliance();
  const data = join(appliance.folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (!(await mountSmall(data, SIZE))) return undefined;
  try {
    await begin(appliance);
    return await fill(appliance, data);
  } finally {
    await appliance.stop("SIGKILL");
    await unmount(data);
  }
}

/** Puts an empty file system of a size ("24m") on a folder; false where this user may not. */
export async function mountSmall(folder: string, size: string): Promise<boolean> {
  return (await command(["mount", "-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder])) === 0;
}

export async function unmount(folder: string): Promise<void> {
  await command(["umount", "-l", folder]);
}

async function fill(appliance: Appliance, data: string): Promise<Seen> {
  const seen = nothingSeen();
  const books = new Books();
  const outage = new Outage(appliance, await appliance.serve(), books);
  const ballast = join(data, "ballast");
  writeUntilFull(ballast);
  // what has room in the files as they are is stored, and acknowledged rightly
  for (let sent = 0; sent < MOST_RECORDS && seen.silent === 0; sent += 50) await outage.report(seen, 50);
  if (seen.silent === 0) seen.faults.push(`${MOST_RECORDS} records were acknowledged on a full disk`);
  seen.faults.push(...books.faultsIn(outage.database));
  await outage.logIn(seen);
  await outage.useApi(seen);
  await outage.useCommand(seen);
  rmSync(ballast);
  await outage.recover(seen);
  seen.faults.push(...(await outage.decisions(seen.logins)));
  if ((await appliance.stop()) !== 0) seen.faults.push("it does not stop in order");
  seen.faults.push(...(await checkFaults(appliance)).filter((fault) => !fault.startsWith("check, disk:")));
  return seen;
}

/** Writes a file until there is no byte left for it. */
export function writeUntilFull(path: string): void {
  const file = openSync(path, "w");
  try {
    for (let part = Buffer.alloc(1 << 20); part.length > 0;) {
      try {
        writeSync(file, part);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
        part = part.subarray(0, Math.floor(part.length / 2));
      }
    }
  } finally {
    closeSync(file);
  }
}

async function command(argv: string[]): Promise<number> {
  try {
    return await Bun.spawn(argv, { stdout: "ignore", stderr: "ignore" }).exited;
  } catch {
    return 127;
  }
}
