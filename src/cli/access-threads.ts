import type { Config } from "../config/config.ts";
import { machineHere } from "../os/machine.ts";

/** Bytes of the machine for each access thread: one takes 15 MB at rest and 20 with 2,000 lines, of the 130 that a box of 1 GB has for all. */
const MEMORY = 1e9;

/** One for each core but one, which main and accounting have, where there is the memory. */
export function accessThreadsFor({ cores, memory }: { cores: number; memory: number }): number {
  return Math.max(1, Math.min(cores - 1, Math.floor(memory / MEMORY)));
}

/** As many as the environment says, else by the machine. */
export function accessThreads({ accessThreads: chosen }: Pick<Config, "accessThreads">): number {
  return chosen ?? accessThreadsFor(machineHere());
}
