import type { Item, Values } from "./values.ts";

/** Calls reject with `router_failed`. */
export interface RouterMenus {
  /** null: no such menu. */
  readonly print: (
    menu: string,
    only?: Values,
    properties?: readonly string[],
  ) => Promise<readonly Item[] | null>;
  /** `before` a row, else at the end. */
  readonly add: (menu: string, values: Values, before?: string) => Promise<void>;
  readonly set: (menu: string, id: string | null, values: Values) => Promise<void>;
  readonly remove: (menu: string, id: string) => Promise<void>;
  /** Any command: rows, or the refusal. */
  readonly run: (command: string, values: Values) => Promise<readonly Item[] | { readonly refusal: string }>;
}

/** API words; an empty matcher is unset. */
export const apiWords = (menu: string, values: Values): string[] =>
  Object.entries(values).map(([name, value]) =>
    value === "" && name !== "comment" && menu.includes("/firewall/") ? `=!${name}=` : `=${name}=${value}`,
  );

/** null: no such menu. */
export type ReadMenus = ReadonlyMap<string, readonly Item[] | null>;

export interface RequestedMenu {
  readonly menu: string;
  readonly only: Values;
}

export async function readMenus(
  menus: Pick<RouterMenus, "print">,
  listed: readonly RequestedMenu[],
  already: { readonly asked: readonly RequestedMenu[]; readonly read: ReadMenus } = {
    asked: [],
    read: new Map(),
  },
): Promise<ReadMenus> {
  const keyOf = ({ menu, only }: RequestedMenu) => JSON.stringify([menu, only]);
  const known = new Set(already.asked.map(keyOf));
  const read = new Map(already.read);
  for (const one of listed) {
    if (known.has(keyOf(one))) continue;
    known.add(keyOf(one));
    const items = await menus.print(one.menu, one.only);
    read.set(one.menu, items && [...(read.get(one.menu) ?? []), ...items]);
  }
  return read;
}
