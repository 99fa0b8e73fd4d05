import { statSync } from "node:fs";
import { dirname } from "node:path";

/** Whether a folder, or what of its path there is, lies on the disk of the data folder, so that what is in it goes with that disk. */
export function isOnSameDisk(folder: string, dataFolder: string): boolean {
  const [one, other] = [deviceOf(folder), deviceOf(dataFolder)];
  return one !== undefined && one === other;
}

function deviceOf(path: string): number | undefined {
  try {
    return statSync(path).dev;
  } catch {
    const above = dirname(path);
    return above === path ? undefined : deviceOf(above);
  }
}
