import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Clock } from "../../core/time/time.ts";
import { dualStackServers } from "../../goods/router-setup/dual-stack.ts";
import type { RouterMenus } from "../../goods/router-setup/menus.ts";
import { parseClock } from "../../goods/router-setup/clock.ts";
import { parseMilliseconds, type Item, isYes, type Values } from "../../goods/router-setup/values.ts";
import { parseVersion, type RouterVersion } from "../../goods/router-setup/versions.ts";

export interface Reading {
  readonly version: RouterVersion;
  /** Rows by menu; null: not in its version. */
  readonly menus: ReadonlyMap<string, readonly Item[] | null>;
  /** Why a menu was not read. */
  readonly unread: ReadonlyMap<string, string>;
  /** Counters of our rows of /radius, by `.id`. */
  readonly counters: ReadonlyMap<string, Item>;
  /** Seconds its clock is ahead; null: unknown, or just started. */
  readonly ahead: number | null;
}

/** A menu to read, optionally filtered. */
interface Read {
  readonly menu: string;
  readonly only?: Values;
  readonly properties?: readonly string[];
}

const names = [".id", "name", "disabled", "dynamic"];

/** Menus read by every check besides the set-up's. Of lists as long as the subscribers only what is judged. */
const read: readonly Read[] = [
  { menu: "/radius" },
  { menu: "/ip/hotspot" },
  { menu: "/ip/hotspot/profile" },
  { menu: "/ppp/aaa" },
  { menu: "/ppp/secret", properties: names },
  { menu: "/ip/hotspot/user", properties: names },
  { menu: "/ip/hotspot/ip-binding" },
  { menu: "/interface/pppoe-server/server" },
  { menu: "/ip/dhcp-server" },
  { menu: "/system/device-mode" },
  { menu: "/system/ntp/client" },
  { menu: "/ip/service" },
  { menu: "/ip/firewall/filter" },
  { menu: "/ip/firewall/raw" },
  { menu: "/ip/firewall/connection/tracking" },
  { menu: "/interface/ethernet/switch" },
  { menu: "/ipv6/nd/prefix" },
  { menu: "/queue/type", properties: [".id", "name"] },
];

/** Menus of ports, read where another finding needs them. */
const ofPorts: readonly Read[] = [
  { menu: "/interface/ethernet/switch/port", properties: [".id", "name", "l3-hw-offloading"] },
  { menu: "/interface/bridge/port", properties: ["interface", "bridge", "disabled"] },
  { menu: "/interface/vlan", properties: ["name", "interface"] },
];
/** Menus of prefixes, filtered: each IPv6 line has addresses that are not advertised. */
const ofPrefixes: readonly Read[] = [
  {
    menu: "/ipv6/address",
    only: { advertise: "true" },
    properties: [".id", "address", "interface", "advertise", "disabled", "invalid", "dynamic"],
  },
];
/** One per line, so only read where servers give IPv4 and IPv6. */
const ofLines: readonly Read[] = [
  { menu: "/queue/simple", only: { dynamic: "true" }, properties: ["name", "target"] },
];
const ofUserManager: readonly Read[] = [
  { menu: "/user-manager/user", properties: names },
  { menu: "/tool/user-manager/user", properties: [".id", "username", "disabled"] },
];

/** Milliseconds after a start in which a router may lack the time. */
const STARTING = 600_000;

/**
 * Reads a router's menus of `desired` and the other judged ones. Failures are recorded per menu; throws `router_failed` when
 * not even the version can be read.
 */
export async function readRouter(
  menus: Pick<RouterMenus, "print" | "run">,
  desired: readonly Read[],
  clock: Clock,
): Promise<Reading> {
  const [resource] = (await menus.print("/system/resource")) ?? [];
  const version = parseVersion(resource?.["version"] ?? "");
  if (!version) throw new DomainError("router_failed", phrase`it does not say which RouterOS it runs`);
  const rows = new Map<string, readonly Item[] | null>([["/system/resource", resource ? [resource] : []]]);
  const unread = new Map<string, string>();
  const look = async ({ menu, only, properties }: Read): Promise<readonly Item[]> => {
    try {
      const found = await menus.print(menu, only, properties);
      const before = rows.get(menu) ?? [];
      rows.set(menu, found && [...before, ...found]);
      return found ?? [];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      unread.set(menu, error.message);
      return [];
    }
  };
  const [time] = await look({ menu: "/system/clock" });
  const at = time && parseClock(time);
  const ahead = at === undefined ? null : at - clock();
  const own = new Set(read.map(({ menu }) => menu));
  for (const one of [...read, ...desired.filter(({ menu }) => !own.has(menu))]) await look(one);
  if (rows.get("/interface/ethernet/switch")?.some(isOffloading)) for (const one of ofPorts) await look(one);
  if (rows.get("/ipv6/nd/prefix")?.some((row) => isYes(row["dynamic"])))
    for (const one of ofPrefixes) await look(one);
  if (dualStackServers({ menus: rows }).length > 0) for (const one of ofLines) await look(one);
  if (await asksItself(rows.get("/radius") ?? [], look)) for (const one of ofUserManager) await look(one);
  const counters = await readCounters(menus, rows.get("/radius") ?? [], unread);
  const uptime = parseMilliseconds(resource?.["uptime"] ?? "");
  const isStarting = uptime !== undefined && uptime < STARTING;
  return { version, menus: rows, unread, counters, ahead: isStarting ? null : ahead };
}

export const isOffloading = (item: Item) => isYes(item["l3-hw-offloading"]);

/** Whether a row of /radius points to the router's own User Manager. */
async function asksItself(
  radius: readonly Item[],
  look: (one: Read) => Promise<readonly Item[]>,
): Promise<boolean> {
  const query = radius.filter((row) => !isYes(row["disabled"])).map((row) => row["address"] ?? "");
  if (query.some((address) => address.startsWith("127.") || address === "::1")) return true;
  if (query.length === 0) return false;
  const own = await look({ menu: "/ip/address", properties: ["address", "disabled"] });
  return own.some((row) => query.includes((row["address"] ?? "").replace(/\/.*$/, "")));
}

async function readCounters(
  menus: Pick<RouterMenus, "run">,
  radius: readonly Item[],
  unread: Map<string, string>,
): Promise<Map<string, Item>> {
  const counters = new Map<string, Item>();
  for (const { ".id": id = "", disabled } of radius) {
    if (isYes(disabled)) continue;
    try {
      const answer = await menus.run("/radius/monitor", { ".id": id, once: "" });
      if ("refusal" in answer) unread.set("/radius/monitor", answer.refusal);
      else if (answer[0]) counters.set(id, answer[0]);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      unread.set("/radius/monitor", error.message);
    }
  }
  return counters;
}

export const menuRows = ({ menus }: Pick<Reading, "menus">, menu: string): readonly Item[] =>
  menus.get(menu) ?? [];
