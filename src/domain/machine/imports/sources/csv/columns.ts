/** `people`: customers whose lines are in another file. */
export type TableKind = "subscribers" | "people" | "packages" | "routers";

const subscriberTargets = [
  "username",
  "password",
  "name",
  "first_name",
  "last_name",
  "nic_number",
  "mobile_number",
  "phone_number",
  "email",
  "address",
  "city",
  "area",
  "subarea",
  "branch",
  "package",
  "package_price",
  "rate_limit",
  "download",
  "upload",
  "expires_at",
  "status",
  "disabled",
  "connection",
  "router",
  "static_ip",
  "mac_address",
  "mac_lock",
  "balance",
  "auto_renew",
  "salesperson",
  "global_note",
  "box_number",
  "box_address",
  "uplink_port",
  "coordinates",
  "latitude",
  "longitude",
  "framed_ipv6_prefix",
  "delegated_ipv6_prefix",
  "quota_used",
  "created_at",
  "customer",
] as const;

const packageTargets = [
  "key",
  "name",
  "price",
  "rate_limit",
  "download",
  "upload",
  "duration",
  "duration_unit",
  "data_quota",
  "billing_type",
  "simultaneous_use",
  "framed_pool",
  "address_list",
  "status",
] as const;

const routerTargets = ["key", "name", "address", "secret"] as const;

export type SubscriberTarget = (typeof subscriberTargets)[number];
export type PackageTarget = (typeof packageTargets)[number];
export type RouterTarget = (typeof routerTargets)[number];
export type Target = SubscriberTarget | PackageTarget | RouterTarget;

export const targetsByKind: Readonly<Record<TableKind, readonly Target[]>> = {
  subscribers: subscriberTargets,
  people: subscriberTargets,
  packages: packageTargets,
  routers: routerTargets,
};

/** Why a column has its target: the map, its header, a part of it, its values, or nothing. */
export type Confidence = "given" | "sure" | "likely" | "perhaps" | "none";

export interface ColumnLook {
  readonly header: string;
  readonly target: Target | null;
  readonly confidence: Confidence;
  readonly samples: readonly string[];
}

/** Targets of several columns, concatenated. */
export const joined: ReadonlySet<Target> = new Set<Target>(["address", "global_note"]);

/** The header normalized: lower case, no accents and punctuation; `userName` and `User_Name` are equal. */
export function plainHeader(header: string): string {
  return header
    .replace(/(\p{Ll})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("\u0131", "i")
    .replaceAll("ß", "ss")
    .replace(/(?<=\p{Script=Latin})\p{M}+|(?<=е)\u0308/gu, "")
    .replace(/[^\p{L}\p{N}\p{M}#№%]+/gu, " ")
    .trim();
}
