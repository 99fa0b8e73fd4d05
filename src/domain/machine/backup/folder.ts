import { readFileSync, rmSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { DomainError } from "../../core/errors/errors.ts";
import type { Seconds } from "../../core/time/time.ts";
import { readKept, tryToKeep } from "./kept-json.ts";

/*
 * Whether backups can be written to their folder is known to the server alone: its unit lets it write to fewer places than a
 * command of the same user. So it tries, and leaves what came of it in a file of the data folder, where commands read it.
 */

const outcome = Type.Object({
  folder: Type.String(),
  at: Type.Integer(),
  /** One sentence that says what to do; null: it works. */
  fault: Type.Union([Type.String(), Type.Null()]),
  /** Whether a backup itself failed or worked, not a try beforehand. */
  isOfBackup: Type.Boolean(),
});

/** What came of the last time that the server wrote to the folder of the backups, or tried to. */
export interface FolderOutcome {
  readonly folder: string;
  readonly at: Seconds;
  readonly fault: string | null;
  readonly isOfBackup: boolean;
}

const outcomeFile = (dataFolder: string) => join(dataFolder, "backup-folder.json");

export function storeOutcome(dataFolder: string, tried: FolderOutcome): void {
  tryToKeep(outcomeFile(dataFolder), tried);
}

/** Undefined while no server has tried. */
export function lastOutcome(dataFolder: string): FolderOutcome | undefined {
  return readKept(outcomeFile(dataFolder), outcome);
}

/** For a server that starts: what an earlier one found wrong may have been corrected. */
export function forgetOutcome(dataFolder: string): void {
  rmSync(outcomeFile(dataFolder), { force: true });
}

/** Makes the folder and writes a file there. Returns what is wrong, in one sentence that says what to do; null: nothing. */
export async function tryFolder(folder: string, isService: boolean): Promise<string | null> {
  const own = privateTmp(folder, mounts());
  if (own !== undefined)
    return `${folder} is in a ${own} of the service's own, which goes when it stops; take another folder, such as /var/backups/gatehouse`;
  const file = join(folder, `.gatehouse-try-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(file, "w", 0o600);
    try {
      await handle.sync();
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
    return null;
  } catch (error) {
    const fault = folderFault(error, folder, isService);
    if (fault === undefined) throw error;
    return fault;
  }
}

/**
 * Why a backup could not be written there, in one sentence that says what to do; undefined for what is no fault of the folder.
 * `isService`: this is the server under its unit, which may write to fewer places than its user.
 */
export function folderFault(error: unknown, folder: string, isService: boolean): string | undefined {
  if (error instanceof DomainError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isHidden =
    /^\/(home|root|run\/user)(\/|$)/.test(folder) && /^(EACCES|EPERM|EROFS|ENOENT)$/.test(code);
  if (isService && isHidden)
    return `the service may not look into /home, /root and /run/user; take another folder, such as /var/backups/gatehouse`;
  const make = `install -d -o gatehouse -g gatehouse -m 700 ${shellWord(folder)}`;
  if (code === "EROFS" && isService)
    return `the service may not write to ${folder}; run: ${make}; then: systemctl edit gatehouse, with the two lines [Service] and ReadWritePaths=${unitPath(folder)}; then: systemctl restart gatehouse`;
  return faults.get(code)?.(folder, make);
}

function mounts(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return ""; // no Linux, or /proc is not to be seen
  }
}

/** The mount that PrivateTmp= of the unit put over a folder, by the text of proc_pid_mountinfo(5): its fourth and fifth words. */
export function privateTmp(folder: string, mountinfo: string): string | undefined {
  return mountinfo
    .split("\n")
    .map((line) => line.split(" "))
    .find(
      ([, , , root = "", at = "/"]) =>
        root.includes("/systemd-private-") && `${folder}/`.startsWith(`${at}/`),
    )
    ?.at(4);
}

const faults = new Map<string, (folder: string, make: string) => string>([
  [
    "EROFS",
    (folder) => `${folder} is on a disk that is mounted read-only; make it writable, or take another folder`,
  ],
  ["EACCES", (folder, make) => `${folder} cannot be written to by this user; run as root: ${make}`],
  ["EPERM", (folder, make) => `${folder} cannot be written to by this user; run as root: ${make}`],
  ["ENOENT", (folder) => `${folder} cannot be made; check the path, and that its disk is mounted`],
  ["ENOTDIR", (folder) => `${folder} cannot be: a part of the path is a file, not a folder; check the path`],
  ["EEXIST", (folder) => `${folder} is a file, not a folder; check the path`],
  ["ENOSPC", (folder) => `the disk of ${folder} is full; make room, or take another folder`],
  ["EDQUOT", (folder) => `the quota of ${folder} is used up; make room, or take another folder`],
  ["EIO", (folder) => `the disk of ${folder} fails; look at it (dmesg), or take another folder`],
  ["SQLITE_FULL", (folder) => `the disk of ${folder} is full; make room, or take another folder`],
  ["SQLITE_IOERR", (folder) => `the disk of ${folder} fails; look at it (dmesg), or take another folder`],
]);

/** As a shell takes it. */
function shellWord(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** As a unit takes it: blanks between quotes, a percent sign twice (systemd.syntax(7), systemd.unit(5)). */
function unitPath(path: string): string {
  const escaped = path.replaceAll("%", "%%");
  return /^[^\s"'\\]+$/.test(escaped) ? escaped : `"${escaped.replace(/["\\]/g, "\\$&")}"`;
}
