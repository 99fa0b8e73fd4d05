import { type Item, isYes } from "../../../goods/router-setup/values.ts";
import { type Found, found, type Whose } from "../found.ts";
import { type Facts, type Known, rowName } from "../known.ts";
import { menuRows, type Reading } from "../reading.ts";
import { makeChange, type Row } from "./row.ts";

const SECRETS = "/ppp/secret";
const USERS = "/ip/hotspot/user";
const BINDINGS = "/ip/hotspot/ip-binding";
const managers = ["/user-manager/user", "/tool/user-manager/user"] as const;

const isOwn = (row: Item) => !isYes(row["disabled"]) && !isYes(row["dynamic"]);

/** Our names that a router's own list accepts before RADIUS; codes of cards are never shown. */
function inList(
  kind: "ppp_name" | "hotspot_name" | "user_manager_name",
  menu: string,
  { reading, known }: { reading: Reading; known: Known },
): Found[] {
  return menuRows(reading, menu)
    .filter(isOwn)
    .flatMap((row): Found[] => {
      const name = rowName(row);
      const whose = known.whoseName(name);
      if (!whose) return [];
      const isCard = whose.of === "card";
      const values = { ...whose, name: isCard ? whose.who : name };
      const key = isCard || row[".id"] === undefined ? undefined : { [nameColumn(row)]: name };
      const fix = [makeChange(menu, row, { disabled: "yes" }, key)];
      return [found(kind, values, { key: values.name, fix })];
    });
}

const nameColumn = (row: Item) => (row["name"] === undefined ? "username" : "name");

export const pppNames: Row = {
  kinds: ["ppp_name"],
  needs: [SECRETS],
  find: (reading, known) => inList("ppp_name", SECRETS, { reading, known }),
};

export const hotspotNames: Row = {
  kinds: ["hotspot_name"],
  needs: [USERS],
  find: (reading, known) => inList("hotspot_name", USERS, { reading, known }),
};

/** User Manager's names, where the router uses its own. */
export const managerNames: Row = {
  kinds: ["user_manager_name"],
  needs: [...managers],
  find: (reading, known) => managers.flatMap((menu) => inList("user_manager_name", menu, { reading, known })),
};

const isBypassed = (row: Item) => isOwn(row) && row["type"] === "bypassed";

/** Our devices that bypass the hotspot. */
export const bypasses: Row = {
  kinds: ["bypassed"],
  needs: [BINDINGS],
  find: (reading, known) =>
    menuRows(reading, BINDINGS)
      .filter(isBypassed)
      .flatMap((row): Found[] => {
        const mac = row["mac-address"] ?? "";
        const whose: Whose | undefined = known.whoseDevice(mac);
        if (!whose) return [];
        const fix = [makeChange(BINDINGS, row, { type: "regular" })];
        return [found("bypassed", { ...whose, mac }, { key: row[".id"] ?? mac, fix })];
      }),
};

/** Names and devices that are not ours: counted only. */
export function countOthers(
  reading: Reading,
  { whoseName, whoseDevice }: Known,
): NonNullable<Facts["others"]> {
  const count = (menu: string, is: (row: Item) => boolean) => menuRows(reading, menu).filter(is).length;
  return {
    ppp: count(SECRETS, (row) => isOwn(row) && !whoseName(rowName(row))),
    hotspot: count(USERS, (row) => isOwn(row) && !whoseName(rowName(row))),
    bypassed: count(BINDINGS, (row) => isBypassed(row) && !whoseDevice(row["mac-address"] ?? "")),
  };
}
