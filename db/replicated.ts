import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { cardBatches, cards, nas, services, sessions, settings, subscribers } from "./schema.ts";
import { cardTermKeys, termKeys } from "./service-keys.ts";

type KeyOf<T extends SQLiteTable> = keyof T["$inferSelect"] & string;

/** Replicated columns by schema keys: what decides a login, and nothing more of a person. */
export interface ReplicatedTable<T extends SQLiteTable = SQLiteTable> {
  readonly table: T;
  readonly keys: readonly KeyOf<T>[];
  /** Sealed in the store, clear within the record, which is sealed as a whole. */
  readonly sealed: readonly KeyOf<T>[];
}

const replicate = <T extends SQLiteTable>(
  table: T,
  keys: readonly KeyOf<T>[],
  sealed: readonly KeyOf<T>[] = [],
) => ({ table, keys: [...keys, ...sealed], sealed }) satisfies ReplicatedTable<T>;

export const replicatedTables = {
  subscriber: replicate(
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
  service: replicate(
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
  card: replicate(
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
  /** Prices, people and note stay on the primary. */
  batch: replicate(cardBatches, [
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
    ...cardTermKeys,
    "lockFirstDevice",
    "offline",
    "voidedAt",
  ]),
  nas: replicate(
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
  setting: replicate(settings, ["key", "value"]),
  session: replicate(sessions, [
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

export type ReplicatedName = keyof typeof replicatedTables;
