import type { DualStack } from "../../goods/nas/kinds.ts";
import type { Change } from "../../goods/router-setup/plan.ts";

/** Nothing beside that it is so. */
type None = Readonly<Record<never, never>>;

/** Whose a name or a device is: a subscriber's username, or the number of a card. */
export interface Whose {
  readonly of: "subscriber" | "card";
  readonly who: string;
}

/** Every kind of thing that is not as it should be at a router, with what a sentence about it says. */
export interface WatchValues {
  // where it asks
  readonly radius_missing: { readonly address: string };
  readonly radius_changed: { readonly address: string; readonly properties: string };
  readonly radius_order: { readonly first: string };
  readonly radius_unsigned: { readonly address: string };
  readonly radius_secret: { readonly address: string };
  readonly incoming: None;
  readonly incoming_firewall: None;

  // what asks
  readonly lines_ask: None;
  readonly lines_report: None;
  readonly hotspot_ask: { readonly profile: string };
  readonly hotspot_report: { readonly profile: string };
  readonly interim_missing: { readonly silent: number; readonly sessions: number };
  readonly ipv6_accounting: None;
  readonly ghosts: { readonly server: string };
  /** Lines that have the whole rate twice; whether its servers let those share one queue that can. */
  readonly two_queues: { readonly lines: number; readonly mayShare: boolean };
  readonly dual_stack: { readonly desired: Exclude<DualStack, "whole">; readonly servers: number };

  // who is let in without us
  readonly ppp_name: Whose & { readonly name: string };
  readonly hotspot_name: Whose & { readonly name: string };
  readonly user_manager_name: Whose & { readonly name: string };
  readonly bypassed: Whose & { readonly mac: string };

  // what goes past the rate and the rules
  readonly fasttrack: { readonly rule: string };
  readonly garden_rules: { readonly rules: number };
  readonly garden_opened: { readonly rule: string };
  /** An interface, or the profile of a server. */
  readonly ipv6_free: { readonly where: string };
  readonly hardware_path: { readonly switch: string };
  readonly tracking_off: None;
  readonly notrack: { readonly rule: string };

  // the router itself
  readonly hotspot_forbidden: None;
  readonly flagged: None;
  /** Seconds, ahead of ours where more than none. */
  readonly clock_off: { readonly ahead: number };
  readonly no_ntp: None;
  readonly version_old: { readonly version: string; readonly least: string };
  readonly version_hole: {
    readonly version: string;
    readonly hole: string;
    readonly mended: string;
    readonly address: string;
  };
  readonly config_unkept: { readonly days: number };
  readonly api_open: { readonly service: string };
}
export type WatchKind = keyof WatchValues;
export type WatchLevel = "error" | "warning";

/** How bad each is: an error is money that is lost, or a line that does not work. */
export const watchLevels: Readonly<Record<WatchKind, WatchLevel>> = {
  radius_missing: "error",
  radius_changed: "error",
  radius_order: "error",
  radius_unsigned: "error",
  radius_secret: "error",
  incoming: "error",
  incoming_firewall: "error",
  lines_ask: "error",
  lines_report: "error",
  hotspot_ask: "error",
  hotspot_report: "error",
  interim_missing: "error",
  ipv6_accounting: "warning",
  ghosts: "warning",
  two_queues: "warning",
  dual_stack: "error",
  ppp_name: "error",
  hotspot_name: "error",
  user_manager_name: "error",
  bypassed: "error",
  fasttrack: "error",
  garden_rules: "error",
  garden_opened: "error",
  ipv6_free: "error",
  hardware_path: "error",
  tracking_off: "error",
  notrack: "error",
  hotspot_forbidden: "error",
  flagged: "error",
  clock_off: "warning",
  no_ntp: "warning",
  version_old: "warning",
  version_hole: "warning",
  config_unkept: "warning",
  api_open: "warning",
};

export function isWatchKind(kind: string): kind is WatchKind {
  return Object.hasOwn(watchLevels, kind);
}

/** A kind and its values, for who says it in words. */
export type AboutRouter<K extends WatchKind = WatchKind> = {
  [P in K]: { readonly kind: P; readonly values: WatchValues[P] };
}[K];

export type Found = AboutRouter & {
  /** Tells it from others of its kind. */
  readonly key: string;
  /** Another text once what is there has changed; of what a look counts, nothing. */
  readonly state: string;
  /** What mends it by the API; empty: nothing that the API can do. */
  readonly fix: readonly Change[];
  /** What somebody types at the router where the API cannot mend it. */
  readonly commands?: readonly string[];
};

interface Rest {
  readonly key?: string;
  readonly state?: string;
  readonly fix?: readonly Change[];
  readonly commands?: readonly string[];
}

export function found<K extends WatchKind>(kind: K, values: WatchValues[K], rest: Rest = {}): Found {
  const { key = "", state = JSON.stringify(values), fix = [], commands } = rest;
  // of one kind, as the parameters say
  const about = { kind, values } as unknown as AboutRouter;
  return { ...about, key, state, fix, ...(commands && { commands }) };
}
