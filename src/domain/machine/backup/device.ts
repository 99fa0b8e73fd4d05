import { statSync } from "node:fs";
import { dirname } from "node:path";

/** Compares the nearest existing parent; backups there go with the disk. */
export function isOnSameDisk(folder: string, dataFolder: string): boolean {
  const [one, other] = [readDevice(folder), readDevice(dataFolder)];
  return one !== undefined && one === other;
}

function readDevice(path: string): number | undefined {
  try {
    return statSync(path).dev;
  } catch {
    const above = dirname(path);
    return above === path ? undefined : readDevice(above);
  }
}
