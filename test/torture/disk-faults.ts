import { existsSync } from "node:fs";
import { join } from "node:path";
import { Appliance, program } from "../support/appliance.ts";
import { Books } from "./books.ts";
import { Disk, type DiskFault } from "./disk.ts";
import { nothingSeen, Outage, type Seen } from "./outage.ts";
import { checkFaults, endOf } from "./soundness.ts";
import { torturedIsp } from "./traffic.ts";
import type { Extent } from "./trial.ts";

/** Records that are sent while a disk is ill. */
const RECORDS = 50;
const SLOW_SYNC = 100;
/** Milliseconds that a record may wait on a slow disk; what a busy machine needs besides. */
const PATIENCE = 10_000;

export interface IllDisk {
  readonly faults: readonly string[];
  readonly seen: ReadonlyMap<string, Seen>;
  readonly slow: Seen;
}

/** One server on a disk that is full, refuses writes, fails at syncs, is read-only and dawdles, one after the other. */
export async function serveOnIllDisk(
  program_: string,
  { seed, isShort }: Pick<Extent, "seed" | "isShort">,
): Promise<IllDisk> {
  await using appliance = new Appliance();
  await begin(appliance);
  await using disk = await new Disk(program_, appliance.folder, seed).ready();
  appliance.command = disk.command(program);
  const books = new Books();
  const outage = new Outage(appliance, await appliance.serve(), books);
  const { pid } = appliance;
  const seen = new Map<string, Seen>();
  for (const fault of ["full", "write", "sync", "read-only"] satisfies DiskFault[]) {
    const during = nothingSeen();
    await disk.fail(fault);
    await suffer(outage, during, { hasCommand: !isShort || seen.size === 0 });
    await disk.heal();
    await outage.recover(during);
    seen.set(fault, during);
  }
  const slow = await dawdle(outage, disk);
  const all = [...seen, ["slow", slow] as const];
  const logins = all.reduce((total, [, one]) => total + one.logins, 0);
  const faults = all.flatMap(([name, one]) => one.faults.map((fault) => `disk ${name}: ${fault}`));
  faults.push(...(await outage.decisions(logins)));
  if (appliance.pid !== pid) faults.push("the server was started again");
  faults.push(...(await afterACut(appliance, disk, books)));
  faults.push(...(await commandFaults(program_, appliance, { seed, isShort })));
  return { faults, seen, slow };
}

export async function begin(appliance: Appliance): Promise<void> {
  const isp = torturedIsp({ waiting: 100 });
  await Bun.write(join(appliance.folder, "isp.json"), isp); // which commands bring in again
  await appliance.load(JSON.parse(isp));
}

/** Nothing can be stored. */
async function suffer(outage: Outage, during: Seen, { hasCommand }: { hasCommand: boolean }): Promise<void> {
  const acknowledged = await outage.report(during, RECORDS);
  if (acknowledged > 0) during.faults.push(`${acknowledged} records were acknowledged that were not stored`);
  await outage.logIn(during);
  await outage.useApi(during);
  if (hasCommand) await outage.useCommand(during);
}

/** Every sync takes a while: accounting waits for it, logins do not. */
async function dawdle(outage: Outage, disk: Disk): Promise<Seen> {
  const slow = nothingSeen();
  await disk.slow(SLOW_SYNC);
  const reports = Promise.all([1, 2, 3].map(() => outage.report(slow, RECORDS, PATIENCE)));
  await outage.logIn(slow);
  await reports;
  if (slow.silent > 0) slow.faults.push(`${slow.silent} records were not acknowledged`);
  await disk.heal();
  await outage.recover(slow);
  return slow;
}

/** A command on an ill disk ends with a sentence about it, and leaves nothing half done. */
async function commandFaults(
  program_: string,
  appliance: Appliance,
  { seed, isShort }: Pick<Extent, "seed" | "isShort">,
): Promise<string[]> {
  const copy = join(appliance.folder, "copy.db");
  const commands = [["serve"], ["import", "isp.json"], ["backup", copy]];
  const faults: string[] = [];
  await appliance.stop();
  const ill: readonly DiskFault[] = isShort ? ["full"] : ["full", "read-only", "write"];
  for (const fault of ill) {
    await using disk = await new Disk(program_, appliance.folder, seed).ready();
    appliance.command = disk.command(program);
    await disk.fail(fault);
    for (const args of commands) {
      const { code, stderr } = await endOf(appliance, args);
      const isClear = code === 1 && /^gatehouse: .*disk.*\n$/.test(stderr);
      if (!isClear) faults.push(`${args[0]} with the disk ${fault} ends with ${code}: ${stderr.trim()}`);
    }
    if (existsSync(copy)) faults.push(`a backup was made on a disk that is ${fault}`);
    await disk.heal();
    faults.push(
      ...(await checkFaults(appliance)).map((found) => `after commands with the disk ${fault}: ${found}`),
    );
  }
  return faults;
}

/** What was acknowledged after a sync had failed is on the disk: the kernel may have thrown away what was written before. */
async function afterACut(appliance: Appliance, disk: Disk, books: Books): Promise<string[]> {
  await disk.cut(0);
  await appliance.stop("SIGKILL");
  appliance.command = [program];
  const outage = new Outage(appliance, await appliance.serve(), books);
  const faults = [...books.faultsIn(outage.database), ...(await checkFaults(appliance))];
  return faults.map((fault) => `after a power cut: ${fault}`);
}
