import { parseMac } from "../../../../core/fields/text.ts";
import type { MovedPackage, MovedRouter, MovedService, MovedSubscriber, Origin } from "../../model.ts";
import type { Notices } from "../../notices.ts";
import type { Seconds } from "../../../../core/time/time.ts";
import type { ExportItem } from "./export.ts";
import { isAddress, isYes, parseBits, parseBytes, parseSeconds } from "./values.ts";
import { toPeriod } from "./local-users.ts";

type Items = (menu: string) => readonly ExportItem[];
type Values = ReadonlyMap<string, string>;

/** A profile of a user, from `/rest/user-manager/user-profile`. */
export interface HeldProfile {
  readonly user: string;
  readonly profile: string;
  readonly state: string;
  /** null: none, or not started. */
  readonly endsAt: Seconds | null;
}

interface Into {
  readonly packages: Map<string, MovedPackage>;
  readonly subscribers: MovedSubscriber[];
  readonly routers: MovedRouter[];
  readonly notices: Notices;
}

/** `held` null: no file of user-profiles. */
export function readUserManager(items: Items, held: readonly HeldProfile[] | null, into: Into): number {
  for (const { at, values } of items("user-manager router")) {
    const name = values.get("name") ?? values.get("address") ?? "";
    const { address = null, "shared-secret": secret = null } = Object.fromEntries(values);
    if (address !== null) into.routers.push({ at, key: `router ${address}`, name, address, secret });
  }
  const profiles = readProfiles(items, into);
  const groups = new Map(
    items("user-manager user group").map(({ values }) => [values.get("name") ?? "", values]),
  );
  const assigned = assignedTo(items, held);
  let users = 0;
  for (const { at, values, command } of items("user-manager user")) {
    const username = values.get("name");
    if (command !== "add" || username === undefined) continue;
    users++;
    const own = assigned.get(username) ?? [];
    const current = pickCurrent(own);
    if (own.length > 1 && current)
      into.notices.add(
        "note",
        at,
        username,
        `It has ${own.length} profiles; ${current.profile} is the one that came.`,
      );
    into.subscribers.push(
      toSubscriber(
        { at, username, values, group: groups.get(values.get("group") ?? "default") },
        into.notices,
        {
          package: current ? findOrAddPackage(current.profile, profiles, values, into) : null,
          service: current ? toService(current, held !== null, at, username, into.notices) : null,
        },
      ),
    );
  }
  if (users > 0 && held === null)
    into.notices.add(
      "note",
      null,
      "User Manager",
      "Ends and states of profiles are not in an export. Fetch them beside it and give both files: curl -u admin https://ROUTER/rest/user-manager/user-profile > user-profile.json",
    );
  return users;
}

/** Unused profiles come too, because they are on sale. */
function readProfiles(items: Items, { packages, notices }: Into): ReadonlyMap<string, MovedPackage> {
  const limitations = new Map(
    items("user-manager limitation").map((item) => [item.values.get("name") ?? "", item]),
  );
  const ofProfile = Map.groupBy(
    items("user-manager profile-limitation"),
    ({ values }) => values.get("profile") ?? "",
  );
  const profiles = new Map<string, MovedPackage>();
  for (const { at, values, command } of items("user-manager profile")) {
    const name = values.get("name");
    if (command !== "add" || name === undefined) continue;
    const limits = ofProfile.get(name) ?? [];
    if (limits.length > 1 || limits.some(({ values: when }) => isPartial(when)))
      notices.add(
        "term_left",
        at,
        name,
        "It has limits for some hours or days alone, or several; the first one counts.",
      );
    const limitation = limitations.get(limits[0]?.values.get("limitation") ?? "")?.values;
    const validity = parseSeconds(values.get("validity"));
    const users = Number(values.get("override-shared-users"));
    const made: MovedPackage = {
      at,
      key: `profile ${name}`,
      name: values.get("name-for-users") || name,
      price: /^\d+(\.\d+)?$/.test(values.get("price") ?? "") ? (values.get("price") ?? null) : null,
      ...(validity !== undefined && validity >= 3600 && { duration: toPeriod(validity) }),
      ...(limitation && readTerms(name, limitation, at, notices)),
      ...(Number.isSafeInteger(users) && users > 0 && { simultaneous_use: Math.min(users, 1000) }),
    };
    if (validity === undefined)
      notices.add(
        "note",
        at,
        name,
        "The profile is valid without end; its period here is a month until you set another.",
      );
    profiles.set(name, made);
    packages.set(made.key, made);
  }
  return profiles;
}

function isPartial(when: Values): boolean {
  const [from = "00:00:00", till = "23:59:59"] = [when.get("from-time"), when.get("till-time")].map(
    (time) => time?.replace(/^0s$/, "00:00:00").replace("23h59m59s", "23:59:59") ?? undefined,
  );
  const days = when.get("weekdays")?.split(",").length ?? 7;
  return from !== "00:00:00" || till !== "23:59:59" || days < 7;
}

function readTerms(profile: string, limitation: Values, at: Origin, notices: Notices) {
  const quota = parseBytes(limitation.get("transfer-limit"));
  for (const name of ["download-limit", "upload-limit", "uptime-limit"]) {
    const value = limitation.get(name);
    if (parseBytes(value) !== undefined || (parseSeconds(value) ?? 0) > 0)
      notices.add(
        "term_left",
        at,
        profile,
        `Its limitation has ${name}=${value}, which no package here has.`,
      );
  }
  const rate = readRate(limitation);
  return {
    ...(rate !== undefined && { rate_limit: rate }),
    ...(quota !== undefined && { data_quota_bytes: quota }),
  };
}

/** rx is what the router receives; each part needs those before it. */
function readRate(limitation: Values): string | undefined {
  const pair = (name: string) => {
    const [rx, tx] = ["rx", "tx"].map((side) => parseBits(limitation.get(`rate-limit-${name}${side}`)));
    return rx === undefined && tx === undefined ? undefined : `${rx ?? "0"}/${tx ?? "0"}`;
  };
  const time = (side: string) => parseSeconds(limitation.get(`rate-limit-burst-time-${side}`)) ?? 0;
  const rate = pair("");
  if (rate === undefined) return undefined;
  const burst = pair("burst-");
  const minimum = pair("min-");
  const priority = limitation.get("rate-limit-priority");
  if (burst === undefined && minimum === undefined && (priority === undefined || priority === "0"))
    return rate;
  const parts = [rate, burst ?? rate, pair("burst-threshold-") ?? rate, `${time("rx")}/${time("tx")}`];
  if (minimum !== undefined || (priority !== undefined && priority !== "0")) parts.push(priority || "8");
  if (minimum !== undefined) parts.push(minimum);
  return parts.join(" ");
}

/** Assigned profiles from the REST file, else from the export, which has no ends. */
function assignedTo(
  items: Items,
  held: readonly HeldProfile[] | null,
): ReadonlyMap<string, readonly HeldProfile[]> {
  const all =
    held ??
    items("user-manager user-profile").map(({ values }) => ({
      user: values.get("user") ?? "",
      profile: values.get("profile") ?? "",
      state: "",
      endsAt: null,
    }));
  return Map.groupBy(all, ({ user }) => user);
}

/** The running one, else the waiting, else the last. */
function pickCurrent(own: readonly HeldProfile[]): HeldProfile | undefined {
  return (
    own.find(({ state }) => state.startsWith("running")) ??
    own.find(({ state }) => state === "waiting") ??
    own.toSorted((a, b) => (b.endsAt ?? 0) - (a.endsAt ?? 0))[0]
  );
}

function toService(
  { state, endsAt }: HeldProfile,
  isKnown: boolean,
  at: Origin,
  username: string,
  notices: Notices,
): MovedService | null {
  if (isKnown && state === "waiting") {
    notices.add("no_service", at, username, "Its profile has not begun: activate it when it is to begin.");
    return null;
  }
  return { expiresAt: endsAt };
}

interface User {
  readonly at: Origin;
  readonly username: string;
  readonly values: Values;
  readonly group: Values | undefined;
}

function toSubscriber(
  { at, username, values, group }: User,
  notices: Notices,
  line: Pick<MovedSubscriber, "package" | "service">,
): MovedSubscriber {
  const comment = values.get("comment")?.trim() ?? "";
  const password = values.get("password") ?? "";
  const caller = values.get("caller-id") ?? "";
  const device = caller === "bind" ? undefined : parseMac(caller);
  if (caller !== "" && caller !== "bind" && device === undefined)
    notices.add("term_left", at, username, `It could log in from ${caller} alone, which is no MAC address.`);
  const attributes = new Map([...parseAttributes(group), ...parseAttributes(values)]);
  const isMacLogin = parseMac(username) !== undefined && (password === "" || password === username);
  const address = attributes.get("framed-ip-address");
  for (const [name, value] of attributes)
    if (!known.has(name)) notices.add("term_left", at, username, `Routers were told ${name}: ${value}.`);
  return {
    at,
    username,
    name: /\p{L}{2}/u.test(comment) && comment.length <= 120 ? comment : null,
    global_note: comment === "" ? null : comment,
    password: isMacLogin ? username : password === "" ? { lost: "none" } : password,
    ...(isAddress(address) && { static_ip: address }),
    ...(attributes.has("delegated-ipv6-prefix") && {
      delegated_ipv6_prefix: attributes.get("delegated-ipv6-prefix") ?? null,
    }),
    ...(device !== undefined && { mac_address: device, macLock: true }),
    ...(parseMac(username) !== undefined &&
      (password === "" || password === username) && {
        mac_address: parseMac(username) ?? null,
        macLogin: true,
      }),
    connection: null,
    enabled: !isYes(values.get("disabled")),
    ...line,
  };
}

const known = new Set(["framed-ip-address", "delegated-ipv6-prefix", "mikrotik-rate-limit", "framed-pool"]);

/** `Framed-IP-Address:10.0.0.5,Mikrotik-Rate-Limit:5M/5M`, names in lower case. */
function parseAttributes(values: Values | undefined): [string, string][] {
  const parts = (values?.get("attributes") ?? "").split(",");
  return parts.flatMap((part) => {
    const colon = part.indexOf(":");
    return colon < 1
      ? []
      : [[part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim()] as const];
  }) as [string, string][];
}

function findOrAddPackage(
  profile: string,
  profiles: ReadonlyMap<string, MovedPackage>,
  values: Values,
  { packages, notices }: Into,
): string | null {
  const base = profiles.get(profile);
  if (!base) return null;
  const attributes = new Map(parseAttributes(values));
  const rate = attributes.get("mikrotik-rate-limit");
  const pool = attributes.get("framed-pool");
  const users = Number(values.get("shared-users") ?? 1);
  const own = {
    ...(rate !== undefined && rate !== base.rate_limit && { rate_limit: rate }),
    ...(pool !== undefined && { framed_pool: pool }),
    ...(base.simultaneous_use === undefined && users > 1 && { simultaneous_use: Math.min(users, 1000) }),
  };
  const extra = Object.values(own).map(String);
  if (extra.length === 0) return base.key;
  const key = [base.key, ...extra].join(" ");
  if (!packages.has(key)) {
    notices.add("package_made", base.at, base.name, `${base.name} with ${extra.join(", ")} of a user's own.`);
    packages.set(key, { ...base, ...own, key, name: `${base.name} (${extra.join(", ")})` });
  }
  return key;
}
