import { fits, type Item, type Values } from "../values.ts";
import { MARK } from "../mark.ts";
import type { DialInServer, RouterModel } from "./model.ts";
import { GARDEN_INTERFACES, GARDEN_PROFILE } from "./names.ts";

/** What a garden's profile has of the profile whose lines it takes; not its scripts, queue, rate and IPv6. */
const copied = [
  ...["local-address", "remote-address", "dns-server", "wins-server", "change-tcp-mss", "use-encryption"],
  ...["use-compression", "use-mpls", "use-upnp", "only-one", "incoming-filter", "outgoing-filter"],
  ...["bridge", "bridge-horizon", "bridge-learning", "bridge-path-cost", "bridge-port-priority"],
  ...["bridge-port-trusted", "bridge-port-vid"],
] as const;

/** Through which an IPv6 prefix comes that nobody asked us for. */
const ipv6Pools = ["remote-ipv6-prefix-pool", "dhcpv6-pd-pool"] as const;

/** The pools of IPv6 that a profile gives from. */
export const givesIpv6 = (profile: Item): string[] =>
  ipv6Pools.flatMap((name) => {
    const pool = profile[name];
    return pool === undefined || pool === "" || pool === "none" ? [] : [pool];
  });

export interface GardenProfile {
  readonly name: string;
  readonly base: string;
  readonly values: Values;
}

/** The garden's profiles that a router needs: one for each `default-profile` of its servers. One that is there keeps its name. */
export function gardenProfilesOf(model: RouterModel, { hasInterfaceList = true } = {}): GardenProfile[] {
  const rows = model.rows("/ppp/profile");
  const used = new Set(model.servers.map(({ profile }) => profile));
  const bases = [...used].flatMap((name) => rows.filter((row) => row["name"] === name));
  const desired = bases.map((base) => ({
    base: base["name"] ?? "",
    values: valuesOf(base, rows, hasInterfaceList),
  }));
  const free = new Set(
    [GARDEN_PROFILE].concat(desired.slice(1).map((_, index) => `${GARDEN_PROFILE}-${index + 2}`)),
  );
  const kept = new Map<string, string>();
  for (const { base, values } of desired) {
    const { "interface-list": _, ...rest } = values;
    const there = rows.find((row) => free.has(row["name"] ?? "") && isOurs(row) && fits(row, rest));
    if (!there) continue;
    free.delete(there["name"] ?? "");
    kept.set(base, there["name"] ?? "");
  }
  const left = [...free].toSorted();
  return desired.map(({ base, values }) => ({ name: kept.get(base) ?? left.shift() ?? "", base, values }));
}

const isOurs = (row: Item) => row["comment"] === MARK;

/** As they are written, which is not how they are printed. */
const truths: Readonly<Record<string, string>> = { true: "yes", false: "no" };

function valuesOf(base: Item, rows: readonly Item[], hasInterfaceList: boolean): Values {
  const values: Record<string, string> = {};
  for (const name of copied) {
    const value = base[name];
    if (value !== undefined && value !== "") values[name] = truths[value] ?? value;
  }
  // a version without the package of IPv6 knows none of these
  const isKnown = (name: string) => rows.some((row) => row[name] !== undefined);
  for (const name of ipv6Pools) if (isKnown(name)) values[name] = "none";
  if (isKnown("use-ipv6")) values["use-ipv6"] = "no";
  if (hasInterfaceList) values["interface-list"] = GARDEN_INTERFACES;
  return values;
}

/** The garden's profile of a profile, where a set-up made it and it is still that. */
export function gardenProfileOf(model: RouterModel, base: string): Item | undefined {
  const made = gardenProfilesOf(model).find((one) => one.base === base);
  return model.rows("/ppp/profile").find((row) => row["name"] === made?.name && isOurs(row));
}

/**
 * Which profile a login of the garden gets, by what its request says: of PPPoE by the service that it dialled, else by that it came
 * through a tunnel. Where servers of the same name differ nobody can tell, and there is none.
 */
export interface ProfileChoice {
  /** By the Called-Station-Id of a PPPoE login. */
  readonly pppoe: Readonly<Record<string, string>>;
  /** Of a login by L2TP, PPTP, SSTP or OpenVPN; null: it cannot be told which. */
  readonly tunnel: string | null;
}

export function profileChoiceIn(stored: string | null): ProfileChoice | null {
  const choice: ProfileChoice | null = stored === null ? null : JSON.parse(stored);
  return choice;
}

/** Names of services whose logins cannot be told apart are in `unsure`, `tunnel` for those of tunnels. */
export function profileChoice(
  servers: readonly DialInServer[],
  made: readonly Pick<GardenProfile, "name" | "base">[],
): { readonly choice: ProfileChoice; readonly unsure: readonly string[] } {
  const nameOf = (profile: string) => made.find(({ base }) => base === profile)?.name;
  const agreed = (some: readonly DialInServer[]) => {
    const names = new Set(some.map(({ profile }) => nameOf(profile)));
    return names.size === 1 ? [...names][0] : undefined;
  };
  const pppoe: Record<string, string> = {};
  const unsure: string[] = [];
  const dialled = Map.groupBy(
    servers.filter(({ kind }) => kind === "pppoe"),
    ({ service }) => service,
  );
  for (const [service, some] of dialled) {
    const name = agreed(some);
    if (name === undefined) unsure.push(service);
    else pppoe[service] = name;
  }
  const tunnels = servers.filter(({ kind }) => kind !== "pppoe");
  const tunnel = agreed(tunnels) ?? null;
  if (tunnels.length > 0 && tunnel === null) unsure.push("tunnel");
  return { choice: { pppoe, tunnel }, unsure };
}
