import type { ViewOf } from "../../core/fields/fields.ts";
import type { NasKind } from "../../goods/nas/kinds.ts";
import type { termFields } from "../../goods/packages/fields.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Rows } from "./scratch.ts";

/** Where something was read: `line` counts from 1. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** Text of the source as the fields of ours take it, which are read by their own rules later; absent and null: it does not say. */
type Texts<N extends string> = { readonly [K in N]?: string | null };

type MovedTerms = { readonly [N in keyof typeof termFields]?: ViewOf<(typeof termFields)[N]> };

/**
 * What of a package the source says, under the names of the import format and in its values. A `price` that is not known is null:
 * the package comes with 0.00, and is told.
 */
export interface MovedPackage extends MovedTerms {
  readonly at: Origin;
  /** What subscribers name it by, unique among the packages of one move. */
  readonly key: string;
  readonly name: string;
  /** Amount as text, "15.00". */
  readonly price: string | null;
  readonly billing_type?: "prepaid" | "postpaid";
  /** How long one period is; absent: not known, a month. */
  readonly duration?: { readonly count: number; readonly unit: "hour" | "day" | "month" };
  /** false: sold no more. */
  readonly enabled?: boolean;
}

export interface MovedRouter {
  readonly at: Origin;
  /** What subscribers and sessions name it by; unique among the routers of one move. */
  readonly key: string;
  readonly name: string;
  /** An IP address or a CIDR; null: the source does not say, so that it cannot come and is told. */
  readonly address: string | null;
  readonly secret: string | null;
  /** Where the source says it in words that are ours too; then a router that is made has it. */
  readonly kind?: NasKind | undefined;
}

/** Why a subscriber has no password that can be taken over. */
export type PasswordLoss = "hashed" | "none" | "nt_only";

/** Of the line: when its time ends. */
export interface MovedService {
  /** null: the source knows no end, so that it is set and told. */
  readonly expiresAt: Seconds | null;
  /** Bytes used of the quota of the running period. */
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
  // by name; what is not there yet is made
  | "branch"
  | "city"
  | "area"
  | "subarea"
  // by the username of an account of staff that is there; others are told
  | "salesperson"
> {
  readonly at: Origin;
  readonly username: string;
  readonly password: string | { readonly lost: PasswordLoss };
  /** The key of its MovedPackage; null: the source names none. */
  readonly package: string | null;
  /** The key of its MovedRouter; null or absent: any. */
  readonly router?: string | null;
  /** As what it logs in; null: the source does not say. */
  readonly connection: "ppp" | "hotspot" | null;
  /** null: without a service. */
  readonly service: MovedService | null;
  /** null: all are switched off there, as on the night of a move: who is new comes disabled, others stay as they are. */
  readonly enabled: boolean | null;
  /** Whether it may log in from `mac_address` alone. */
  readonly macLock?: boolean;
  /** Whether its MAC address is the name that it logs in with. */
  readonly macLogin?: boolean;
  readonly autoRenew?: boolean;
  readonly createdAt?: Seconds | null;
  /** Amount as text, "-12.50": what the wallet holds. */
  readonly balance?: string | null;
  /** Bytes by local month "2026-11": up is what the subscriber sent. */
  readonly usage?: readonly { readonly month: string; readonly up: number; readonly down: number }[];
  /** What was booked there, which moves no money here; a line for each. */
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
  /** As it stands on paper. */
  readonly code: string;
  /** `access`: it is name and password of whoever has it; `package` and `refill`: a subscriber enters it, for a package or for money. */
  readonly kind: "access" | "package" | "refill";
  /** The key of its MovedPackage; null: the source does not know it, or it is a refill. */
  readonly package: string | null;
  /** Amount as text; null: that of its package. */
  readonly price: string | null;
  /** What those that were made with it are called; null: nothing. */
  readonly batch: string | null;
  /** After which it opens nothing, if nobody used it until then. */
  readonly endsAt?: Seconds | null;
  /** How long it lasts from its first use; absent: a period of its package. */
  readonly validity?: { readonly count: number; readonly unit: "hour" | "day" } | null;
  /** Time online that it gives; absent: any. */
  readonly uptimeSeconds?: number | null;
}

/** All that one source gives of one ISP. */
export interface Moved {
  readonly packages: readonly MovedPackage[];
  readonly routers: readonly MovedRouter[];
  readonly subscribers: Rows<MovedSubscriber>;
  readonly sessions: Rows<MovedSession>;
  readonly vouchers: Rows<MovedVoucher>;
  /** Codes that were used there: cards that came of them earlier are worth nothing any more. */
  readonly spentCodes?: Rows<{ readonly at: Origin; readonly code: string }>;
  /** Commands or steps at the old system, for the evening of the move; empty: none. */
  readonly afterwards: readonly string[];
  /** What has to be said before anybody is brought in, and how; absent: nothing. */
  readonly undecided?: string;
}
