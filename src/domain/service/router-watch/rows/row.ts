import type { Change, RouterState } from "../../../goods/router-setup/plan.ts";
import { differing, type Item, pick, type Values } from "../../../goods/router-setup/values.ts";
import type { Found, WatchKind } from "../found.ts";
import type { Known } from "../known.ts";
import type { Reading } from "../reading.ts";

/** Something that is looked for: kinds of findings, the menus without which nothing is said of them, and how they are known. */
export interface Row {
  readonly kinds: readonly WatchKind[];
  readonly needs: readonly string[];
  /** Whether it has to be known what a set-up would make. */
  readonly isOfSetup?: true;
  readonly find: (reading: Reading, known: Known) => readonly Found[];
}

/** A reading as a plan takes it. */
export const stateOf = ({ version, menus }: Reading): RouterState => ({ version, menus, accountWorks: null });

/** A change of a row that is there; `key` tells it from others. */
export function changeOf(
  menu: string,
  item: Item,
  values: Values,
  key: Values = pick(item, [".id"]),
): Change {
  const other = differing(item, values);
  const id = item[".id"] ?? null;
  return {
    kind: "set",
    part: "lines",
    menu,
    id,
    key: id === null ? {} : key,
    values: other,
    before: pick(item, Object.keys(other)),
    isForeign: true,
  };
}

/** The part of a change that sets these properties; undefined: it sets none of them. */
export function partOf(change: Change, names: readonly string[]): Change | undefined {
  const some = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  const values = some(change.values);
  if (change.kind !== "set" || Object.keys(values).length === 0) return undefined;
  return { ...change, values, before: some(change.before) };
}
