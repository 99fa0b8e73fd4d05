import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why this machine cannot boot a system; everything that happens in a booted one is a fault instead. */
export class CannotBoot extends Error {}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A folder with a Debian system of its own, with `packages` (commas between them). `cache` keeps the archive of the empty one for the
 * next time.
 */
export async function newSystem(cache: string, packages: string): Promise<string> {
  const tar = await emptySystem(cache, packages);
  const root = mkdtempSync(join(tmpdir(), "gatehouse-lab-"));
  chmodSync(root, 0o755); // it is / inside, which everybody enters
  const unpacked = await Bun.$`tar --extract --file ${tar} --directory ${root}`.quiet().nothrow();
  if (unpacked.exitCode === 0) return root;
  rmSync(root, { recursive: true, force: true });
  throw new CannotBoot(`a Debian system could not be unpacked: ${unpacked.stderr.toString().trim()}`);
}

/** The tar file of an empty Debian system, made once and kept. */
async function emptySystem(folder: string, packages: string): Promise<string> {
  const release = /^ID=debian$/m.test(osRelease)
    ? /^VERSION_CODENAME=(\S+)$/m.exec(osRelease)?.[1]
    : undefined;
  const suite = release ?? "bookworm";
  const file = join(folder, `${suite}-${Bun.hash(packages).toString(36)}.tar`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const made =
    await Bun.$`timeout 300 mmdebstrap --variant=minbase --include=${packages} ${suite} ${file}.new.tar`
      .quiet()
      .nothrow();
  if (made.exitCode !== 0)
    throw new CannotBoot(
      `mmdebstrap could not make a Debian system: ${made.stderr.toString().trim().slice(-500)}`,
    );
  renameSync(`${file}.new.tar`, file);
  return file;
}

const osRelease = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
