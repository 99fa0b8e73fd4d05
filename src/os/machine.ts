import { readFileSync } from "node:fs";
import { availableParallelism, totalmem, uptime } from "node:os";

export interface Machine {
  /** That this program may use. */
  readonly cores: number;
  /** Bytes of it, and those that this program may use, as its unit or container says. */
  readonly memory: number;
  readonly allowed: number;
}

export function machineHere(): Machine {
  const memory = totalmem();
  // 0 and 2^64: no limit
  return {
    cores: availableParallelism(),
    memory,
    allowed: Math.min(process.constrainedMemory() || memory, memory),
  };
}

/** Milliseconds since boot, in whole seconds, from a clock that neither an administrator nor NTP sets; and the id of that boot. */
export function machineClock(): { readonly boot: string; readonly uptime: () => number } {
  return { boot: bootId(), uptime: () => uptime() * 1000 };
}

/**
 * In the unit the kernel's files are hidden (ProcSubset=pid), so the unit passes the boot id (%b). Without it each thread
 * counts as a boot of its own, and wall clocks are used.
 */
function bootId(): string {
  const handed = Bun.env["BOOT_ID"];
  if (handed) return handed;
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim().replaceAll("-", "");
  } catch {
    return crypto.randomUUID();
  }
}
