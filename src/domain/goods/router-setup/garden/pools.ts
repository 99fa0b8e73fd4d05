import { boundsIn } from "../bounds.ts";
import type { RouterModel } from "./model.ts";

/** Ranges of pools, with those of their next pools. */
export function poolRanges(model: RouterModel, names: readonly string[]): string[] {
  const reached = new Set(names.filter((name) => name !== "" && name !== "none"));
  const rows = model.rows("/ip/pool");
  for (const name of reached) {
    const next = rows.find((row) => row["name"] === name)?.["next-pool"];
    if (next !== undefined && next !== "" && next !== "none") reached.add(next);
  }
  const ranges = rows
    .filter((row) => reached.has(row["name"] ?? ""))
    .flatMap((row) => (row["ranges"] ?? "").split(","));
  return [...new Set(ranges.filter((range) => range !== ""))];
}

export const unknownPools = (model: RouterModel, names: readonly string[]): string[] =>
  names.filter((name) => !model.rows("/ip/pool").some((row) => row["name"] === name));

/** Pools of the profiles that servers have. */
export const defaultPools = (model: RouterModel): string[] =>
  model
    .rows("/ppp/profile")
    .filter((row) => model.servers.some(({ profile }) => profile === row["name"]))
    .map((row) => row["remote-address"] ?? "")
    .filter((pool) => model.rows("/ip/pool").some((row) => row["name"] === pool));

/** A range that two sets of ranges share; undefined: they are disjoint. */
export function sharedRange(ranges: readonly string[], others: readonly string[]): string | undefined {
  const bounds = others.map(boundsIn).filter((one) => one !== undefined);
  return ranges.find((range) => {
    const [first = 0, last = -1] = boundsIn(range) ?? [];
    return bounds.some(([from, to]) => first <= to && from <= last);
  });
}
