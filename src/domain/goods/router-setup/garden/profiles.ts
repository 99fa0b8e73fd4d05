import { fits, type Item, type Values } from "../values.ts";
import { MARK } from "../mark.ts";
import type { DialInServer, RouterModel } from "./model.ts";
import { GARDEN_INTERFACES, GARDEN_PROFILE } from "./names.ts";

/** Properties copied from the base profile; no scripts, queue, rate, IPv6. */
const copied = [
  ...["local-address", "remote-address", "dns-server", "wins-server", "change-tcp-mss", "use-encryption"],
  ...["use-compression", "use-mpls", "use-upnp", "only-one", "incoming-filter", "outgoing-filter"],
  ...["bridge", "bridge-horizon", "bridge-learning", "bridge-path-cost", "bridge-port-priority"],
  ...["bridge-port-trusted", "bridge-port-vid"],
] as const;

/** Unrequested IPv6. */
const ipv6Pools = ["remote-ipv6-prefix-pool", "dhcpv6-pd-pool"] as const;

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

/** One for each `default-profile`; existing names stay. */
export function planGardenProfiles(model: RouterModel, { hasInterfaceList = true } = {}): GardenProfile[] {
  const rows = model.rows("/ppp/profile");
  const used = new Set(model.servers.map(({ profile }) => profile));
  const bases = [...used].flatMap((name) => rows.filter((row) => row["name"] === name));
  const desired = bases.map((base) => ({
    base: base["name"] ?? "",
    values: profileValues(base, rows, hasInterfaceList),
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

/** Input and output differ. */
const truths: Readonly<Record<string, string>> = { true: "yes", false: "no" };

function profileValues(base: Item, rows: readonly Item[], hasInterfaceList: boolean): Values {
  const values: Record<string, string> = {};
  for (const name of copied) {
    const value = base[name];
    if (value !== undefined && value !== "") values[name] = truths[value] ?? value;
  }
  // missing without the IPv6 package
  const isKnown = (name: string) => rows.some((row) => row[name] !== undefined);
  for (const name of ipv6Pools) if (isKnown(name)) values[name] = "none";
  if (isKnown("use-ipv6")) values["use-ipv6"] = "no";
  if (hasInterfaceList) values["interface-list"] = GARDEN_INTERFACES;
  return values;
}

/** Ours, unmodified. */
export function findGardenProfile(model: RouterModel, base: string): Item | undefined {
  const made = planGardenProfiles(model).find((one) => one.base === base);
  return model.rows("/ppp/profile").find((row) => row["name"] === made?.name && isOurs(row));
}

/** A login's garden profile: by dialled service, else tunnel. None where same-named servers differ. */
export interface ProfileChoice {
  /** By Called-Station-Id. */
  readonly pppoe: Readonly<Record<string, string>>;
  /** L2TP, PPTP, SSTP or OpenVPN; null: ambiguous. */
  readonly tunnel: string | null;
}

export function profileChoiceIn(stored: string | null): ProfileChoice | null {
  const choice: ProfileChoice | null = stored === null ? null : JSON.parse(stored);
  return choice;
}

/** `unsure`: ambiguous services, `tunnel` for tunnels. */
export function profileChoice(
  servers: readonly DialInServer[],
  made: readonly Pick<GardenProfile, "name" | "base">[],
): { readonly choice: ProfileChoice; readonly unsure: readonly string[] } {
  const findName = (profile: string) => made.find(({ base }) => base === profile)?.name;
  const agreed = (some: readonly DialInServer[]) => {
    const names = new Set(some.map(({ profile }) => findName(profile)));
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
