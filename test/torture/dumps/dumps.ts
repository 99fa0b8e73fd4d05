import type { Extent, Figure, Outcome, Trial } from "../trial.ts";
import type { LargeRead } from "./read-large.ts";
import { shapes } from "./read-large.ts";

/** Megabytes that memory may grow by, whatever the dump's size. */
const MOST_GROWTH = 64;

async function readIn(name: string, megabytes: number): Promise<LargeRead> {
  const program = new URL("read-large.ts", import.meta.url).pathname;
  const child = Bun.spawn([process.execPath, program, name, String(megabytes)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${name} was not read`);
  return JSON.parse(text) as LargeRead;
}

async function run({ isShort, isLong, log }: Extent): Promise<Outcome> {
  const figures: Figure[] = [];
  const faults: string[] = [];
  const megabytes = isShort ? 20 : isLong === true ? 20_000 : 2_000;
  for (const name of Object.keys(shapes)) {
    const { rows, expected, seconds, growth, megabytes: read } = await readIn(name, megabytes);
    const figure = `${Math.round(read / seconds)} MB a second of one processor; memory grew by ${Math.round(growth)} MB`;
    log(`${name}: ${figure}`);
    figures.push({ what: `a dump of another system of ${(read / 1000).toFixed(1)} GB, ${name}`, figure });
    if (rows !== expected) faults.push(`${name}: ${rows} rows of ${expected}`);
    if (growth > MOST_GROWTH) faults.push(`${name}: memory grew by ${Math.round(growth)} MB`);
  }
  return { figures, faults };
}

/** Dumps far larger than memory, in rows of one statement. */
export const dumps: Trial = { name: "dumps", run };
