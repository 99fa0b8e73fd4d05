import { readdirSync, readFileSync } from "node:fs";

/** What processes have used so far. */
export interface Used {
  /** Processor seconds. */
  readonly cpu: number;
  /** Bytes resident now; shared ones counted once. */
  readonly memory: number;
}

/** A second of /proc/PID/stat's clock, USER_HZ. */
const TICKS = 100;

/** What a process and all its descendants use. */
export function usedBy(roots: readonly number[]): Used {
  const pids = withDescendants(roots);
  return {
    cpu: sum(pids, readCpu),
    memory: sum(pids, readMemory),
  };
}

function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0);
}

/** Processes and all that they began and that is not over. */
export function withDescendants(roots: readonly number[]): number[] {
  const all = new Set(roots);
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (Number.isInteger(pid)) parents.set(pid, Number(readFields(pid)[1] ?? 0));
  }
  for (let before = -1; before !== all.size;) {
    before = all.size;
    for (const [pid, parent] of parents) if (all.has(parent)) all.add(pid);
  }
  return [...all];
}

/** The fields of /proc/PID/stat behind the name: state, parent, ...; none of a process that is gone. */
function readFields(pid: number): string[] {
  const stat = readProcess(pid, "stat");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** utime, stime, and those of children that have ended. */
function readCpu(pid: number): number {
  const fields = readFields(pid);
  return [11, 12, 13, 14].reduce((total, at) => total + Number(fields[at] ?? 0), 0) / TICKS;
}

function readMemory(pid: number): number {
  const kilobytes = /^Pss: +(\d+) kB/m.exec(readProcess(pid, "smaps_rollup"))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Processes end while they are looked at. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
