import type { DualStack } from "../../goods/nas/kinds.ts";
import type { Change } from "../../goods/router-setup/plan.ts";

type None = Readonly<Record<never, never>>;

/** Owner of a name or device: a username or a card's number. */
export interface Whose {
  readonly of: "subscriber" | "card";
  readonly who: string;
}

/** Kinds of findings and the values of their texts. */
export interface WatchValues {
  // RADIUS servers
  readonly radius_missing: { readonly address: string };
  readonly radius_changed: { readonly address: string; readonly properties: string };
  readonly radius_order: { readonly first: string };
  readonly radius_unsigned: { readonly address: string };
  readonly radius_secret: { readonly address: string };
  readonly incoming: None;
  readonly incoming_firewall: None;

  // what uses RADIUS
  readonly lines_ask: None;
  readonly lines_report: None;
  readonly hotspot_ask: { readonly profile: string };
  readonly hotspot_report: { readonly profile: string };
  readonly interim_missing: { readonly silent: number; readonly sessions: number };
  readonly ipv6_accounting: None;
  readonly ghosts: { readonly server: string };
  /** Lines with the full rate twice; whether the DHCP servers could share one queue. */
  readonly two_queues: { readonly lines: number; readonly mayShare: boolean };
  readonly dual_stack: { readonly desired: Exclude<DualStack, "whole">; readonly servers: number };

  // logins that bypass RADIUS
  readonly ppp_name: Whose & { readonly name: string };
  readonly hotspot_name: Whose & { readonly name: string };
  readonly user_manager_name: Whose & { readonly name: string };
  readonly bypassed: Whose & { readonly mac: string };

  // traffic that bypasses rates and rules
  readonly fasttrack: { readonly rule: string };
  readonly garden_rules: { readonly rules: number };
  readonly garden_opened: { readonly rule: string };
  /** An interface, or the profile of a server. */
  readonly ipv6_free: { readonly where: string; readonly isProfile?: true };
  readonly hardware_path: { readonly switch: string };
  readonly tracking_off: None;
  readonly notrack: { readonly rule: string };

  // the router itself
  readonly hotspot_forbidden: None;
  readonly flagged: None;
  /** Seconds ahead of our clock; negative: behind. */
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

/** Severity: errors cost money, or break lines. */
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

/** A kind and its values, for its text. */
export type AboutRouter<K extends WatchKind = WatchKind> = {
  [P in K]: { readonly kind: P; readonly values: WatchValues[P] };
}[K];

export type Found = AboutRouter & {
  /** Distinguishes findings of a kind. */
  readonly key: string;
  /** Changes when the finding does; without counters. */
  readonly state: string;
  /** Fix by the API; empty: none. */
  readonly fix: readonly Change[];
  /** Manual fix where the API cannot. */
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
  const about = { kind, values } as unknown as AboutRouter;
  return { ...about, key, state, fix, ...(commands && { commands }) };
}
