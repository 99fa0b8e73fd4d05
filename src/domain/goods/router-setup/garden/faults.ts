import type { Item } from "../values.ts";
import { MARK } from "../mark.ts";
import { pickMatchers } from "./matchers.ts";
import { isDynamic, isOn, type RouterModel } from "./model.ts";
import { GARDEN_CHAIN, GARDEN_INTERFACES, GARDEN_LIST, ROUTER_CHAIN } from "./names.ts";
import { findGardenProfile, givesIpv6 } from "./profiles.ts";

/** A garden rule that lets expired subscribers out. */
export interface GardenFault {
  readonly kind: "gone" | "off" | "not_first" | "changed" | "opened";
  readonly menu: "/ip/firewall/filter" | "/ipv6/firewall/filter";
  readonly chain: string;
  readonly list: string;
  readonly row: Item | undefined;
}

/** Jumps into garden chains. */
const ways = [
  { chain: "forward", target: GARDEN_CHAIN, matcher: "src-address-list" },
  { chain: "forward", target: GARDEN_CHAIN, matcher: "dst-address-list" },
  { chain: "input", target: ROUTER_CHAIN, matcher: "src-address-list" },
] as const;

/** Places where a walled garden is open; empty without lists. */
export function gardenFaults(model: RouterModel, lists: readonly string[]): GardenFault[] {
  if (lists.length === 0) return [];
  const menu = "/ip/firewall/filter";
  const rules = model.rows(menu);
  const jumps = lists.flatMap((list) =>
    ways.flatMap(({ chain, target, matcher }) =>
      findFault(
        { menu, chain, list },
        rules,
        (row) => row["jump-target"] === target && row[matcher] === list,
        {
          action: "jump",
          [matcher]: list,
        },
      ),
    ),
  );
  const chains = [GARDEN_CHAIN, ROUTER_CHAIN].flatMap((chain) =>
    chainFaults({ menu, chain, list: "" }, rules),
  );
  return [...jumps, ...chains, ...ipv6Faults(model)];
}

export const gardenLists = (lists: readonly string[], pools: readonly string[]) =>
  pools.length > 0 && !lists.includes(GARDEN_LIST) ? [...lists, GARDEN_LIST] : lists;

type Place = Pick<GardenFault, "menu" | "chain" | "list">;

/** The fault of a rule that is not enabled, as wide as made, and first. */
function findFault(
  place: Place,
  rules: readonly Item[],
  isIt: (row: Item) => boolean,
  made: Readonly<Record<string, string>>,
): GardenFault[] {
  const own = rules.filter((row) => row["chain"] === place.chain && row["comment"] === MARK && isIt(row));
  const on = own.filter(isOn);
  const [first] = own;
  if (!first) return [{ ...place, kind: "gone", row: undefined }];
  if (on.length === 0) return [{ ...place, kind: "off", row: first }];
  const { action, ...matchers } = made;
  const whole = on.find((row) => row["action"] === action && Bun.deepEquals(pickMatchers(row), matchers));
  if (!whole) return [{ ...place, kind: "changed", row: on[0] }];
  const before = rules
    .slice(0, rules.indexOf(whole))
    .find((row) => row["chain"] === place.chain && row["comment"] !== MARK && isOn(row) && !isDynamic(row));
  return before ? [{ ...place, kind: "not_first", row: before }] : [];
}

/** Ends in a full rejection, with nothing foreign before. */
function chainFaults(place: Place, rules: readonly Item[]): GardenFault[] {
  const rows = rules.filter((row) => row["chain"] === place.chain);
  const isEnd = (row: Item) => row["action"] === "reject" && Object.keys(pickMatchers(row)).length === 0;
  const end = rows.findIndex((row) => isEnd(row) && isOn(row));
  if (end < 0) {
    const off = rows.find(isEnd);
    const changed = rows.find((row) => row["comment"] === MARK && row["action"] === "reject");
    if (off) return [{ ...place, kind: "off", row: off }];
    return [{ ...place, kind: changed ? "changed" : "gone", row: changed }];
  }
  const opened = rows
    .slice(0, end)
    .filter((row) => row["comment"] !== MARK && isOn(row) && !refusing.has(row["action"] ?? ""));
  return opened.map((row) => Object.assign({ kind: "opened" as const, row }, place));
}

const refusing = new Set(["drop", "reject", "tarpit", "log", "passthrough"]);

function ipv6Faults(model: RouterModel): GardenFault[] {
  const menu = "/ipv6/firewall/filter";
  if (!model.has(menu)) return [];
  const rules = model.rows(menu);
  return ipv6Ways.flatMap(({ chain, matcher }) =>
    findFault({ menu, chain, list: GARDEN_INTERFACES }, rules, (row) => row[matcher] === GARDEN_INTERFACES, {
      action: "reject",
      [matcher]: GARDEN_INTERFACES,
    }),
  );
}

/** Rejections of IPv6. */
export const ipv6Ways = [
  { chain: "forward", matcher: "in-interface-list" },
  { chain: "forward", matcher: "out-interface-list" },
  { chain: "input", matcher: "in-interface-list" },
] as const;

/** Profiles without a garden profile, or with IPv6 in it. */
export interface OpenProfile {
  readonly profile: string;
  /** Pools of IPv6, granted whatever we answer. */
  readonly pools: readonly string[];
}

export function openProfiles(model: RouterModel): OpenProfile[] {
  const rows = model.rows("/ppp/profile");
  return [...new Set(model.servers.map(({ profile }) => profile))].flatMap((profile) => {
    const base = rows.find((row) => row["name"] === profile);
    const garden = findGardenProfile(model, profile);
    if (
      garden &&
      givesIpv6(garden).length === 0 &&
      garden["use-ipv6"] !== "yes" &&
      garden["use-ipv6"] !== "true"
    )
      return [];
    return [{ profile, pools: base ? givesIpv6(base) : [] }];
  });
}
