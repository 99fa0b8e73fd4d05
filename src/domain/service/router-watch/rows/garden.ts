import ipaddr from "ipaddr.js";
import { overlap } from "../../../core/networks/networks.ts";
import { fastTrackMenus, findFastTracks } from "../../../goods/router-setup/garden/fast-track.ts";
import { gardenFaults, openProfiles } from "../../../goods/router-setup/garden/faults.ts";
import { pickMatchers } from "../../../goods/router-setup/garden/matchers.ts";
import { isDynamic, isOn, buildModel, modelMenus } from "../../../goods/router-setup/garden/model.ts";
import { MARK } from "../../../goods/router-setup/mark.ts";
import type { Desired } from "../../../goods/router-setup/parts.ts";
import type { Change } from "../../../goods/router-setup/plan.ts";
import { fits, type Item, isYes, pick, type Values } from "../../../goods/router-setup/values.ts";
import { type Found, found } from "../found.ts";
import type { Made } from "../known.ts";
import { menuRows, type Reading } from "../reading.ts";
import { isForUs, planChanges } from "./radius.ts";
import { makeChange, type Row } from "./row.ts";

/** Parts with checks of their own. */
const elsewhere = new Set(["radius", "incoming", "lines", "policies", "hotspot", "api", "clock"]);
const isEdit = ({ kind }: Desired) => kind === "edits";
/** Interface lists used by FastTrack and walled-garden rules. */
const isList = ({ menu }: Desired) => menu.startsWith("/interface/list");
const menus = [...new Set(modelMenus.map(({ menu }) => menu))];
const confinedLists = (made: Made) => ("lists" in made ? made.lists : []);

/** Walled-garden rules of the set-up. */
export const shutsGarden: Row = {
  kinds: ["garden_rules", "garden_opened"],
  needs: menus,
  isFromSetup: true,
  find: (reading, { made }) => {
    const fix = planChanges(reading, made, (one) => !elsewhere.has(one.part) && !isEdit(one)).filter(
      (change) => change.part !== "firewall" || !isForUs(change),
    );
    const state = JSON.stringify(fix.map(({ kind, menu, key }) => [kind, menu, key]));
    const opened = gardenFaults(buildModel(reading), confinedLists(made)).flatMap(
      ({ kind, menu, row }): Found[] => {
        if (kind !== "opened" || !row) return [];
        const rule = ruleName(row);
        return [
          found(
            "garden_opened",
            { rule },
            { key: keyOf(row), state: ruleState(row), fix: [makeChange(menu, row, { disabled: "yes" })] },
          ),
        ];
      },
    );
    return [
      ...(fix.length > 0 ? [found("garden_rules", { rules: fix.length }, { state, fix })] : []),
      ...opened,
    ];
  },
};

const ruleName = (row: Item) => row["comment"] || `${row["chain"] ?? ""} ${row["action"] ?? ""}`;
const keyOf = (row: Item) => row[".id"] ?? ruleName(row);
/** A rule without its counters. */
const ruleState = (row: Item) => JSON.stringify([row["chain"], row["action"], pickMatchers(row)]);

/** FastTrack rules that bypass rates and rules: narrowed, or disabled where that is impossible. */
export const keepsRates: Row = {
  kinds: ["fasttrack"],
  needs: [...fastTrackMenus, ...menus],
  isFromSetup: true,
  find: (reading, { made }) => {
    const lists = planChanges(reading, made, isList);
    const edits = planChanges(reading, made, isEdit);
    return findFastTracks(buildModel(reading)).map(({ menu, rule, narrowing }) => {
      const own = edits.filter((change) => change.menu === menu && change.id === rule[".id"]);
      // a rule that excludes our interface list only needs that list complete
      const isKept = narrowing !== null && fits(rule, narrowing);
      const fix =
        isKept || own.length > 0 ? [...lists, ...own] : [makeChange(menu, rule, { disabled: "yes" })];
      return found(
        "fasttrack",
        { rule: ruleName(rule) },
        { key: `${menu} ${keyOf(rule)}`, state: ruleState(rule), fix },
      );
    });
  },
};

const PREFIXES = "/ipv6/nd/prefix";
const SERVERS = "/ipv6/dhcp-server";
const ADDRESSES = "/ipv6/address";
const PROFILES = "/ppp/profile";
/** Properties that identify a row to people. */
const keys = {
  [PREFIXES]: ["prefix", "interface"],
  [SERVERS]: ["name"],
  [ADDRESSES]: ["address", "interface"],
} as const;

/** IPv6 given without RADIUS, which expired lines keep: by a profile where the walled garden is used, else always. */
export const givesNoIpv6: Row = {
  kinds: ["ipv6_free"],
  needs: [...menus, PREFIXES, ADDRESSES],
  isFromSetup: true,
  find: (reading, { made }) => {
    const model = buildModel(reading);
    const { hotspots } = model.lines;
    const dhcp = model.lines.dhcp.filter((name) => !hotspots.includes(name));
    const at = (menu: string, interfaces: readonly string[]) =>
      menuRows(reading, menu).filter((row) => isOn(row) && interfaces.includes(row["interface"] ?? ""));
    const profiles = confinedLists(made).length === 0 ? [] : openProfiles(model);
    return [
      ...profiles
        .filter(({ pools }) => pools.length > 0)
        .map(({ profile, pools }) =>
          found(
            "ipv6_free",
            { where: profile, isProfile: true },
            {
              key: `profile ${profile}`,
              state: JSON.stringify(pools),
              fix: planChanges(reading, made, (one) => one.menu === PROFILES || isList(one)),
            },
          ),
        ),
      ...at(SERVERS, hotspots)
        .filter((row) => !isServerShut(reading, row))
        .map((row) =>
          givenBy(SERVERS, row, {
            deciding: ["address-pool", "prefix-pool", "use-radius"],
            fix: changed(SERVERS, row, { disabled: "yes" }),
          }),
        ),
      ...at(SERVERS, dhcp)
        .filter((row) => !isServerShut(reading, row) && !isYes(row["use-radius"]))
        .map((row) =>
          givenBy(SERVERS, row, {
            deciding: ["address-pool", "prefix-pool"],
            fix: changed(SERVERS, row, { "use-radius": "yes" }),
          }),
        ),
      ...at(PREFIXES, hotspots)
        .filter((row) => shutBy(reading, row).length === 0)
        .map((row) => prefixGiven(reading, row, { disabled: "yes" })),
      ...at(PREFIXES, dhcp)
        .filter((row) => isYes(row["autonomous"]) && shutBy(reading, row).length === 0)
        .map((row) => prefixGiven(reading, row, { autonomous: "no" })),
    ];
  },
};

/** What gives IPv6 at an interface of lines, and the deciding values; row numbers are per menu. */
const givenBy = (
  menu: string,
  row: Item,
  { deciding, fix }: { readonly deciding: readonly string[]; readonly fix: readonly Change[] },
) =>
  found(
    "ipv6_free",
    { where: row["interface"] ?? "" },
    { key: `${menu} ${row["interface"]} ${keyOf(row)}`, state: JSON.stringify(pick(row, deciding)), fix },
  );

/** A router's own prefix goes with the advertising of its address. */
const prefixGiven = (reading: Reading, row: Item, values: Values) =>
  givenBy(PREFIXES, row, {
    deciding: ["prefix"],
    fix: isDynamic(row)
      ? listAdvertisers(reading, row).flatMap((address) => changed(ADDRESSES, address, { advertise: "no" }))
      : changed(PREFIXES, row, values),
  });

/** Dynamic rows cannot be changed. */
const changed = (menu: keyof typeof keys, row: Item, values: Values): readonly Change[] =>
  isDynamic(row) ? [] : [makeChange(menu, row, values, pick(row, keys[menu]))];

const listAdvertisers = (reading: Reading, { interface: name, prefix = "" }: Item): readonly Item[] =>
  menuRows(reading, ADDRESSES).filter(
    (row) =>
      row["interface"] === name &&
      isOn(row) &&
      isYes(row["advertise"]) &&
      isWithin(row["address"] ?? "", prefix),
  );

const isWithin = (address: string, prefix: string) =>
  ipaddr.IPv6.isValidCIDR(address) && ipaddr.IPv6.isValidCIDR(prefix) && overlap(address, prefix);

/** Our rules that reject IPv6 of an interface except delegated prefixes. */
const shutBy = (reading: Reading, row: Item): readonly Item[] =>
  menuRows(reading, "/ipv6/firewall/filter").filter(
    (rule) => rule["comment"] === MARK && rule["in-interface"] === row["interface"] && isOn(rule),
  );

/** Delegated prefixes pass such a rule, so a server without RADIUS counts as blocked only when nothing passes. */
const isServerShut = (reading: Reading, row: Item) =>
  shutBy(reading, row).some((rule) => isYes(row["use-radius"]) || !rule["src-address-list"]);
