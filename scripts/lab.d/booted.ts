import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "../../package.json";
import { Guest } from "./guest.ts";
import { Installed } from "./installed.ts";
import { steps } from "./steps.ts";

const checkout = join(import.meta.dir, "../..");

interface Options {
  /** Path of a release archive for this machine; made of the checkout when it is left out. */
  readonly archive: string | undefined;
  readonly say: (line: string) => void;
}

/** The life of an installation on a booted system, step after step, until one fails. `table` is Markdown. */
export async function booted({ archive: given, say }: Options): Promise<{ table: string; faults: string[] }> {
  const archive = given ?? (await makeArchive());
  const faults: string[] = [];
  const rows: string[][] = [];
  await using guest = await Guest.make(join(checkout, "dist/lab"));
  await guest.boot();
  copyFileSync(archive, join(guest.root, "root", basename(archive)));
  const box = new Installed(guest, `/root/${basename(archive)}`);
  for (const { what, run } of steps) {
    const began = performance.now();
    try {
      const seen = await run(box);
      rows.push([what, seen, `${((performance.now() - began) / 1000).toFixed(1)} s`]);
      say(`${what}: ${seen}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      faults.push(`${what}: ${reason}`);
      rows.push([what, `**fault**: ${reason.split("\n")[0]}`, ""]);
      say(`FAULT: ${what}: ${reason}\n${await box.journal()}`);
      break; // what comes after stands on it
    }
  }
  const about = (await guest.run("systemctl --version | head -n 1; . /etc/os-release; echo $PRETTY_NAME"))
    .stdout;
  const table = [["step", "seen", "after"], ["---", "---", "---"], ...rows];
  return {
    table: `${await installedVersion(archive)}, ${about.trim().split("\n").toReversed().join(", ")}:\n\n${table.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`,
    faults,
  };
}

async function makeArchive(): Promise<string> {
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  await Bun.$`scripts/release ${arch}`.cwd(checkout).quiet();
  return join(checkout, `dist/release/gatehouse-${version}-linux-${arch}.tar.gz`);
}

async function installedVersion(archive: string): Promise<string> {
  const said = await Bun.$`tar --extract --to-stdout --file ${archive} --wildcards ${"*/VERSION"}`.text();
  const fact = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(said)?.[1] ?? "?";
  return `Version ${fact("version")}, commit ${fact("commit")}`;
}
