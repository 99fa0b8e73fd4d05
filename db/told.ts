import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { cardBatches, cards, nas, services, sessions, settings, subscribers } from "./schema.ts";
import { cardTermKeys, termKeys } from "./service-keys.ts";

type KeyOf<T extends SQLiteTable> = keyof T["$inferSelect"] & string;

/** Which columns of a table access boxes are told, by the keys of the schema: what a login is decided from, and no more of a person. */
export interface Told<T extends SQLiteTable = SQLiteTable> {
  readonly table: T;
  readonly keys: readonly KeyOf<T>[];
  /** Of `keys`: sealed in the store; a record has it in clear, and is sealed as a whole. */
  readonly sealed: readonly KeyOf<T>[];
}

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
    ...cardTermKeys,
    "lockFirstDevice",
    "offline",
    "voidedAt",
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
