import type { Item, Values } from "./values.ts";

/** A router whose API somebody is signed in to. Every call rejects with `router_failed` where it refuses or is gone. */
export interface RouterMenus {
  /** The rows of a menu that have these values, or of their properties the ones named; null where its version has no such menu. */
  readonly print: (
    menu: string,
    only?: Values,
    properties?: readonly string[],
  ) => Promise<readonly Item[] | null>;
  /** Adds a row, before another one where that is named, else at the end. */
  readonly add: (menu: string, values: Values, before?: string) => Promise<void>;
  /** Changes a row, or the record of a menu that has one. */
  readonly set: (menu: string, id: string | null, values: Values) => Promise<void>;
  readonly remove: (menu: string, id: string) => Promise<void>;
  /** Runs a command that is none of these: its rows, or why the router refused it. */
  readonly run: (command: string, values: Values) => Promise<readonly Item[] | { readonly refusal: string }>;
}

/** How values of a row are said to the API: a matcher of a rule has no empty form, and is taken off. */
export const wordsOf = (menu: string, values: Values): string[] =>
  Object.entries(values).map(([name, value]) =>
    value === "" && name !== "comment" && menu.includes("/firewall/") ? `=!${name}=` : `=${name}=${value}`,
  );

/** The rows of menus, by menu; null where a router's version has no such menu. */
export type ReadMenus = ReadonlyMap<string, readonly Item[] | null>;

export interface RequestedMenu {
  readonly menu: string;
  readonly only: Values;
}

/** Reads what is asked, each once, beside what was read already. Rejects with `router_failed`. */
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
