import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { cardBatches, cards, nas, services, sessions, settings, subscribers } from "../../../db/schema.ts";
import { termKeys } from "../activation/service.ts";

type KeyOf<T extends SQLiteTable> = keyof T["$inferSelect"] & string;

/** Which columns of a table access boxes are told, by the keys of the schema: what a login is decided from, and no more of a person. */
export interface Told<T extends SQLiteTable = SQLiteTable> {
  readonly table: T;
  readonly keys: readonly KeyOf<T>[];
  /** Of `keys`: sealed in the store; a record has it in clear, and is sealed as a whole. */
  readonly sealed: readonly KeyOf<T>[];
}

/** Bytes, which a record has as base64; what else is sealed is text. */
export const bytesOf: ReadonlySet<string> = new Set(["ntHashSealed", "class"]);

const told = <T extends SQLiteTable>(table: T, keys: readonly KeyOf<T>[], sealed: readonly KeyOf<T>[] = []) =>
  ({ table, keys: [...keys, ...sealed], sealed }) satisfies Told<T>;

export const toldTables = {
  subscriber: told(
    subscribers,
    [
      "id",
      "ispId",
      "branchId",
      "packageId",
      "username",
      "usernameKey",
      "connectionTypeId",
      "anyConnection",
      "staticIp",
      "framedIpv6Prefix",
      "delegatedIpv6Prefix",
      "macAddress",
      "macLock",
      "macLogin",
      "circuitId",
      "remoteId",
      "poolIp",
      "poolPrefix",
      "status",
      "replyAttributes",
    ],
    ["passwordSealed"],
  ),
  service: told(
    services,
    [
      "subscriberId",
      "packageId",
      "expiresAt",
      "activatedAt",
      "quotaUsed",
      "quotaCrossedAt",
      "frozenAt",
      "windowStart",
      "extraBytes",
      "rollingBytes",
      "freeBytes",
      ...termKeys,
    ],
    ["passwordSealed", "ntHashSealed"],
  ),
  card: told(
    cards,
    [
      "id",
      "batchId",
      "serial",
      "state",
      "firstUsedAt",
      "endsAt",
      "usedSeconds",
      "usedOctets",
      "usedUpAt",
      "lockedMac",
    ],
    ["codeSealed"],
  ),
  /** Its money, its people and its note stay with the books. */
  batch: told(cardBatches, [
    "id",
    "ispId",
    "branchId",
    "kind",
    "packageId",
    "quantity",
    "prefix",
    "length",
    "alphabet",
    "needsSale",
    "sellBy",
    "useBy",
    "duration",
    "durationUnit",
    "uptimeSeconds",
    "quotaTotal",
    "rateLimit",
    "quotaExceeded",
    "framedPool",
    "framedIpv6Pool",
    "delegatedIpv6Pool",
    "addressList",
    "expiredPool",
    "expiredAddressList",
    "simultaneousUse",
    "idleTimeout",
    "lockFirstDevice",
    "offline",
    "voidedAt",
    "replyAttributes",
  ]),
  nas: told(
    nas,
    [
      "id",
      "ispId",
      "name",
      "address",
      "requireMessageAuthenticator",
      "swapOctets",
      "coaPort",
      "disconnectMethod",
      "routerosHost",
      "routerosPort",
      "routerosUsername",
      "routerosTls",
      "routerosTlsFingerprint",
      "createdAt",
      "coaEventTimestamp",
      "mppe",
      "kind",
      "radsec",
      "dhcp",
    ],
    ["secretSealed", "routerosPasswordSealed"],
  ),
  setting: told(settings, ["key", "value"]),
  session: told(sessions, [
    "acctSessionId",
    "nasAddress",
    "username",
    "class",
    "nasId",
    "subscriberId",
    "cardId",
    "nasPort",
    "nasPortId",
    "mac",
    "framedIp",
    "startedAt",
    "updatedAt",
    "viaBox",
    "acceptedAs",
    "grantedTerms",
    "grantedRate",
  ]),
};

export type ToldName = keyof typeof toldTables;

/** What columns that a box is not told have there, where they cannot be empty. */
export const filled = {
  subscriber: { name: "", createdAt: 0, updatedAt: 0 },
  batch: { price: 0, createdAt: 0 },
} as const;

/** The settings that access boxes work by; each of the others is the books' alone. */
export const toldSettings = [
  "acct_interim_interval",
  "expired_session_timeout",
  "dhcp_lease",
  "dhcp_password",
  "stale_session_after",
  "max_coa_wait",
  "coa_message_authenticator",
  "disconnect_enabled",
] as const;
