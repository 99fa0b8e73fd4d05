import { type Item, isYes } from "../../../goods/router-setup/values.ts";
import { type Found, found } from "../found.ts";
import { menuRows } from "../reading.ts";
import { planChanges } from "./radius.ts";
import { makeChange, type Row } from "./row.ts";
import { findHoles, isBefore, leastVersion } from "./versions.ts";

const MODE = "/system/device-mode";
const isOn = (row: Item) => !isYes(row["disabled"]);

export const mayRunHotspots: Row = {
  kinds: ["hotspot_forbidden"],
  needs: [MODE, "/ip/hotspot"],
  find: (reading) => {
    const [mode] = menuRows(reading, MODE);
    const isForbidden = ["no", "false"].includes(mode?.["hotspot"] ?? "");
    if (!isForbidden || !menuRows(reading, "/ip/hotspot").some(isOn)) return [];
    return [found("hotspot_forbidden", {}, { commands: ["/system device-mode update hotspot=yes"] })];
  },
};

export const isTrusted: Row = {
  kinds: ["flagged"],
  needs: [MODE],
  find: (reading) =>
    menuRows(reading, MODE)
      .filter((row) => isYes(row["flagged"]))
      .map(() => found("flagged", {}, { commands: ["/system device-mode update flagged=no"] })),
};

const TOLERANCE = 30;
const NTP = "/system/ntp/client";

export const knowsTime: Row = {
  kinds: ["clock_off", "no_ntp"],
  needs: ["/system/clock", NTP],
  isFromSetup: true,
  find: (reading, { made }) => {
    const fix = planChanges(reading, made, ({ menu }) => menu === NTP);
    const { ahead } = reading;
    const isOff = ahead !== null && Math.abs(ahead) > TOLERANCE;
    return [
      ...(isOff ? [found("clock_off", { ahead }, { state: "", fix })] : []),
      ...(fix.length > 0 ? [found("no_ntp", {}, { fix })] : []),
    ];
  },
};

export const isUpToDate: Row = {
  kinds: ["version_old", "version_hole"],
  needs: [MODE],
  find: (reading) => {
    const version = reading.version.text;
    const least = leastVersion(version, menuRows(reading, MODE)[0]?.["allowed-versions"]);
    const holes = findHoles(version).map(({ hole, mended: fixed, address }): Found =>
      found("version_hole", { version, hole, mended: fixed, address }, { key: hole }),
    );
    return isBefore(version, least) ? [found("version_old", { version, least }), ...holes] : holes;
  },
};

/** Seconds of three nights without a backup. */
const UNKEPT = 3 * 86_400;

export const isKept: Row = {
  kinds: ["config_unkept"],
  needs: [],
  find: (_reading, { configAge }) =>
    configAge === null || configAge <= UNKEPT
      ? []
      : [found("config_unkept", { days: Math.floor(configAge / 86_400) }, { state: "" })],
};

const SERVICES = "/ip/service";
const FILTER = "/ip/firewall/filter";

/** The API is reachable by anybody: no address restriction, and no firewall rule. */
export const apiIsShut: Row = {
  kinds: ["api_open"],
  needs: [SERVICES, FILTER],
  isFromSetup: true,
  find: (reading, { made }) => {
    const callers = "callers" in made ? made.callers : [];
    const isShut = menuRows(reading, FILTER).some(refusesStrangers);
    if (isShut) return [];
    return menuRows(reading, SERVICES)
      .filter((row) => isOn(row) && ["api", "api-ssl"].includes(row["name"] ?? ""))
      .filter((row) => (row["address"] ?? "") === "")
      .map((row) => {
        const service = row["name"] ?? "";
        const address = callers.map((caller) => `${caller}/${caller.includes(":") ? 128 : 32}`).join(",");
        const fix = address === "" ? [] : [makeChange(SERVICES, row, { address }, { name: service })];
        return found("api_open", { service }, { key: service, fix });
      });
  },
};

/** Properties that leave a rejecting rule general enough. */
const wide = new Set([
  "in-interface",
  "in-interface-list",
  "connection-state",
  "src-address-list",
  "protocol",
]);

function refusesStrangers(row: Item): boolean {
  if (!isOn(row) || row["chain"] !== "input" || !["drop", "reject"].includes(row["action"] ?? ""))
    return false;
  const matchers = Object.entries(row).filter(
    ([name, value]) =>
      /^(?:src|dst|in-|out-|protocol|connection|port$|packet|ipsec|hotspot|layer7|content|limit)/.test(
        name,
      ) && value !== "",
  );
  return matchers.every(
    ([name, value = ""]) =>
      (wide.has(name) || name === "dst-port") &&
      (name !== "protocol" || value === "tcp") &&
      (name !== "connection-state" || value.split(",").includes("new")) &&
      (name !== "src-address-list" || value.startsWith("!")) &&
      (name !== "dst-port" || /(?:^|,)872[89](?:,|$)/.test(value)),
  );
}
