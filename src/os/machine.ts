import { readFileSync } from "node:fs";
import { uptime } from "node:os";

/** Milliseconds since the machine began, in whole seconds, by a clock that no administrator and no time server sets; and which beginning that was. */
export function machineClock(): { readonly boot: string; readonly uptime: () => number } {
  return { boot: bootId(), uptime: () => uptime() * 1000 };
}

/**
 * Within the unit the files of the kernel are hidden (ProcSubset=pid), and the service manager tells it (%b). Where nobody does, each
 * thread has begun by itself, and wall clocks count.
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
