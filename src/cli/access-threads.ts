import type { Config } from "../config/config.ts";
import { type Machine, machineHere } from "../os/machine.ts";

/**
 * Bytes for each access thread, of the machine and of those that our unit allows: one takes 15 MB at rest and 20 with 2,000 lines, and a
 * box of 1 GB has 130 for all.
 */
const MEMORY = 1e9;
const ALLOWED = 256e6;

/** One for each core but one, which main and accounting have, where there is the memory. */
export function accessThreadsFor({ cores, memory, allowed }: Machine): number {
  return Math.max(1, Math.min(cores - 1, Math.floor(memory / MEMORY), Math.floor(allowed / ALLOWED)));
}

/** As many as the environment says, else by the machine. */
export function accessThreads({ accessThreads: chosen }: Pick<Config, "accessThreads">): number {
  return chosen ?? accessThreadsFor(machineHere());
}
