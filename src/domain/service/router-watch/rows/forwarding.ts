import { isIPv4 } from "node:net";
import { overlap } from "../../../core/networks/networks.ts";
import { type Item, isYes } from "../../../goods/router-setup/values.ts";
import { found } from "../found.ts";
import type { Known } from "../known.ts";
import { isOffloading, menuRows, type Reading } from "../reading.ts";
import { makeChange, type Row } from "./row.ts";

const isOn = (row: Item) => !isYes(row["disabled"]) && !isYes(row["dynamic"]);

const TRACKING = "/ip/firewall/connection/tracking";

/** Connection tracking, without which neither walled garden nor rates work. */
export const tracks: Row = {
  kinds: ["tracking_off"],
  needs: [TRACKING],
  find: (reading) =>
    menuRows(reading, TRACKING)
      .filter((row) => row["enabled"] !== undefined && ["no", "false"].includes(row["enabled"]))
      .map((row) => found("tracking_off", {}, { fix: [makeChange(TRACKING, row, { enabled: "auto" })] })),
};

const RAW = "/ip/firewall/raw";

/** Rules that exempt lines from connection tracking. */
export const tracksLines: Row = {
  kinds: ["notrack"],
  needs: [RAW],
  find: (reading, known) =>
    menuRows(reading, RAW)
      .filter((row) => isOn(row) && row["action"] === "notrack" && reachesLines(row, reading, known))
      .map((row) => {
        const rule = row["comment"] || ruleWords(row);
        return found(
          "notrack",
          { rule },
          {
            key: row[".id"] ?? rule,
            state: JSON.stringify(pickMatchers(row)),
            fix: [makeChange(RAW, row, { disabled: "yes" })],
          },
        );
      }),
};

/** Rule properties that are no matchers. */
const beside = /^(?:\.|action$|bytes$|packets$|invalid$|dynamic$|disabled$|comment$|log|chain$)/;
const pickMatchers = (row: Item) =>
  Object.entries(row).filter(([name, value]) => !beside.test(name) && value !== undefined && value !== "");

const ruleWords = (row: Item) =>
  [row["action"], ...pickMatchers(row).map(([name, value]) => `${name}=${value}`)].join(" ");

/** Protocols of subscriber traffic. */
const carried = new Set(["tcp", "udp", "icmp", "6", "17", "1"]);

/** Whether a rule may match subscriber traffic; when unclear, no. */
function reachesLines(row: Item, reading: Reading, { lineAddresses }: Known): boolean {
  if (row["chain"] !== "prerouting") return false;
  for (const [name, value = ""] of pickMatchers(row)) {
    if (name === "protocol" ? carried.has(value) : isLines(name, value, { reading, lineAddresses })) continue;
    return false;
  }
  return true;
}

function isLines(
  name: string,
  value: string,
  { reading, lineAddresses }: { reading: Reading; lineAddresses: readonly string[] },
): boolean {
  if (name === "in-interface") return isForLines(value, linesAt(reading));
  if (name !== "src-address" && name !== "dst-address") return false;
  const isNot = value.startsWith("!");
  const range = isNot ? value.slice(1) : value;
  return lineAddresses.some((address) => isIPv4(address) && isWithin(address, range) !== isNot);
}

/** `10.0.0.0/8`, `10.0.0.1`, `10.0.0.1-10.0.0.9`; anything else contains nothing. */
function isWithin(address: string, range: string): boolean {
  const [from = "", to = ""] = range.split("-");
  if (isIPv4(from) && isIPv4(to))
    return toNumber(from) <= toNumber(address) && toNumber(address) <= toNumber(to);
  return /^[\d.]+(?:\/(?:\d|[12]\d|3[0-2]))?$/.test(range) && isIPv4(range.replace(/\/.*$/, ""))
    ? overlap(range, address)
    : false;
}

const toNumber = (address: string) =>
  address.split(".").reduce((number, byte) => number * 256 + Number(byte), 0);

const isForLines = (value: string, lines: ReadonlySet<string>) =>
  value.startsWith("!")
    ? value !== "!all-ppp" && !lines.has(value.slice(1))
    : value === "all-ppp" || value.startsWith("<") || lines.has(value);

/** Interfaces of hotspots and DHCP servers that use RADIUS. */
function linesAt(reading: Reading): ReadonlySet<string> {
  const dhcp = menuRows(reading, "/ip/dhcp-server").filter((row) => isYes(row["use-radius"]));
  return new Set(
    [...menuRows(reading, "/ip/hotspot"), ...dhcp].filter(isOn).map((row) => row["interface"] ?? ""),
  );
}

const SWITCHES = "/interface/ethernet/switch";
const PORTS = "/interface/ethernet/switch/port";
const BRIDGE_PORTS = "/interface/bridge/port";
const VLANS = "/interface/vlan";

/** Hardware routing in a switch bypasses rates and rules; PPP traffic goes through the CPU anyway. */
export const routesInSoftware: Row = {
  kinds: ["hardware_path"],
  needs: [SWITCHES, PORTS, BRIDGE_PORTS, VLANS, "/ip/hotspot", "/ip/dhcp-server"],
  find: (reading) => {
    const lines = listPorts(reading, linesAt(reading));
    const ports = menuRows(reading, PORTS);
    const isReached =
      ports.length === 0
        ? lines.size > 0
        : ports.some((port) => lines.has(port["name"] ?? "") && port["l3-hw-offloading"] !== "false");
    if (!isReached) return [];
    return menuRows(reading, SWITCHES)
      .filter(isOffloading)
      .map((row) => {
        const name = row["name"] ?? "";
        const key = name === "" ? undefined : { name };
        const fix = [makeChange(SWITCHES, row, { "l3-hw-offloading": "no" }, key)];
        return found("hardware_path", { switch: name }, { key: name, fix });
      });
  },
};

/** Lower interfaces: bridge members, and parents of VLANs. */
function listPorts(reading: Reading, interfaces: ReadonlySet<string>): ReadonlySet<string> {
  const below = new Set(interfaces);
  // iterating a Set includes members added meanwhile
  for (const one of below) {
    for (const port of menuRows(reading, BRIDGE_PORTS))
      if (port["bridge"] === one && isOn(port)) below.add(port["interface"] ?? "");
    for (const vlan of menuRows(reading, VLANS)) if (vlan["name"] === one) below.add(vlan["interface"] ?? "");
  }
  return below;
}
