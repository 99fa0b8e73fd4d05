import { readFileSync, rmSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { DomainError } from "../../core/errors/errors.ts";
import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { readKept, tryToKeep } from "./kept-json.ts";

/*
 * Only the server knows whether it can write to the backup folder: its unit restricts it more than a command of the same user.
 * It tries, and leaves the result in the data folder for commands.
 */

const outcome = Type.Object({
  folder: Type.String(),
  at: Type.Integer(),
  fault: Type.Union([Type.String(), Type.Null()]),
  /** Whether a backup, and not a probe, gave the result. */
  isOfBackup: Type.Boolean(),
});

/** The server's last write or probe in the backup folder. */
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

export function lastOutcome(dataFolder: string): FolderOutcome | undefined {
  return readKept(outcomeFile(dataFolder), outcome);
}

/** Removes the outcome at a start: an old fault may have been fixed. */
export function forgetOutcome(dataFolder: string): void {
  rmSync(outcomeFile(dataFolder), { force: true });
}

/** Writes a probe. Returns the fault with what to do; null: none. */
export async function tryFolder(folder: string, isService: boolean): Promise<Phrase | null> {
  const own = privateTmp(folder, mounts());
  if (own !== undefined)
    return phrase`${folder} is in a ${own} of the service's own, which goes when it stops; take another folder, such as /var/backups/gatehouse`;
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

/** A fault of the folder with what to do; undefined for anything else. `isService`: the unit restricts this process. */
export function folderFault(error: unknown, folder: string, isService: boolean): Phrase | undefined {
  if (error instanceof DomainError) return error.phrases.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isHidden =
    /^\/(home|root|run\/user)(\/|$)/.test(folder) && /^(EACCES|EPERM|EROFS|ENOENT)$/.test(code);
  if (isService && isHidden)
    return phrase`the service may not look into /home, /root and /run/user; take another folder, such as /var/backups/gatehouse`;
  const make = `install -d -o gatehouse -g gatehouse -m 700 ${shellWord(folder)}`;
  if (code === "EROFS" && isService)
    return phrase`the service may not write to ${folder}; run: ${make}; then: systemctl edit gatehouse, with the two lines [Service] and ReadWritePaths=${unitPath(folder)}; then: systemctl restart gatehouse`;
  return faults.get(code)?.(folder, make);
}

function mounts(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return ""; // no Linux, or /proc is not to be seen
  }
}

/** The PrivateTmp= mount over a folder, from proc_pid_mountinfo(5), fourth and fifth words. */
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

const faults = new Map<string, (folder: string, make: string) => Phrase>([
  [
    "EROFS",
    (folder) =>
      phrase`${folder} is on a disk that is mounted read-only; make it writable, or take another folder`,
  ],
  ["EACCES", (folder, make) => phrase`${folder} cannot be written to by this user; run as root: ${make}`],
  ["EPERM", (folder, make) => phrase`${folder} cannot be written to by this user; run as root: ${make}`],
  ["ENOENT", (folder) => phrase`${folder} cannot be made; check the path, and that its disk is mounted`],
  [
    "ENOTDIR",
    (folder) => phrase`${folder} cannot be: a part of the path is a file, not a folder; check the path`,
  ],
  ["EEXIST", (folder) => phrase`${folder} is a file, not a folder; check the path`],
  ["ENOSPC", (folder) => phrase`the disk of ${folder} is full; make room, or take another folder`],
  ["EDQUOT", (folder) => phrase`the quota of ${folder} is used up; make room, or take another folder`],
  ["EIO", (folder) => phrase`the disk of ${folder} fails; look at it (dmesg), or take another folder`],
  ["SQLITE_FULL", (folder) => phrase`the disk of ${folder} is full; make room, or take another folder`],
  [
    "SQLITE_IOERR",
    (folder) => phrase`the disk of ${folder} fails; look at it (dmesg), or take another folder`,
  ],
]);

function shellWord(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** The path quoted for a unit: percent signs doubled (systemd.syntax(7), systemd.unit(5)). */
function unitPath(path: string): string {
  const escaped = path.replaceAll("%", "%%");
  return /^[^\s"'\\]+$/.test(escaped) ? escaped : `"${escaped.replace(/["\\]/g, "\\$&")}"`;
}
