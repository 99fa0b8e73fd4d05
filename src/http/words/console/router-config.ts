import type { ConfigChange } from "../../../domain/goods/router-config/changes.ts";
import type { Messages } from "../compiled/messages.ts";

/** For pages and command. */
export function routerConfigWords({
  list,
  routerConfig: m,
  routerSetup: { places },
}: Pick<Messages, "list" | "routerConfig" | "routerSetup">) {
  const menus: Readonly<Record<string, string>> = { ...places, ...m.menus };
  const text = (value: string) => (value === "" ? m.empty : value);
  return {
    ...m,
    menuInWords: (menu: string) => (menus[menu] === undefined ? menu : `${menus[menu]} (${menu})`),
    changeInWords({ kind, values }: ConfigChange): string {
      if (kind === "moved") return m.order;
      return values
        .map(({ name, before, after }) => {
          if (kind !== "changed") return m.set(name, text(after ?? before ?? ""));
          if (after === null) return m.noMore(name, text(before ?? ""));
          if (before === null) return m.comes(name, text(after));
          return m.turns(name, text(before), text(after));
        })
        .join(list.comma);
    },
  };
}
