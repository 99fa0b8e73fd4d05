import type { ViewOf } from "../../core/fields/fields.ts";
import type { NasKind } from "../../goods/nas/kinds.ts";
import type { termFields } from "../../goods/packages/fields.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Rows } from "./scratch.ts";

export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** Raw text, parsed by our rules later; absent and null: not stated. */
type Texts<N extends string> = { readonly [K in N]?: string | null };

type MovedTerms = { readonly [N in keyof typeof termFields]?: ViewOf<(typeof termFields)[N]> };

/** A package under import-format names. An unknown `price` is null: it comes with 0.00, and is reported. */
export interface MovedPackage extends MovedTerms {
  readonly at: Origin;
  /** Unique within an import. */
  readonly key: string;
  readonly name: string;
  readonly price: string | null;
  readonly billing_type?: "prepaid" | "postpaid";
  readonly duration?: { readonly count: number; readonly unit: "hour" | "day" | "month" };
  readonly enabled?: boolean;
}

export interface MovedRouter {
  readonly at: Origin;
  /** Unique within an import. */
  readonly key: string;
  readonly name: string;
  /** IP or CIDR; null: unknown, so it cannot come and is reported. */
  readonly address: string | null;
  readonly secret: string | null;
  /** Only for a new router. */
  readonly kind?: NasKind | undefined;
}

/** Why a password is lost. */
export type PasswordLoss = "hashed" | "none" | "nt_only";

/** The service of a line that is moved. */
export interface MovedService {
  readonly expiresAt: Seconds | null;
  /** Bytes of the current period. */
  readonly quotaUsed?: number;
}

export interface MovedSubscriber extends Texts<
  | "name"
  | "nic_number"
  | "mobile_number"
  | "phone_number"
  | "email"
  | "address"
  | "latitude"
  | "longitude"
  | "box_number"
  | "box_address"
  | "uplink_port"
  | "static_ip"
  | "framed_ipv6_prefix"
  | "delegated_ipv6_prefix"
  | "mac_address"
  | "global_note"
  // by name; created if missing
  | "branch"
  | "city"
  | "area"
  | "subarea"
  // by staff username; unknown ones are reported
  | "salesperson"
> {
  readonly at: Origin;
  readonly username: string;
  readonly password: string | { readonly lost: PasswordLoss };
  /** A MovedPackage's key; null: none. */
  readonly package: string | null;
  readonly router?: string | null;
  /** null: not stated. */
  readonly connection: "ppp" | "hotspot" | null;
  readonly service: MovedService | null;
  /** null: all are disabled there, as during a migration: new ones come disabled, others stay. */
  readonly enabled: boolean | null;
  /** Bound to `mac_address`. */
  readonly macLock?: boolean;
  /** Whether the MAC address is its username. */
  readonly macLogin?: boolean;
  readonly autoRenew?: boolean;
  readonly createdAt?: Seconds | null;
  readonly balance?: string | null;
  /** Up is from the subscriber. */
  readonly usage?: readonly { readonly month: string; readonly up: number; readonly down: number }[];
  /** Foreign entries without money. */
  readonly history?: readonly { readonly at: Seconds; readonly text: string }[];
}

export interface MovedSession {
  readonly at: Origin;
  readonly username: string;
  readonly nasAddress: string;
  readonly acctSessionId: string;
  readonly startedAt: Seconds;
  readonly updatedAt: Seconds;
  readonly sessionTime: number;
  readonly inputOctets: number;
  readonly outputOctets: number;
  readonly framedIp: string | null;
  readonly mac: string | null;
  readonly nasPortId: string | null;
  readonly calledStationId: string | null;
}

export interface MovedVoucher {
  readonly at: Origin;
  readonly code: string;
  /** `access` is username and password; `package` and `refill` are redeemed. */
  readonly kind: "access" | "package" | "refill";
  /** null: unknown, or a refill. */
  readonly package: string | null;
  readonly price: string | null;
  /** null: unnamed. */
  readonly batch: string | null;
  /** Unused, it expires then. */
  readonly endsAt?: Seconds | null;
  /** Absent: a period of its package. */
  readonly validity?: { readonly count: number; readonly unit: "hour" | "day" } | null;
  /** Seconds online; absent: unlimited. */
  readonly uptimeSeconds?: number | null;
}

/** One source's data for one ISP. */
export interface Moved {
  readonly packages: readonly MovedPackage[];
  readonly routers: readonly MovedRouter[];
  readonly subscribers: Rows<MovedSubscriber>;
  readonly sessions: Rows<MovedSession>;
  readonly vouchers: Rows<MovedVoucher>;
  readonly spentCodes?: Rows<{ readonly at: Origin; readonly code: string }>;
  /** Commands or steps at the old system. */
  readonly afterwards: readonly string[];
  /** What has to be decided first; absent: nothing. */
  readonly undecided?: string;
}
