import { cp, mkdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Build } from "./gatehouse.ts";
import type { Sample } from "./rounds.ts";

const root = join(import.meta.dir, "../..");
/** Below this share of the other's speed a load has become slower. */
export const SLOWER = 0.95;

/** What a command prints. Throws with what it said where it fails. */
export async function output(command: readonly string[], cwd = root): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stdout: "pipe", stderr: "pipe" });
  const [code, text, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${errors}${text}`);
  return text.trim();
}

/**
 * Another Gatehouse to measure beside ours: an executable, or a commit, which is built in a worktree below `folder` with its own packages
 * and tools. The worktree goes with the folder and `pruneWorktrees`.
 */
export async function otherBuild(value: string, folder: string): Promise<Build> {
  // named as a path, for by its last part it would mostly be ours
  if (existsSync(value))
    return { name: value.includes("/") ? value : `./${value}`, executable: resolve(value) };
  const commit = await output(["git", "rev-parse", "--verify", "--short=12", `${value}^{commit}`]);
  const tree = join(folder, "other");
  await output(["git", "worktree", "add", "--detach", tree, commit]);
  // what is fetched already is not fetched again
  await mkdir(join(tree, ".bun"));
  if (existsSync(join(root, ".bun"))) await cp(join(root, ".bun"), join(tree, ".bun"), { recursive: true });
  await output(["scripts/bun", "install", "--frozen-lockfile"], tree);
  await output(["scripts/build"], tree);
  return { name: commit, executable: join(tree, "dist/gatehouse") };
}

export const pruneWorktrees = () => output(["git", "worktree", "prune"]);

/** One load of ours beside the other's. */
export interface Comparison {
  readonly load: string;
  readonly other: string;
  /** Medians of ours and of the other's: answers a second, and microseconds of processor for a request. */
  readonly rates: readonly [number, number];
  readonly costs: readonly [number, number];
  /** Ours to the other's, medians of the rounds; above 1 ours is the faster. */
  readonly speed: number;
  readonly thrift: number;
}

/** Of loads as fast as they come back the speed, and of all what they cost; each round with itself, for a machine is not the same in all. */
export function comparisons(samples: readonly Sample[]): Comparison[] {
  const [, other] = [...new Set(samples.map(({ target }) => target))];
  if (other === undefined) return [];
  return [...new Set(samples.map((one) => one.case))].map((load) => {
    const of = (target: string) => samples.filter((one) => one.case === load && one.target === target);
    const [ours, theirs] = [of("gatehouse"), of(other)];
    const pairs = ours.flatMap((one) => {
      const beside = theirs.find(({ round }) => round === one.round);
      return beside ? [[one, beside] as const] : [];
    });
    return {
      load,
      other,
      rates: [median(ours.map(({ rate }) => rate)), median(theirs.map(({ rate }) => rate))],
      costs: [median(ours.map(({ cost }) => cost)), median(theirs.map(({ cost }) => cost))],
      speed: median(pairs.map(([one, beside]) => one.rate / beside.rate)),
      thrift: median(pairs.map(([one, beside]) => beside.cost / one.cost)),
    };
  });
}

/** Loads in which ours is slower than `SLOWER` of the other, in speed or in what it costs. */
export function slower(compared: readonly Comparison[]): string[] {
  return compared.flatMap(({ load, speed, thrift }) => (Math.min(speed, thrift) < SLOWER ? [load] : []));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  return ((sorted[Math.floor(last / 2)] ?? 0) + (sorted[Math.ceil(last / 2)] ?? 0)) / 2;
}
