import type { DualStack, Shaper } from "../nas/kinds.ts";
import type { ApiAccount } from "./api-account.ts";
import type { FastTrack } from "./garden/fast-track.ts";
import type { GardenProfile } from "./garden/profiles.ts";
import type { Item, Values } from "./values.ts";

export interface RouterScript {
  server: string;
  others?: readonly RadiusPlace[];
  secret: string;
  radsec: { readonly certificate: string; readonly port: number } | null;
  authPort: number;
  acctPort: number;
  coaPort: number;
  dhcp: boolean;
  interimInterval: number;
  /** Lists of expired subscribers. */
  expiredLists: readonly string[];
  /** Empty: the router. */
  resolvers: readonly string[];
  /** Absent in a script. */
  found?: Found;
  /** Walled garden and portal port; null without lists. */
  walled: { readonly address: string; readonly port: number; readonly portalPort: number | null } | null;
  api: ApiAccount | null;
  /** Also files, for exports. */
  apiFiles?: boolean;
  /** What queues of lines are to be; absent: as they are. */
  queues?: ChosenQueues;
  /** From where else we end and change its sessions, and use its API. */
  apiFrom?: readonly string[];
  hotspotName?: string | undefined;
}

/** What was chosen for queues of lines. */
export interface ChosenQueues {
  readonly shaper: Shaper;
  /** Its leases of DHCP, too. */
  readonly isForLeases: boolean;
  readonly dualStack: DualStack;
}

/** What the walled garden needs to know of a router. */
export interface Found {
  readonly ranges: readonly string[];
  readonly profiles: readonly GardenProfile[];
  readonly hasHotspot: boolean;
  /** FastTrack rules and their changes. */
  readonly fastTracks: readonly (Pick<FastTrack, "menu" | "rule"> & { readonly values: Values })[];
  readonly lineInterfaces: readonly string[];
  readonly ipv6: { readonly interfaces: readonly string[]; readonly prefixes: readonly string[] };
  /** What stays open. */
  readonly left: readonly Left[];
}

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

/** Parts of the script, in order. */
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

export interface DesiredRows {
  readonly kind: "rows";
  readonly part: ScriptPart;
  readonly menu: string;
  /** Identifies our rows. */
  readonly own: Values;
  readonly key: readonly string[];
  readonly rows: readonly Values[];
  /** Before foreign rules of the chain. */
  readonly first?: true;
  /** Takes over a foreign row with its key. */
  readonly adopts?: true;
  /** Unique name, so changed in place. */
  readonly isNamed?: true;
}

/** A record; `each`: every row. */
export interface DesiredRecord {
  readonly kind: "record" | "each";
  readonly part: ScriptPart;
  readonly menu: string;
  readonly values: Values;
  /** Only if that menu has rows. */
  readonly where?: string;
  /** Only where none of `unless` is set. */
  readonly filled?: { readonly name: string; readonly unless: readonly string[] };
}

/** Changes to foreign rows. */
export interface DesiredEdits {
  readonly kind: "edits";
  readonly part: ScriptPart;
  readonly menu: string;
  readonly edits: readonly { readonly rule: Item; readonly values: Values }[];
}

export type Desired = DesiredRows | DesiredRecord | DesiredEdits;
