import type { ApiAccount } from "./api-account.ts";
import type { FastTrack } from "./garden/fast-track.ts";
import type { GardenProfile } from "./garden/profiles.ts";
import type { Item, Values } from "./values.ts";

/** What the settings of a router are made from. */
export interface RouterScript {
  server: string;
  /** More that the router asks when that does not answer, in this order. */
  others?: readonly RadiusPlace[];
  secret: string;
  /** The certificate that it has imported for RadSec; null: it asks over UDP. */
  radsec: { readonly certificate: string; readonly port: number } | null;
  authPort: number;
  acctPort: number;
  coaPort: number;
  /** Whether its DHCP servers ask too: which of them is theirs to say (`use-radius`). */
  dhcp: boolean;
  interimInterval: number;
  /** Address lists of expired subscribers, ours for pools among them: they see the walled garden and nothing else. */
  expiredLists: readonly string[];
  /** Whom they ask for names, whatever they want to ask; empty: the router itself. */
  resolvers: readonly string[];
  /** What a set-up found there, and a script does not know. */
  found?: Found;
  /** Where they are sent, and the port of the portal that they may reach beside it; null where there are no such lists. */
  walled: { readonly address: string; readonly port: number; readonly portalPort: number | null } | null;
  api: ApiAccount | null;
  /** Whether that account may use files, too, which some routers want before they export their configuration. */
  apiFiles?: boolean;
  /** From where else we end and change its sessions, and use its API. */
  apiFrom?: readonly string[];
  /** The name under which its hotspots show their pages; undefined leaves what they have. */
  hotspotName?: string | undefined;
}

/** What the walled garden needs to know of a router. */
export interface Found {
  /** Addresses of the pools that expired subscribers are put into without a list. */
  readonly ranges: readonly string[];
  readonly profiles: readonly GardenProfile[];
  readonly hasHotspot: boolean;
  /** Rules of FastTrack, and what becomes of them. */
  readonly fastTracks: readonly (Pick<FastTrack, "menu" | "rule"> & { readonly values: Values })[];
  /** On which lines hang that do not dial in, where FastTrack is kept from them by these. */
  readonly lineInterfaces: readonly string[];
  /** On which IPv6 passes from these prefixes alone. */
  readonly ipv6: { readonly interfaces: readonly string[]; readonly prefixes: readonly string[] };
  /** What stays open. */
  readonly left: readonly Left[];
}

/** What stays as it is, and why somebody may want to know. */
export interface Left {
  readonly part: ScriptPart;
  readonly reason:
    | "same"
    | "others_first"
    | "no_hotspot"
    | "no_menu"
    | "version"
    | "has_clock"
    | "fasttrack_left"
    | "fasttrack_price"
    | "pool_missing"
    | "profile_unsure"
    | "ipv6_open"
    | "unseen"
    | "changed_since"
    | "in_use"
    | "no_shaper"
    | "two_queues";
  readonly what: string;
}

export type RadiusPlace = Pick<RouterScript, "server" | "authPort" | "acctPort">;

/** What a router is told, in the order in which it is told it. */
export type ScriptPart =
  | "radius"
  | "incoming"
  | "lines"
  | "policies"
  | "firewall"
  | "hotspot"
  | "walled"
  | "api"
  | "clock"
  | "queues";

export interface ScriptSection {
  readonly part: ScriptPart;
  readonly commands: readonly string[];
}

/** Rows that are ours. */
export interface DesiredRows {
  readonly kind: "rows";
  readonly part: ScriptPart;
  readonly menu: string;
  /** What ours are found by; each of them has it. */
  readonly own: Values;
  readonly key: readonly string[];
  readonly rows: readonly Values[];
  /** They stand before all rules of others in their chain. */
  readonly first?: true;
  /** A row that somebody made under the same key is taken for ours. */
  readonly adopts?: true;
  /** There is one of its name at the most, so it is changed where it stands. */
  readonly isNamed?: true;
}

/** A menu that is one record (`each`: every row of it), of which some properties are set. */
export interface DesiredRecord {
  readonly kind: "record" | "each";
  readonly part: ScriptPart;
  readonly menu: string;
  readonly values: Values;
  /** Only where a menu has rows: nobody changes hotspots where there are none. */
  readonly where?: string;
  /** A property that is only set where none of these (in any version) says something. */
  readonly filled?: { readonly name: string; readonly unless: readonly string[] };
}

/** Rows of somebody of which some properties are set. */
export interface DesiredEdits {
  readonly kind: "edits";
  readonly part: ScriptPart;
  readonly menu: string;
  readonly edits: readonly { readonly rule: Item; readonly values: Values }[];
}

export type Desired = DesiredRows | DesiredRecord | DesiredEdits;
