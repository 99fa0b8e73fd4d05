import type { Change, RouterState } from "../../../goods/router-setup/plan.ts";
import { differing, type Item, pick, type Values } from "../../../goods/router-setup/values.ts";
import type { Found, WatchKind } from "../found.ts";
import type { Known } from "../known.ts";
import type { Reading } from "../reading.ts";

/** A check: kinds of findings, required menus, and how they are detected. */
export interface Row {
  readonly kinds: readonly WatchKind[];
  readonly needs: readonly string[];
  /** Needs to know the set-up. */
  readonly isFromSetup?: true;
  readonly find: (reading: Reading, known: Known) => readonly Found[];
}

export const toRouterState = ({ version, menus }: Reading): RouterState => ({
  version,
  menus,
  accountWorks: null,
});

/** A change of an existing row; `key` identifies it. */
export function makeChange(
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

/** The part of a change for these properties; undefined: none. */
export function pickPart(change: Change, names: readonly string[]): Change | undefined {
  const some = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  const values = some(change.values);
  if (change.kind !== "set" || Object.keys(values).length === 0) return undefined;
  return { ...change, values, before: some(change.before) };
}
