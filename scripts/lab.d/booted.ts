import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "../../package.json";
import { Guest } from "./guest.ts";
import { Installed } from "./installed.ts";
import { type Outcome, runSteps } from "./run-steps.ts";
import { steps } from "./steps.ts";

const checkout = join(import.meta.dir, "../..");

interface Options {
  /** Path of a release archive for this machine; made of the checkout when it is left out. */
  readonly archive: string | undefined;
  /** What every change is tried with: an installation and its upgrade, without what can go wrong with them. */
  readonly isShort: boolean;
  readonly log: (line: string) => void;
}

/** The life of an installation on a booted system, step after step, until one fails. `table` is Markdown. */
export async function booted({ archive: path, isShort, log }: Options): Promise<Outcome> {
  const archive = path ?? (await makeArchive());
  await using guest = await Guest.make(join(checkout, "dist/lab"));
  await guest.boot();
  copyFileSync(archive, join(guest.root, "root", basename(archive)));
  const box = new Installed(guest, `/root/${basename(archive)}`);
  const { table, faults } = await runSteps(
    isShort ? steps.filter(({ isInShort }) => isInShort) : steps,
    box,
    { log, lately: () => box.journal() },
  );
  const about = (await guest.run("systemctl --version | head -n 1; . /etc/os-release; echo $PRETTY_NAME"))
    .stdout;
  return {
    table: `${await installedVersion(archive)}, ${about.trim().split("\n").toReversed().join(", ")}:\n\n${table}`,
    faults,
  };
}

async function makeArchive(): Promise<string> {
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const folder = join(checkout, "dist/lab/release"); // of its own, for tests may make one at the same time
  await Bun.$`scripts/release ${arch}`
    .cwd(checkout)
    .env({ ...process.env, RELEASE_FOLDER: folder })
    .quiet();
  return join(folder, `gatehouse-${version}-linux-${arch}.tar.gz`);
}

async function installedVersion(archive: string): Promise<string> {
  const output = await Bun.$`tar --extract --to-stdout --file ${archive} --wildcards ${"*/VERSION"}`.text();
  const fact = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(output)?.[1] ?? "?";
  return `Version ${fact("version")}, commit ${fact("commit")}`;
}
