import { historyOf } from "./traffic.ts";
import type { World } from "./world.ts";

/** Faults that are printed; a thousand of the same kind say no more. */
const MOST_SHOWN = 10;

/** Rows of both sides as lines that begin with the subscriber; each that only one side has is a fault. */
export function match(
  world: World,
  what: string,
  is: readonly string[],
  shouldBe: readonly string[],
): number {
  const left = new Map<string, number>();
  for (const line of shouldBe) left.set(line, (left.get(line) ?? 0) + 1);
  const surplus: string[] = [];
  for (const line of is) {
    const count = left.get(line) ?? 0;
    if (count === 0) surplus.push(line);
    else left.set(line, count - 1);
  }
  const missing = [...left].filter(([, count]) => count > 0).map(([line]) => line);
  for (const line of missing.slice(0, MOST_SHOWN)) {
    const [name = ""] = line.split(" ");
    const near = surplus.filter((one) => one.startsWith(`${name} `));
    world.faults.push(
      `${what}: ${line} is missing, instead there is ${near.join(" and ") || "nothing"}; ${historyOf(world, name)}`,
    );
  }
  if (missing.length === 0)
    for (const line of surplus.slice(0, MOST_SHOWN)) world.faults.push(`${what}: ${line} should not be`);
  return is.length;
}

export const lines = (rows: readonly Record<string, unknown>[]) =>
  rows.map((row) => Object.values(row).join(" "));
