import { readFileSync } from "node:fs";
import { uptime } from "node:os";

/** Milliseconds since the machine began, by a clock that no administrator and no time server sets; and which beginning that was. */
export function machineClock(): { readonly boot: string; readonly uptime: () => number } {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return { boot, uptime: () => uptime() * 1000 };
}
