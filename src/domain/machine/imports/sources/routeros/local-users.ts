import { parseMac } from "../../../../core/fields/text.ts";
import type { MovedPackage, MovedSubscriber, Origin } from "../../model.ts";
import type { Notices } from "../../notices.ts";
import { type ExportItem } from "./export.ts";
import { isAddress, isYes, parseBytes, parseRateLimit, parseSeconds } from "./values.ts";

type Terms = Omit<MovedPackage, "at" | "key" | "name" | "price">;

interface Profile {
  readonly at: Origin;
  readonly name: string;
  readonly terms: Terms;
}

export interface Collected {
  readonly packages: Map<string, MovedPackage>;
  readonly subscribers: MovedSubscriber[];
  readonly notices: Notices;
}

type Items = (menu: string) => readonly ExportItem[];

export function readLocalUsers(items: Items, into: Collected): { secrets: string[]; hotspotUsers: string[] } {
  return { secrets: readSecrets(items, into), hotspotUsers: readHotspotUsers(items, into) };
}

function readSecrets(items: Items, into: Collected): string[] {
  const profiles = readProfiles(items("ppp profile"), pppTerms);
  const names: string[] = [];
  const several = new Set<string>();
  for (const { at, values, command } of items("ppp secret")) {
    const username = values.get("name");
    if (command !== "add" || username === undefined) continue;
    names.push(username);
    const profile = findProfile(profiles, values.get("profile") ?? "default", at);
    if (profile.terms.simultaneous_use === undefined) several.add(profile.name);
    const address = values.get("remote-address");
    const pool = address !== undefined && !isAddress(address) ? { framed_pool: address } : {};
    tellLost(into.notices, at, username, values, [
      "limit-bytes-in",
      "limit-bytes-out",
      "routes",
      "ipv6-routes",
    ]);
    into.subscribers.push({
      ...common(values, at, into.notices, { username, mac: values.get("caller-id") }),
      ...(isAddress(address) && { static_ip: address }),
      ...(values.has("remote-ipv6-prefix") && {
        delegated_ipv6_prefix: values.get("remote-ipv6-prefix") ?? null,
      }),
      package: packageFor(into, profile, pool, username),
      connection: "ppp",
    });
  }
  for (const name of several)
    into.notices.add(
      "note",
      profiles.get(name)?.at ?? null,
      name,
      "The profile let one name in several times at once (only-one is not yes). Here a package lets it in once; set its simultaneous use where more is meant.",
    );
  return names;
}

function readHotspotUsers(items: Items, into: Collected): string[] {
  const profiles = readProfiles(items("ip hotspot user profile"), hotspotTerms);
  const names: string[] = [];
  for (const { at, values, command } of items("ip hotspot user")) {
    const username = values.get("name");
    if (command !== "add" || username === undefined) continue;
    if (username === "default-trial") continue;
    names.push(username);
    const profile = findProfile(profiles, values.get("profile") ?? "default", at);
    const quota = parseBytes(values.get("limit-bytes-total"));
    tellLost(into.notices, at, username, values, ["limit-uptime", "limit-bytes-in", "limit-bytes-out"]);
    const address = values.get("address");
    into.subscribers.push({
      ...common(values, at, into.notices, { username, mac: values.get("mac-address") }),
      ...(isAddress(address) && address !== "0.0.0.0" && { static_ip: address }),
      ...(values.has("email") && { email: values.get("email") ?? null }),
      package: packageFor(into, profile, quota === undefined ? {} : { data_quota_bytes: quota }, username),
      connection: "hotspot",
    });
  }
  return names;
}

/** Profiles by name, with the built-in ones even if not exported. */
function readProfiles(
  items: ReturnType<Items>,
  readTerms: (values: ReadonlyMap<string, string>) => Terms,
): ReadonlyMap<string, Profile> {
  const profiles = new Map<string, Profile>();
  for (const { at, item, values } of items) {
    const name = values.get("name") ?? (/default-encryption/.test(item) ? "default-encryption" : "default");
    profiles.set(name, { at, name, terms: readTerms(values) });
  }
  return profiles;
}

function findProfile(profiles: ReadonlyMap<string, Profile>, name: string, at: Origin): Profile {
  return profiles.get(name) ?? { at, name, terms: {} };
}

function pppTerms(values: ReadonlyMap<string, string>): Terms {
  const pool = values.get("remote-address");
  return {
    ...shared(values),
    ...(pool !== undefined && !isAddress(pool) && { framed_pool: pool }),
    ...(values.has("remote-ipv6-prefix-pool") && {
      framed_ipv6_pool: values.get("remote-ipv6-prefix-pool") ?? null,
    }),
    ...(values.has("dhcpv6-pd-pool") && { delegated_ipv6_pool: values.get("dhcpv6-pd-pool") ?? null }),
    ...(isYes(values.get("only-one")) && { simultaneous_use: 1 }),
  };
}

function hotspotTerms(values: ReadonlyMap<string, string>): Terms {
  const users = Number(values.get("shared-users") ?? 1);
  const pool = values.get("address-pool");
  return {
    ...shared(values),
    ...(pool !== undefined && pool !== "none" && { framed_pool: pool }),
    simultaneous_use: Number.isSafeInteger(users) && users > 0 ? Math.min(users, 1000) : 1000,
    ...mikhmonTerms(values.get("on-login")),
  };
}

function shared(values: ReadonlyMap<string, string>): Terms {
  const idle = parseSeconds(values.get("idle-timeout"));
  return {
    rate_limit: parseRateLimit(values.get("rate-limit")),
    ...(values.has("address-list") && { address_list: values.get("address-list") ?? null }),
    ...(idle !== undefined && idle > 0 && { idle_timeout: idle }),
  };
}

/** Mikhmon keeps terms in the script: `:put (",rem,5000,30d,7000,,Disable,")`. */
function mikhmonTerms(script: string | undefined): Terms {
  const validity = parseSeconds(/:put \(",\w*,[\d.]*,(\w+),/.exec(script ?? "")?.[1]);
  return validity === undefined || validity < 3600 ? {} : { duration: toPeriod(validity) };
}

/** Days if whole, else hours. */
export function toPeriod(seconds: number): { count: number; unit: "hour" | "day" } {
  return seconds % 86_400 === 0
    ? { count: seconds / 86_400, unit: "day" }
    : { count: Math.max(1, Math.round(seconds / 3600)), unit: "hour" };
}

function common(
  values: ReadonlyMap<string, string>,
  at: Origin,
  notices: Notices,
  { username, mac }: { username: string; mac: string | undefined },
) {
  const comment = values.get("comment")?.trim() ?? "";
  const password = values.get("password") ?? "";
  const device = mac === undefined ? undefined : parseMac(mac);
  if (mac !== undefined && mac !== "" && device === undefined)
    notices.add("term_left", at, username, `It could log in from ${mac} alone, which is no MAC address.`);
  const isMacLogin = parseMac(username) !== undefined && (password === "" || password === username);
  return {
    at,
    username,
    name: nameIn(comment),
    global_note: comment === "" ? null : comment,
    // a MAC login's password is its MAC too
    password: isMacLogin ? username : password === "" ? ({ lost: "none" } as const) : password,
    ...(device !== undefined && device !== "00:00:00:00:00:00" && { mac_address: device, macLock: true }),
    ...(isMacLogin && { mac_address: parseMac(username) ?? null, macLogin: true }),
    service: { expiresAt: null },
    enabled: !isYes(values.get("disabled")),
  };
}

function nameIn(comment: string): string | null {
  return /\p{L}{2}/u.test(comment) && comment.length <= 120 && !/[\r\n]|\d{4}[-/]|[-/]\d{4}/.test(comment)
    ? comment
    : null;
}

function tellLost(
  notices: Notices,
  at: Origin,
  username: string,
  values: ReadonlyMap<string, string>,
  names: readonly string[],
): void {
  const lost = names.flatMap((name) => {
    const value = values.get(name);
    return value === undefined || value === "" || value === "0" || value === "0s" ? [] : [`${name}=${value}`];
  });
  if (lost.length > 0)
    notices.add("term_left", at, username, `The router kept ${lost.join(", ")}, which no package here has.`);
}

/** The profile's package, or for further attributes another one, reported. */
function packageFor(
  { packages, notices }: Collected,
  { at, name, terms }: Profile,
  own: Terms,
  username: string,
): string {
  const extra = Object.entries(own).filter(([term, value]) => terms[term as keyof Terms] !== value);
  const needed = { ...terms, ...own };
  const plain = [name, ...extra.map(([term, value]) => `${term}=${value}`)].join(" ");
  // two routers may use a name differently
  const key = isOther(packages.get(plain), needed) ? `${plain} (${at.file})` : plain;
  if (packages.has(key)) return key;
  if (extra.length > 0)
    notices.add("package_made", at, username, `The profile ${name} with ${extra.map(termText).join(", ")}.`);
  const label = [...extra.map(termText), ...(key === plain ? [] : [at.file])].join(", ");
  packages.set(key, { at, key, name: label === "" ? name : `${name} (${label})`, price: null, ...needed });
  return key;
}

const identity = new Set(["at", "key", "name", "price"]);

function isOther(known: MovedPackage | undefined, needed: Terms): boolean {
  if (!known) return false;
  const terms = Object.entries(known).filter(([field]) => !identity.has(field));
  return !Bun.deepEquals(Object.fromEntries(terms), needed);
}

function termText([term, value]: [string, unknown]): string {
  return term === "data_quota_bytes" ? `${Number(value) / 1_000_000_000} GB` : `pool ${String(value)}`;
}
