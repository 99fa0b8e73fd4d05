import { readdirSync, readFileSync } from "node:fs";

/** Nanoseconds of processor that each thread of a process has had. */
export function threadTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [ran = "0"] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      times.set(thread, Number(ran));
    } catch {
      // it has ended since
    }
  }
  return times;
}

/** What each thread has had since, the busiest first. */
export function busiest(before: Map<string, number>, after: Map<string, number>): [string, number][] {
  return [...after]
    .map(([thread, at]): [string, number] => [thread, at - (before.get(thread) ?? 0)])
    .toSorted(([, a], [, b]) => b - a);
}
