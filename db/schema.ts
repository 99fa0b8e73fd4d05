import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  blob,
  check,
  index,
  integer,
  primaryKey,
  real,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { sqliteTable } from "./lazy-table.ts";

/*
 * Every table, once. All are STRICT (the migrations add the word). Times are UTC seconds, money is integer minor units,
 * 0/1 integers are flags, *_key columns hold the folded form that names compare by, *_sealed columns are AES-256-GCM.
 */

const id = () => integer("id").primaryKey({ autoIncrement: true });
const flag = <Name extends string>(name: Name, initially: 0 | 1) =>
  integer(name).notNull().default(initially);
const sealed = <Name extends string>(name: Name) => blob(name, { mode: "buffer" });
const createdAt = () => integer("created_at").notNull();

const isFlag = (table: string, ...columns: AnySQLiteColumn[]) =>
  check(
    `${table}_flags`,
    sql.join(
      columns.map((column) => sql`${column} IN (0, 1)`),
      sql` AND `,
    ),
  );

export const isps = sqliteTable("isps", () => ({ id: id(), name: text("name").notNull() }));

export const branches = sqliteTable(
  "branches",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
  }),
  (t) => [index("branches_isp").on(t.ispId)],
);

export const cities = sqliteTable(
  "cities",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
  }),
  (t) => [index("cities_isp").on(t.ispId)],
);

export const areas = sqliteTable(
  "areas",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    cityId: integer("city_id").references(() => cities.id),
    name: text("name").notNull(),
  }),
  (t) => [index("areas_isp").on(t.ispId)],
);

export const subareas = sqliteTable(
  "subareas",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    areaId: integer("area_id").references(() => areas.id),
    name: text("name").notNull(),
  }),
  (t) => [index("subareas_isp").on(t.ispId)],
);

export const permissionFlags = sqliteTable("permission_flags", () => ({ name: text("name").primaryKey() }));

/** `permissionsSet` is 0 until the first permissions_update; the API shows null until then. */
export const roles = sqliteTable(
  "roles",
  () => ({
    id: id(),
    code: integer("code").notNull(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    permissionsSet: flag("permissions_set", 0),
    createdAt: createdAt(),
    needsSecondFactor: flag("needs_second_factor", 0),
  }),
  (t) => [
    uniqueIndex("roles_code").on(t.code),
    index("roles_isp").on(t.ispId),
    isFlag("roles", t.permissionsSet),
  ],
);

export const rolePermissions = sqliteTable(
  "role_permissions",
  () => ({
    roleCode: integer("role_code")
      .notNull()
      .references(() => roles.code, { onDelete: "cascade" }),
    flag: text("flag")
      .notNull()
      .references(() => permissionFlags.name),
    value: integer("value").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.roleCode, t.flag] }), isFlag("role_permissions", t.value)],
);

/** Numbers that are never reused (`role_code`). */
export const sequences = sqliteTable("sequences", () => ({
  name: text("name").primaryKey(),
  last: integer("last").notNull(),
}));

/**
 * `ispId` NULL is the operator of the box, `branchId` NULL the whole ISP; the API shows both as 0. A reseller's wallet may fall
 * to minus its `creditLimit`. `isKey`: an API key, which acts as staff does and signs in nowhere; no list of staff has it.
 */
export const staff = sqliteTable(
  "staff",
  () => ({
    id: id(),
    ispId: integer("isp_id").references(() => isps.id),
    branchId: integer("branch_id").references(() => branches.id),
    name: text("name").notNull(),
    username: text("username").notNull(),
    usernameKey: text("username_key").notNull(),
    email: text("email"),
    emailKey: text("email_key"),
    phone: text("phone"),
    passwordHash: text("password_hash").notNull(),
    profileType: integer("profile_type").notNull(),
    roleCode: integer("role_code").references(() => roles.code),
    status: integer("status").notNull().default(1),
    createdAt: createdAt(),
    updatedAt: integer("updated_at").notNull(),
    creditLimit: integer("credit_limit").notNull().default(0),
    totpSecret: blob("totp_secret", { mode: "buffer" }),
    totpStep: integer("totp_step"),
    isKey: flag("is_key", 0),
  }),
  (t) => [
    uniqueIndex("staff_username").on(t.usernameKey),
    uniqueIndex("staff_email").on(t.emailKey),
    index("staff_isp").on(t.ispId),
    index("staff_role").on(t.roleCode),
    check("staff_profile_type", sql`${t.profileType} IN (1, 2, 3)`),
  ],
);

export const staffTokens = sqliteTable(
  "staff_tokens",
  () => ({
    id: id(),
    staffId: integer("staff_id")
      .notNull()
      .references(() => staff.id),
    secretHash: blob("secret_hash", { mode: "buffer" }).notNull(),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  }),
  (t) => [index("staff_tokens_staff").on(t.staffId), index("staff_tokens_expires").on(t.expiresAt)],
);

/**
 * What a row of staff with `isKey` has beside it. The secret is kept as its SHA-256, `formerHash` is the one before, which is valid until
 * `formerUntil`; `isProven`: the present one was used. `flags`: which of its role's flags it has, with commas between; NULL: all of them.
 * `addresses`: networks that it may call from, with commas between; NULL: any.
 */
export const apiKeys = sqliteTable(
  "api_keys",
  () => ({
    staffId: integer("staff_id")
      .primaryKey()
      .references(() => staff.id),
    secretHash: blob("secret_hash", { mode: "buffer" }).notNull(),
    isProven: flag("is_proven", 0),
    formerHash: blob("former_hash", { mode: "buffer" }),
    formerUntil: integer("former_until"),
    flags: text("flags"),
    addresses: text("addresses"),
    endsAt: integer("ends_at"),
    createdBy: integer("created_by").references(() => staff.id),
    revokedAt: integer("revoked_at"),
    usedAt: integer("used_at"),
    usedFrom: text("used_from"),
  }),
  (t) => [isFlag("api_keys", t.isProven)],
);

/** Calls of keys, the newest of each; `path` without what follows a question mark. */
export const apiKeyCalls = sqliteTable(
  "api_key_calls",
  () => ({
    id: id(),
    keyId: integer("key_id")
      .notNull()
      .references(() => apiKeys.staffId),
    at: integer("at").notNull(),
    method: text("method").notNull(),
    path: text("path").notNull(),
    status: integer("status").notNull(),
    milliseconds: integer("milliseconds").notNull(),
    address: text("address").notNull(),
  }),
  (t) => [index("api_key_calls_key").on(t.keyId, t.id), index("api_key_calls_at").on(t.at)],
);

/** Queue management at full rate; `none`: as the router has it. */
export const shapers = ["none", "fq_codel", "cake"] as const;

/** Rates of DHCP lines with two queues: the whole in each, half in each, or IPv4 alone. */
export const dualStacks = ["whole", "half", "ipv4"] as const;

/** `generic`: attributes of RFCs and WISPr. */
export const nasKinds = ["mikrotik", "accel-ppp", "cisco", "huawei", "juniper", "generic"] as const;

/**
 * `address` is canonical: an IP address or a CIDR. `authenticatorSeen` was the latch of the whole NAS before `nasSources`, and
 * is not read: to drop it would rebuild the table. `mppe`: whether an Accept says beside the keys that encryption is allowed
 * or required. `kind`: by which attributes it is told a rate, and asked about sessions. `dhcp`: whether its DHCP servers may ask, which send
 * no password.
 */
export const nas = sqliteTable(
  "nas",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    address: text("address").notNull(),
    secretSealed: sealed("secret_sealed").notNull(),
    requireMessageAuthenticator: text("require_message_authenticator", { enum: ["auto", "yes", "no"] })
      .notNull()
      .default("auto"),
    authenticatorSeen: flag("authenticator_seen", 0),
    swapOctets: flag("swap_octets", 0),
    coaPort: integer("coa_port").notNull().default(3799),
    disconnectMethod: text("disconnect_method", { enum: ["auto", "coa", "routeros"] })
      .notNull()
      .default("auto"),
    routerosHost: text("routeros_host"),
    routerosPort: integer("routeros_port"),
    routerosUsername: text("routeros_username"),
    routerosPasswordSealed: sealed("routeros_password_sealed"),
    routerosTls: flag("routeros_tls", 0),
    routerosTlsFingerprint: text("routeros_tls_fingerprint"),
    createdAt: createdAt(),
    coaEventTimestamp: flag("coa_event_timestamp", 0),
    mppe: text("mppe", { enum: ["keys", "allowed", "required"] })
      .notNull()
      .default("keys"),
    kind: text("kind", { enum: nasKinds }).notNull().default("mikrotik"),
    dhcp: flag("dhcp", 0),
    /** Uses RadSec, identified by its certificate. */
    radsec: flag("radsec", 0),
    /** The last walled garden; a change has to be sent. */
    gardenTold: text("garden_told"),
    /** Its RADIUS servers, the first first, as JSON; null: unknown. */
    asksAt: text("asks_at"),
    /** PPP profiles of the walled garden by kind of login, where a set-up made some. */
    gardenProfiles: text("garden_profiles"),
    /** 1: FastTrack stays on for subscribers; 2: with too many connections to end those of expired lines. */
    fastTrackLeft: integer("fast_track_left").notNull().default(0),
    /** The set-up's choices, as JSON. */
    setupChoices: text("setup_choices"),
    shaper: text("shaper", { enum: shapers }).notNull().default("none"),
    /** DHCP leases have shaped queues too. */
    shaperLeases: flag("shaper_leases", 0),
    dualStack: text("dual_stack", { enum: dualStacks }).notNull().default("whole"),
  }),
  (t) => [
    uniqueIndex("nas_address").on(t.address),
    uniqueIndex("nas_name").on(t.ispId, t.name),
    isFlag("nas", t.authenticatorSeen, t.swapOctets, t.routerosTls),
    check(
      "nas_require_message_authenticator",
      sql`${t.requireMessageAuthenticator} IN ('auto', 'yes', 'no')`,
    ),
    check("nas_disconnect_method", sql`${t.disconnectMethod} IN ('auto', 'coa', 'routeros')`),
    check("nas_coa_port", sql`${t.coaPort} BETWEEN 1 AND 65535`),
  ],
);

/** The RadSec authority and server certificate for `addresses` (comma-separated). Certificates are PEM. */
export const radsecKeys = sqliteTable("radsec_keys", () => ({
  name: text("name", { enum: ["authority", "server"] }).primaryKey(),
  certificate: text("certificate").notNull(),
  keySealed: sealed("key_sealed").notNull(),
  addresses: text("addresses").notNull(),
  notAfter: integer("not_after").notNull(),
  madeAt: integer("made_at").notNull(),
}));

/**
 * The certificates of routers, by the SHA-256 of each. `bundleSealed` is the PKCS#12 with the router's key until it was downloaded; the
 * key is nowhere else.
 */
export const radsecCertificates = sqliteTable(
  "radsec_certificates",
  () => ({
    id: id(),
    nasId: integer("nas_id")
      .notNull()
      .references(() => nas.id, { onDelete: "cascade" }),
    fingerprint: text("fingerprint").notNull(),
    address: text("address").notNull(),
    notAfter: integer("not_after").notNull(),
    madeAt: integer("made_at").notNull(),
    madeBy: text("made_by").notNull(),
    revokedAt: integer("revoked_at"),
    bundleSealed: sealed("bundle_sealed"),
  }),
  (t) => [
    uniqueIndex("radsec_certificates_fingerprint").on(t.fingerprint),
    index("radsec_certificates_nas").on(t.nasId),
  ],
);

/**
 * What was seen of each source address of a NAS. `authenticatorSeenAt`: when its first valid Message-Authenticator came, from
 * which on "auto" requires one (NULL: none yet). Requests without one were dropped from `droppedSince` to `droppedLast`.
 */
export const nasSources = sqliteTable(
  "nas_sources",
  () => ({
    nasId: integer("nas_id")
      .notNull()
      .references(() => nas.id, { onDelete: "cascade" }),
    address: text("address").notNull(),
    authenticatorSeenAt: integer("authenticator_seen_at"),
    droppedSince: integer("dropped_since"),
    droppedLast: integer("dropped_last"),
  }),
  (t) => [primaryKey({ columns: [t.nasId, t.address] })],
);

/** A router's configuration before its set-up, JSON, sealed because it may have other servers' secrets. */
export const routerSetups = sqliteTable("router_setups", () => ({
  nasId: integer("nas_id")
    .primaryKey()
    .references(() => nas.id, { onDelete: "cascade" }),
  beforeSealed: sealed("before_sealed").notNull(),
  setUpAt: integer("set_up_at").notNull(),
}));

/**
 * What the newest look at a router by its API came to: `readAt` when it answered last, `failure` why it did not the last time, `unread` which
 * menus it did not show and why, `facts` what was counted and what the next reading is compared with; both JSON.
 */
export const routerReadings = sqliteTable("router_readings", () => ({
  nasId: integer("nas_id")
    .primaryKey()
    .references(() => nas.id, { onDelete: "cascade" }),
  triedAt: integer("tried_at").notNull(),
  readAt: integer("read_at"),
  failure: text("failure"),
  version: text("version"),
  unread: text("unread").notNull().default("[]"),
  facts: text("facts").notNull().default("{}"),
}));

/**
 * What is not as it should be at a router: `key` tells one of a kind from the other, `detail` is JSON of what a sentence about it says, `state` changes
 * when what was found there does. It counts since two readings agreed (`countedAt`), and is gone when two (`missed`) did not find it. Whoever
 * says that it is meant so hides it, until `state` changes.
 */
export const routerFindings = sqliteTable(
  "router_findings",
  () => ({
    id: id(),
    nasId: integer("nas_id")
      .notNull()
      .references(() => nas.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    level: text("level", { enum: ["error", "warning"] }).notNull(),
    detail: text("detail").notNull(),
    state: text("state").notNull(),
    commands: text("commands").notNull(),
    isMendable: integer("is_mendable").notNull(),
    foundAt: integer("found_at").notNull(),
    countedAt: integer("counted_at"),
    missed: integer("missed").notNull().default(0),
    hiddenAt: integer("hidden_at"),
    hiddenBy: text("hidden_by"),
    hiddenReason: text("hidden_reason"),
  }),
  (t) => [
    uniqueIndex("router_findings_key").on(t.nasId, t.kind, t.key),
    isFlag("router_findings", t.isMendable),
  ],
);

/**
 * Configurations of routers that were kept, packed and sealed: `seenAt` is when a router was last seen to have that one. A `source` of
 * `menus` was read menu by menu, because its router did not export it.
 */
export const routerConfigs = sqliteTable(
  "router_configs",
  () => ({
    id: id(),
    nasId: integer("nas_id")
      .notNull()
      .references(() => nas.id, { onDelete: "cascade" }),
    keptAt: integer("kept_at").notNull(),
    seenAt: integer("seen_at").notNull(),
    source: text("source", { enum: ["export", "menus"] }).notNull(),
    version: text("version").notNull(),
    bytes: integer("bytes").notNull(),
    isPartial: flag("is_partial", 0),
    textSealed: sealed("text_sealed").notNull(),
  }),
  (t) => [index("router_configs_nas").on(t.nasId), isFlag("router_configs", t.isPartial)],
);

/**
 * Shapers that are told of each session over RADIUS accounting: of the routers that are named (`feedRouters`), else of all of the ISP. What
 * comes of it is written by the program that tells: `silentSince` while it does not answer, `behindSince` the oldest news that waits.
 */
export const feeds = sqliteTable(
  "feeds",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    address: text("address").notNull(),
    port: integer("port").notNull().default(1813),
    secretSealed: sealed("secret_sealed").notNull(),
    allRouters: flag("all_routers", 1),
    createdAt: createdAt(),
    answeredAt: integer("answered_at"),
    silentSince: integer("silent_since"),
    behindSince: integer("behind_since"),
    waiting: integer("waiting").notNull().default(0),
    disabledAt: integer("disabled_at"),
  }),
  (t) => [
    uniqueIndex("feeds_name").on(t.ispId, t.name),
    isFlag("feeds", t.allRouters),
    check("feeds_port", sql`${t.port} BETWEEN 1 AND 65535`),
  ],
);

export const feedRouters = sqliteTable(
  "feed_routers",
  () => ({
    feedId: integer("feed_id")
      .notNull()
      .references(() => feeds.id, { onDelete: "cascade" }),
    nasId: integer("nas_id")
      .notNull()
      .references(() => nas.id, { onDelete: "cascade" }),
  }),
  (t) => [primaryKey({ columns: [t.feedId, t.nasId] }), index("feed_routers_nas").on(t.nasId)],
);

/** Capacity of a street box in Mbit/s. */
export const boxCapacities = sqliteTable(
  "box_capacities",
  () => ({
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    boxNumber: text("box_number").notNull(),
    down: integer("down").notNull(),
    up: integer("up").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.ispId, t.boxNumber] })],
);

/** The last try to read a configuration: `failure` without result, `note` with a blemish. */
export const routerConfigTries = sqliteTable("router_config_tries", () => ({
  nasId: integer("nas_id")
    .primaryKey()
    .references(() => nas.id, { onDelete: "cascade" }),
  triedAt: integer("tried_at").notNull(),
  failure: text("failure"),
  note: text("note"),
}));

/**
 * Addresses that subscribers are given for good: `range` is `10.0.0.2-10.0.3.254`, or an IPv6 prefix of which each gets one of `length`
 * bits. `next` is where the search for a free one goes on, so that one that was freed rests the longest. Which are in use is
 * said by `subscribers`.
 */
export const addressPools = sqliteTable(
  "address_pools",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    range: text("range").notNull(),
    length: integer("length"),
    next: integer("next").notNull().default(0),
    createdAt: createdAt(),
  }),
  (t) => [uniqueIndex("address_pools_name").on(t.ispId, t.name)],
);

/**
 * What a package and the service made from it have in common: what routers are told. Each has its rule in
 * domain/goods/packages/fields.ts. Columns that are added later need a list of their own, which both tables have as their last.
 */
const accessColumns = () => ({
  rateLimit: text("rate_limit"),
  quotaExceeded: text("quota_exceeded").notNull().default("reject"),
  framedPool: text("framed_pool"),
  framedIpv6Pool: text("framed_ipv6_pool"),
  delegatedIpv6Pool: text("delegated_ipv6_pool"),
  addressList: text("address_list"),
  expiredPool: text("expired_pool"),
  expiredAddressList: text("expired_address_list"),
  simultaneousUse: integer("simultaneous_use").notNull().default(1),
  idleTimeout: integer("idle_timeout"),
});

/** Extra reply attributes, a line each (domain/goods/attributes/reply.ts). */
const replyColumns = () => ({ replyAttributes: text("reply_attributes") });

/**
 * The same of fair use, in the texts of domain/service/fair-use: `tiers` are slower rates after so many bytes of the window, `hours` other rates
 * by weekday and time, in some of which bytes do not count. `fairWindow` is what the volume and the tiers are of.
 */
const fairColumns = () => ({
  tiers: text("tiers"),
  fairWindow: text("fair_window", { enum: ["period", "month", "week", "day"] })
    .notNull()
    .default("period"),
  hours: text("hours"),
});

/**
 * What is sold. One with `topUpBytes` or `topUpDays` is a top-up: it adds them to a service that runs. What is left of its bytes at the
 * end of the window stays (`topUpRolls`) or goes. `addressPool` and `delegatedIpv6From` name pools of the ISP, from which each holder has an
 * address and a prefix for good.
 */
export const packages = sqliteTable(
  "packages",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    price: integer("price").notNull(),
    resellerPrice: integer("reseller_price"),
    billingType: text("billing_type", { enum: ["prepaid", "postpaid"] }).notNull(),
    duration: integer("duration").notNull(),
    durationUnit: text("duration_unit", { enum: ["hour", "day", "month"] }).notNull(),
    dataQuotaBytes: integer("data_quota_bytes").notNull().default(0),
    ...accessColumns(),
    status: integer("status").notNull().default(1),
    createdAt: createdAt(),
    ...replyColumns(),
    ...fairColumns(),
    topUpBytes: integer("top_up_bytes").notNull().default(0),
    topUpDays: integer("top_up_days").notNull().default(0),
    topUpRolls: flag("top_up_rolls", 0),
    addressPool: text("address_pool"),
    delegatedIpv6From: text("delegated_ipv6_from"),
  }),
  (t) => [
    index("packages_isp").on(t.ispId),
    check("packages_billing_type", sql`${t.billingType} IN ('prepaid', 'postpaid')`),
    check("packages_duration_unit", sql`${t.durationUnit} IN ('hour', 'day', 'month')`),
    check(
      "packages_ranges",
      sql`${t.price} >= 0 AND ${t.duration} > 0 AND ${t.dataQuotaBytes} >= 0 AND ${t.simultaneousUse} > 0`,
    ),
  ],
);

/**
 * `creditLimit` is what a postpaid subscriber may owe before a renewal by itself (NULL: one price of it). One that is archived
 * has left: its `usernameKey` ends with a NUL and its id, so that the name is free for others. `nicNumber` and `mobileNumber`
 * are NULL of those who came from another system without them. `anyConnection`: it may log in over PPPoE and at a hotspot,
 * whatever its connection type says, because the system it came from did not say which. `circuitId` and `remoteId` say which line
 * DHCP comes from (option 82). `poolIp` and `poolPrefix` were given from the pools `poolIpFrom` and `poolPrefixFrom`, which an access box is not told.
 */
export const subscribers = sqliteTable(
  "subscribers",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    branchId: integer("branch_id").references(() => branches.id),
    name: text("name").notNull(),
    username: text("username").notNull(),
    usernameKey: text("username_key").notNull(),
    passwordSealed: sealed("password_sealed").notNull(),
    portalPass: text("portal_pass"),
    packageId: integer("package_id")
      .notNull()
      .references(() => packages.id),
    connectionTypeId: integer("connection_type_id").notNull(),
    salespersonId: integer("salesperson_id").references(() => staff.id),
    nasId: integer("nas_id").references(() => nas.id),
    nicNumber: text("nic_number"),
    mobileNumber: text("mobile_number"),
    phoneNumber: text("phone_number"),
    email: text("email"),
    emailKey: text("email_key"),
    address: text("address"),
    cityId: integer("city_id").references(() => cities.id),
    areaId: integer("area_id").references(() => areas.id),
    subareaId: integer("subarea_id").references(() => subareas.id),
    latitude: real("latitude"),
    longitude: real("longitude"),
    boxNumber: text("box_number"),
    boxAddress: text("box_address"),
    uplinkPort: text("uplink_port"),
    fiberCode: text("fiber_code"),
    fiberColor: text("fiber_color"),
    switchBoard: text("switch_board"),
    switchPort: text("switch_port"),
    backupConnection: text("backup_connection"),
    electricitySocket: text("electricity_socket"),
    cableType: text("cable_type"),
    staticIp: text("static_ip"),
    framedIpv6Prefix: text("framed_ipv6_prefix"),
    delegatedIpv6Prefix: text("delegated_ipv6_prefix"),
    macAddress: text("mac_address"),
    macLock: flag("mac_lock", 0),
    macLogin: flag("mac_login", 0),
    smsStatus: flag("sms_status", 0),
    status: integer("status").notNull().default(1),
    globalNote: text("global_note").notNull().default(""),
    createdAt: createdAt(),
    updatedAt: integer("updated_at").notNull(),
    autoRenew: flag("auto_renew", 0),
    creditLimit: integer("credit_limit"),
    archivedAt: integer("archived_at"),
    anyConnection: flag("any_connection", 0),
    language: text("language"),
    messagesOff: flag("messages_off", 0),
    ...replyColumns(),
    circuitId: text("circuit_id"),
    remoteId: text("remote_id"),
    poolIp: text("pool_ip"),
    poolPrefix: text("pool_prefix"),
    poolIpFrom: integer("pool_ip_from").references(() => addressPools.id),
    poolPrefixFrom: integer("pool_prefix_from").references(() => addressPools.id),
  }),
  (t) => [
    uniqueIndex("subscribers_username").on(t.usernameKey),
    // two may share these, by a setting
    index("subscribers_nic_number").on(t.nicNumber),
    index("subscribers_mobile_number").on(t.mobileNumber),
    index("subscribers_phone_number").on(t.phoneNumber),
    index("subscribers_email").on(t.emailKey),
    index("subscribers_isp").on(t.ispId),
    // a covering index for counts by scope
    index("subscribers_scope").on(
      t.ispId,
      t.branchId,
      t.salespersonId,
      t.status,
      t.archivedAt,
      t.autoRenew,
      t.packageId,
    ),
    index("subscribers_branch").on(t.branchId),
    index("subscribers_package").on(t.packageId),
    index("subscribers_salesperson").on(t.salespersonId),
    index("subscribers_nas").on(t.nasId),
    index("subscribers_connection_type").on(t.connectionTypeId),
    index("subscribers_static_ip").on(t.staticIp),
    index("subscribers_framed_ipv6_prefix").on(t.framedIpv6Prefix),
    index("subscribers_delegated_ipv6_prefix").on(t.delegatedIpv6Prefix),
    index("subscribers_mac_address").on(t.macAddress),
    index("subscribers_circuit")
      .on(t.circuitId)
      .where(sql`circuit_id IS NOT NULL`),
    index("subscribers_remote")
      .on(t.remoteId)
      .where(sql`remote_id IS NOT NULL`),
    // not unique on an access box, which does not know the pool: a freed address may arrive after its next owner
    uniqueIndex("subscribers_pool_ip")
      .on(t.poolIp, t.ispId)
      .where(sql`pool_ip_from IS NOT NULL`),
    uniqueIndex("subscribers_pool_prefix")
      .on(t.poolPrefix, t.ispId)
      .where(sql`pool_prefix_from IS NOT NULL`),
    index("subscribers_pool_ip_any")
      .on(t.poolIp)
      .where(sql`pool_ip IS NOT NULL`),
    index("subscribers_pool_ip_from")
      .on(t.poolIpFrom)
      .where(sql`pool_ip_from IS NOT NULL`),
    index("subscribers_pool_prefix_from")
      .on(t.poolPrefixFrom)
      .where(sql`pool_prefix_from IS NOT NULL`),
    index("subscribers_mac_lock").on(t.macLock),
    index("subscribers_sms_status").on(t.smsStatus),
    index("subscribers_status").on(t.status),
    index("subscribers_name").on(sql`${t.name} COLLATE NOCASE`),
    index("subscribers_city").on(t.cityId),
    index("subscribers_area").on(t.areaId),
    index("subscribers_subarea").on(t.subareaId),
    index("subscribers_box").on(t.boxNumber),
    index("subscribers_created").on(t.createdAt),
    index("subscribers_archived")
      .on(t.archivedAt)
      .where(sql`archived_at IS NOT NULL`),
    index("subscribers_auto_renew")
      .on(t.autoRenew)
      .where(sql`auto_renew = 1`),
    isFlag("subscribers", t.macLock, t.macLogin, t.smsStatus, t.status),
    check("subscribers_connection_type", sql`${t.connectionTypeId} BETWEEN 1 AND 5`),
  ],
);

/** An app token (`id` is the jti) or a portal session (`id` is a hash of the cookie). */
export const subscriberTokens = sqliteTable(
  "subscriber_tokens",
  () => ({
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["app", "portal"] }).notNull(),
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  }),
  (t) => [
    index("subscriber_tokens_subscriber").on(t.subscriberId),
    index("subscriber_tokens_expires").on(t.expiresAt),
    check("subscriber_tokens_kind", sql`${t.kind} IN ('app', 'portal')`),
  ],
);

/**
 * One taking over of another system's data: `source` is the kind of system (`routeros`, `csv`, ...), `files` what was read, `report`
 * JSON of what came and what did not. Dry runs leave none. `undoneAt`: what it brought was archived again.
 */
export const moves = sqliteTable(
  "moves",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    source: text("source").notNull(),
    files: text("files").notNull(),
    staffId: integer("staff_id").references(() => staff.id),
    actor: text("actor").notNull(),
    startedAt: integer("started_at").notNull(),
    finishedAt: integer("finished_at").notNull(),
    undoneAt: integer("undone_at"),
    report: text("report").notNull(),
  }),
  (t) => [index("moves_isp").on(t.ispId)],
);

/**
 * What a row was when it came from another system, so that a second run sees what changed there since and what changed here:
 * `key` is what it is called there (of a subscriber the folded username), `rowId` its row here, `moveId` the move that made
 * that row (NULL: it was here before), `brought` JSON of its fields, secrets among them as keyed hashes.
 */
export const movedRows = sqliteTable(
  "moved_rows",
  () => ({
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    source: text("source").notNull(),
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    rowId: integer("row_id").notNull(),
    moveId: integer("move_id").references(() => moves.id),
    brought: text("brought").notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.ispId, t.source, t.kind, t.key] }),
    index("moved_rows_move").on(t.moveId),
    index("moved_rows_row").on(t.kind, t.rowId),
  ],
);

export const staffNotes = sqliteTable(
  "staff_notes",
  () => ({
    id: id(),
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    note: text("note").notNull(),
    addedBy: integer("added_by")
      .notNull()
      .references(() => staff.id),
    createdAt: createdAt(),
  }),
  (t) => [index("staff_notes_subscriber").on(t.subscriberId)],
);

/**
 * What RADIUS answers from: written by activation, one row per activated subscriber. `quotaUsed` counts bytes up plus
 * down since then. `activatedAt` is NULL for a service that arrived by import, `quotaCrossedAt` is set once per period.
 * `anchorDay` and `anchorTime` are the day of the month and the second of the local day that renewals keep to where a
 * month is long enough and the clock has that hour; NULL: those of `expiresAt`. `paidUntil` is the end of the last paid period,
 * where an extension has moved `expiresAt` since; `renewsFrom` is where the next renewal counts from, where that is not
 * `expiresAt` (an extension on trust). `frozenAt`: nobody gets in until it is thawed, when all of these move.
 * `quotaUsed` and `freeBytes` (bytes that do not count) are of the window that began at `windowStart`, NULL where the window is the period.
 * `extraBytes` came by top-ups: `quotaTotal` has them, and each tier begins as much later; `rollingBytes` of them stay at the end of the window.
 */
export const services = sqliteTable(
  "services",
  () => ({
    subscriberId: integer("subscriber_id")
      .primaryKey()
      .references(() => subscribers.id),
    packageId: integer("package_id")
      .notNull()
      .references(() => packages.id),
    passwordSealed: sealed("password_sealed").notNull(),
    ntHashSealed: sealed("nt_hash_sealed").notNull(),
    expiresAt: integer("expires_at").notNull(),
    activatedAt: integer("activated_at"),
    quotaTotal: integer("quota_total").notNull().default(0),
    quotaUsed: integer("quota_used").notNull().default(0),
    quotaCrossedAt: integer("quota_crossed_at"),
    ...accessColumns(),
    anchorDay: integer("anchor_day"),
    anchorTime: integer("anchor_time"),
    frozenAt: integer("frozen_at"),
    paidUntil: integer("paid_until"),
    renewsFrom: integer("renews_from"),
    ...replyColumns(),
    ...fairColumns(),
    windowStart: integer("window_start"),
    extraBytes: integer("extra_bytes").notNull().default(0),
    rollingBytes: integer("rolling_bytes").notNull().default(0),
    freeBytes: integer("free_bytes").notNull().default(0),
  }),
  (t) => [
    index("services_fair")
      .on(t.subscriberId)
      .where(sql`tiers IS NOT NULL OR hours IS NOT NULL OR fair_window <> 'period' OR extra_bytes > 0`),
    index("services_frozen")
      .on(t.frozenAt)
      .where(sql`frozen_at IS NOT NULL`),
    index("services_expires").on(t.expiresAt),
    index("services_package").on(t.packageId, t.expiresAt),
  ],
);

/**
 * A stamp for each username that changes whenever what its login is decided from has changed, whoever changes it; so a copy
 * of that may be kept as long as its stamp is. Written by triggers only. Bytes used count where there is a quota.
 */
export const loginStamps = sqliteTable("login_stamps", () => ({
  usernameKey: text("username_key").primaryKey(),
  stamp: integer("stamp").notNull(),
}));

/** Reasons of entries. */
export const entryKinds = [
  "opening",
  "credit",
  "payment",
  "transfer",
  "activation",
  "unused",
  "commission",
  "void",
  "reversal",
  "refund",
  "adjustment",
  "history",
  "card",
] as const;

/**
 * Append-only, held by triggers: the balance of an account is the `balanceAfter` of its newest entry. `actor` is who acted
 * at the command line, where no staff account did. `aboutId` is the entry that this one answers. Branch, area, package and
 * seller are those of the moment, whatever becomes of the account; they are no references, so that a place can go. `day` is the
 * local day on which it was booked, 20260131. A trigger adds each to the sums and to the balance in `wallets`. `history` moves no
 * money: it tells in its `reason` what was booked in the system that a subscriber came from, at the time of then. `card` is what a
 * reseller pays for cards, what staff hand over for one, and what a card brings into a wallet; `batchId` and `cardId` say which.
 */
export const ledgerEntries = sqliteTable(
  "ledger_entries",
  () => ({
    id: id(),
    ispId: integer("isp_id").references(() => isps.id),
    subscriberId: integer("subscriber_id").references(() => subscribers.id),
    staffId: integer("staff_id").references(() => staff.id),
    amount: integer("amount").notNull(),
    balanceAfter: integer("balance_after").notNull(),
    kind: text("kind", { enum: entryKinds }).notNull(),
    invoiceId: integer("invoice_id").references((): AnySQLiteColumn => invoices.id),
    actingStaffId: integer("acting_staff_id").references(() => staff.id),
    actor: text("actor"),
    createdAt: createdAt(),
    aboutId: integer("about_id").references((): AnySQLiteColumn => ledgerEntries.id),
    paymentId: integer("payment_id").references((): AnySQLiteColumn => payments.id),
    branchId: integer("branch_id"),
    areaId: integer("area_id"),
    packageId: integer("package_id"),
    sellerId: integer("seller_id"),
    reason: text("reason"),
    day: integer("day").notNull().default(0),
    batchId: integer("batch_id").references((): AnySQLiteColumn => cardBatches.id),
    cardId: integer("card_id").references((): AnySQLiteColumn => cards.id),
  }),
  (t) => [
    index("ledger_entries_batch")
      .on(t.batchId)
      .where(sql`batch_id IS NOT NULL`),
    index("ledger_entries_payment")
      .on(t.paymentId)
      .where(sql`payment_id IS NOT NULL`),
    index("ledger_entries_given")
      .on(t.ispId, t.day)
      .where(sql`kind IN ('void', 'unused', 'adjustment')`),
    index("ledger_entries_subscriber").on(t.subscriberId),
    index("ledger_entries_staff").on(t.staffId),
    index("ledger_entries_invoice").on(t.invoiceId),
    check("ledger_entries_account", sql`(${t.subscriberId} IS NULL) <> (${t.staffId} IS NULL)`),
    check(
      "ledger_entries_kind",
      sql`${t.kind} IN (${sql.raw(entryKinds.map((kind) => `'${kind}'`).join(", "))})`,
    ),
  ],
);

/**
 * `open` is what is still to pay; `paidAt` is NULL exactly while that is more than 0. The seller's `commission` is in the
 * seller's wallet exactly while the invoice is settled, less its share of what is `credited`; `commissionAtSale`: booked with the
 * sale and kept, as it once was. `taxPercent` is in hundredths of a percent, `tax` is part of the amount. A void invoice is no
 * charge any more. `serviceBefore` is JSON of the service as it was before this sale (null: there was none), for its undoing.
 * `followedAt` is when the first period of the subscriber begins that ends later and is not void; triggers write it.
 */
export const invoices = sqliteTable(
  "invoices",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    packageId: integer("package_id")
      .notNull()
      .references(() => packages.id),
    packageName: text("package_name").notNull(),
    amount: integer("amount").notNull(),
    currency: text("currency").notNull(),
    periodStart: integer("period_start").notNull(),
    periodEnd: integer("period_end").notNull(),
    createdAt: createdAt(),
    paidAt: integer("paid_at"),
    open: integer("open").notNull().default(0),
    sellerId: integer("seller_id").references(() => staff.id),
    commission: integer("commission").notNull().default(0),
    commissionAtSale: flag("commission_at_sale", 0),
    number: text("number"),
    branchId: integer("branch_id"),
    areaId: integer("area_id"),
    credited: integer("credited").notNull().default(0),
    taxName: text("tax_name"),
    taxPercent: integer("tax_percent").notNull().default(0),
    tax: integer("tax").notNull().default(0),
    paymentId: integer("payment_id").references((): AnySQLiteColumn => payments.id),
    voidedAt: integer("voided_at"),
    voidReason: text("void_reason"),
    voidedBy: integer("voided_by").references(() => staff.id),
    voidedActor: text("voided_actor"),
    serviceBefore: text("service_before"),
    followedAt: integer("followed_at"),
  }),
  (t) => [
    uniqueIndex("invoices_number").on(t.ispId, t.number),
    index("invoices_due")
      .on(t.ispId, t.periodEnd, t.periodStart, t.followedAt, t.branchId, t.sellerId)
      .where(sql`voided_at IS NULL`),
    index("invoices_subscriber").on(t.subscriberId),
    // all that is asked of debts, whose rows lie far apart
    index("invoices_unpaid")
      .on(t.subscriberId, t.open, t.createdAt)
      .where(sql`paid_at IS NULL`),
    index("invoices_isp_created").on(t.ispId, t.createdAt, t.taxPercent, t.taxName, t.amount, t.tax),
    index("invoices_voided")
      .on(t.ispId, t.voidedAt)
      .where(sql`voided_at IS NOT NULL`),
    index("invoices_void")
      .on(t.id)
      .where(sql`voided_at IS NOT NULL`),
    index("invoices_credited")
      .on(t.id)
      .where(sql`credited > 0`),
  ],
);

/**
 * Money that was handed over (`payment`) or back (`refund`): into the wallet of a subscriber, or of a reseller (a top-up, a
 * payout). `amount` is above 0. `resellerId`: a reseller took it (or handed it back), whose wallet was debited (credited), so
 * that it did not reach the ISP.
 * `referenceKey` is the reference without case, blanks and dashes, by which no two compare that are not reversed. `invoiceId`
 * is what was activated with it. The closings are the day's closes in which it and its reversal were counted. `cardId`: a card was
 * sold for it, through the wallet of who sold it, which it leaves as it was.
 */
export const payments = sqliteTable(
  "payments",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    branchId: integer("branch_id"),
    subscriberId: integer("subscriber_id").references(() => subscribers.id),
    staffId: integer("staff_id").references(() => staff.id),
    kind: text("kind", { enum: ["payment", "refund"] }).notNull(),
    amount: integer("amount").notNull(),
    currency: text("currency").notNull(),
    method: text("method").notNull(),
    reference: text("reference"),
    referenceKey: text("reference_key"),
    note: text("note"),
    number: text("number").notNull(),
    takenBy: integer("taken_by").references(() => staff.id),
    actor: text("actor"),
    resellerId: integer("reseller_id").references(() => staff.id),
    createdAt: createdAt(),
    invoiceId: integer("invoice_id").references((): AnySQLiteColumn => invoices.id),
    reversedAt: integer("reversed_at"),
    reversedBy: integer("reversed_by").references(() => staff.id),
    reversedActor: text("reversed_actor"),
    reversalReason: text("reversal_reason"),
    closingId: integer("closing_id").references((): AnySQLiteColumn => closings.id),
    reversalClosingId: integer("reversal_closing_id").references((): AnySQLiteColumn => closings.id),
    cardId: integer("card_id").references((): AnySQLiteColumn => cards.id),
  }),
  (t) => [
    uniqueIndex("payments_number").on(t.ispId, t.number),
    uniqueIndex("payments_reference")
      .on(t.ispId, t.method, t.referenceKey)
      .where(sql`reference_key IS NOT NULL AND reversed_at IS NULL`),
    index("payments_subscriber").on(t.subscriberId),
    index("payments_staff")
      .on(t.staffId)
      .where(sql`staff_id IS NOT NULL`),
    index("payments_taken").on(t.takenBy, t.createdAt),
    index("payments_isp").on(t.ispId, t.createdAt),
    index("payments_reversed")
      .on(t.id)
      .where(sql`reversed_at IS NOT NULL`),
    index("payments_reseller")
      .on(t.resellerId)
      .where(sql`reseller_id IS NOT NULL`),
    index("payments_closing")
      .on(t.closingId)
      .where(sql`closing_id IS NOT NULL`),
    index("payments_till")
      .on(t.takenBy)
      .where(sql`closing_id IS NULL`),
    index("payments_reversed_till")
      .on(t.takenBy)
      .where(sql`reversed_at IS NOT NULL AND reversal_closing_id IS NULL`),
    check("payments_account", sql`(${t.subscriberId} IS NULL) <> (${t.staffId} IS NULL)`),
    check("payments_amount", sql`${t.amount} > 0`),
  ],
);

/** Credit for an unfinished period, with the invoice's tax rate. */
export const creditNotes = sqliteTable(
  "credit_notes",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    number: text("number").notNull(),
    invoiceId: integer("invoice_id")
      .notNull()
      .references(() => invoices.id),
    entryId: integer("entry_id")
      .notNull()
      .references(() => ledgerEntries.id),
    amount: integer("amount").notNull(),
    tax: integer("tax").notNull(),
    createdAt: createdAt(),
  }),
  (t) => [
    uniqueIndex("credit_notes_number").on(t.ispId, t.number),
    index("credit_notes_invoice").on(t.invoiceId),
    index("credit_notes_created").on(t.ispId, t.createdAt),
    uniqueIndex("credit_notes_entry").on(t.entryId),
  ],
);

/**
 * The last number of a series: `I` of invoices and credit notes, `R` of receipts and refunds. `letter` is "" until a restore of
 * an older state, after which numbers go on with the next one, because those that are gone stand on paper.
 */
export const counters = sqliteTable(
  "counters",
  () => ({
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    series: text("series", { enum: ["I", "R"] }).notNull(),
    year: integer("year").notNull(),
    letter: text("letter").notNull().default(""),
    last: integer("last").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.ispId, t.series] })],
);

/** The outstanding part of a charge without an invoice; `entryId` 0: debt without a charge. */
export const openCharges = sqliteTable(
  "open_charges",
  () => ({
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    entryId: integer("entry_id").notNull(),
    open: integer("open").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.subscriberId, t.entryId] })],
);

/** Balances, as in the newest entries, for lists. Kept by a trigger. */
export const wallets = sqliteTable(
  "wallets",
  () => ({
    subscriberId: integer("subscriber_id")
      .primaryKey()
      .references(() => subscribers.id),
    balance: integer("balance").notNull(),
  }),
  (t) => [index("wallets_balance").on(t.balance)],
);

/**
 * What the sums of entries are by; 0 and "" where an entry has none. `staffId` is who took the payment, else who acted: a
 * payment that somebody else reversed is a minus of its taker. `reached`: money that reached the ISP.
 */
const sumColumns = () => ({
  ispId: integer("isp_id").notNull(),
  branchId: integer("branch_id").notNull(),
  areaId: integer("area_id").notNull(),
  packageId: integer("package_id").notNull(),
  sellerId: integer("seller_id").notNull(),
  staffId: integer("staff_id").notNull(),
  account: text("account", { enum: ["subscriber", "staff"] }).notNull(),
  kind: text("kind", { enum: entryKinds }).notNull(),
  method: text("method").notNull(),
  reached: flag("reached", 0),
  entries: integer("entries").notNull(),
  amount: integer("amount").notNull(),
});

/** Sums of the ledger by local day, 20260131. */
export const ledgerDays = sqliteTable(
  "ledger_days",
  () => ({ day: integer("day").notNull(), ...sumColumns() }),
  (t) => [
    primaryKey({
      columns: [
        t.ispId,
        t.account,
        t.kind,
        t.day,
        t.branchId,
        t.areaId,
        t.packageId,
        t.sellerId,
        t.staffId,
        t.method,
        t.reached,
      ],
    }),
  ],
);

/** Sums of the ledger by month, 202601. */
export const ledgerMonths = sqliteTable(
  "ledger_months",
  () => ({ month: integer("month").notNull(), ...sumColumns() }),
  (t) => [
    primaryKey({
      columns: [
        t.ispId,
        t.account,
        t.kind,
        t.month,
        t.branchId,
        t.areaId,
        t.packageId,
        t.sellerId,
        t.staffId,
        t.method,
        t.reached,
      ],
    }),
  ],
);

/** The answer that was given to a key of who called, for 48 h; `staffId` 0 is the command line, below 0 a subscriber. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  () => ({
    staffId: integer("staff_id").notNull(),
    path: text("path").notNull(),
    key: text("key").notNull(),
    bodyHash: blob("body_hash", { mode: "buffer" }).notNull(),
    answer: text("answer").notNull(),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.staffId, t.path, t.key] }),
    index("idempotency_keys_created").on(t.createdAt),
  ],
);

/** A day's close: expected and counted cash of one person. */
export const closings = sqliteTable(
  "closings",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    staffId: integer("staff_id")
      .notNull()
      .references(() => staff.id),
    createdAt: createdAt(),
    taken: integer("taken").notNull(),
    returned: integer("returned").notNull(),
    expected: integer("expected").notNull(),
    counted: integer("counted").notNull(),
    note: text("note"),
    confirmedAt: integer("confirmed_at"),
    confirmedBy: integer("confirmed_by").references(() => staff.id),
  }),
  (t) => [index("closings_staff").on(t.staffId), index("closings_isp").on(t.ispId)],
);

/** Free time: expiry `before` and `after`; `paidUntil` ends the last paid period. */
export const extensions = sqliteTable(
  "extensions",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    branchId: integer("branch_id"),
    areaId: integer("area_id"),
    packageId: integer("package_id").notNull(),
    sellerId: integer("seller_id"),
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    before: integer("before").notNull(),
    after: integer("after").notNull(),
    paidUntil: integer("paid_until").notNull(),
    trust: flag("trust", 0),
    reason: text("reason").notNull(),
    actingStaffId: integer("acting_staff_id").references(() => staff.id),
    actor: text("actor"),
    createdAt: createdAt(),
  }),
  (t) => [
    index("extensions_subscriber").on(t.subscriberId),
    index("extensions_isp").on(t.ispId, t.createdAt),
    isFlag("extensions", t.trust),
  ],
);

/** `thawedAt` is NULL while frozen. */
export const freezes = sqliteTable(
  "freezes",
  () => ({
    id: id(),
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    frozenAt: integer("frozen_at").notNull(),
    thawedAt: integer("thawed_at"),
    frozenBy: integer("frozen_by").references(() => staff.id),
    actor: text("actor"),
  }),
  (t) => [index("freezes_subscriber").on(t.subscriberId)],
);

/** The last automatic renewal for each end of a service. */
export const autoRenewals = sqliteTable(
  "auto_renewals",
  () => ({
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    expiresAt: integer("expires_at").notNull(),
    triedAt: integer("tried_at").notNull(),
    renewedAt: integer("renewed_at"),
    reason: text("reason"),
  }),
  (t) => [primaryKey({ columns: [t.subscriberId, t.expiresAt] })],
);

/** A background operation on many subscribers. `input` is JSON. */
export const bulkJobs = sqliteTable(
  "bulk_jobs",
  () => ({
    id: id(),
    ispId: integer("isp_id").references(() => isps.id),
    staffId: integer("staff_id").references(() => staff.id),
    actor: text("actor").notNull(),
    source: text("source").notNull(),
    operation: text("operation").notNull(),
    input: text("input").notNull(),
    total: integer("total").notNull(),
    done: integer("done").notNull().default(0),
    refused: integer("refused").notNull().default(0),
    createdAt: createdAt(),
    finishedAt: integer("finished_at"),
  }),
  (t) => [
    index("bulk_jobs_unfinished")
      .on(t.id)
      .where(sql`finished_at IS NULL`),
    index("bulk_jobs_isp").on(t.ispId),
  ],
);

/** `message`: NULL untried, "" done, else the refusal. */
export const bulkRows = sqliteTable(
  "bulk_rows",
  () => ({
    jobId: integer("job_id")
      .notNull()
      .references(() => bulkJobs.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    subscriberId: integer("subscriber_id").notNull(),
    message: text("message"),
  }),
  (t) => [primaryKey({ columns: [t.jobId, t.position] })],
);

/** Positions are encoded in the Class: append only. */
export const acceptReasons = [
  "accepted",
  "accepted_slowed_down",
  "accepted_expired",
  "accepted_quota_used_up",
] as const;

export const cardKinds = ["access", "refill", "package"] as const;
export const cardStates = ["new", "sold", "active", "void"] as const;

/**
 * Prepaid codes that were made together. What its cards give is written here when it is made (the terms of its package as they
 * were), and stays: `simultaneousUse` is how many devices at a time, `duration` how long by the clock from the first use (NULL: no
 * such bound), `uptimeSeconds` how long online, `quotaTotal` how many bytes (0: no bound). `price` is what a buyer pays, and what a
 * refill brings. Codes are `prefix` and `length` symbols of `alphabet`; NULL lengths are those of codes that another system made
 * (`origin`). `sellBy` ends new cards, `useBy` sold ones. `chargeOn`: when the reseller, who holds it, pays `resellerPrice` a card.
 * `needsSale`: its cards open nothing before they are sold. `offline` 0: a box that is cut off from the others lets no new card in.
 */
export const cardBatches = sqliteTable(
  "card_batches",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    branchId: integer("branch_id").references(() => branches.id),
    kind: text("kind", { enum: cardKinds }).notNull(),
    packageId: integer("package_id").references(() => packages.id),
    quantity: integer("quantity").notNull(),
    prefix: text("prefix").notNull().default(""),
    length: integer("length"),
    alphabet: text("alphabet"),
    price: integer("price").notNull(),
    resellerId: integer("reseller_id").references(() => staff.id),
    resellerPrice: integer("reseller_price"),
    chargeOn: text("charge_on", { enum: ["handover", "use"] }),
    needsSale: flag("needs_sale", 0),
    sellBy: integer("sell_by"),
    useBy: integer("use_by"),
    duration: integer("duration"),
    durationUnit: text("duration_unit", { enum: ["hour", "day", "month"] }),
    uptimeSeconds: integer("uptime_seconds"),
    quotaTotal: integer("quota_total").notNull().default(0),
    ...accessColumns(),
    lockFirstDevice: flag("lock_first_device", 0),
    offline: flag("offline", 1),
    note: text("note"),
    origin: text("origin"),
    createdAt: createdAt(),
    createdBy: integer("created_by").references(() => staff.id),
    actor: text("actor"),
    voidedAt: integer("voided_at"),
    ...replyColumns(),
  }),
  (t) => [
    index("card_batches_isp").on(t.ispId, t.kind),
    index("card_batches_reseller")
      .on(t.resellerId)
      .where(sql`reseller_id IS NOT NULL`),
    index("card_batches_package").on(t.packageId),
    check("card_batches_kind", sql`${t.kind} IN ('access', 'refill', 'package')`),
    check("card_batches_package", sql`(${t.kind} = 'refill') = (${t.packageId} IS NULL)`),
    check("card_batches_ranges", sql`${t.quantity} > 0 AND ${t.price} >= 0 AND ${t.quotaTotal} >= 0`),
    check("card_batches_charge", sql`(${t.resellerId} IS NULL) = (${t.chargeOn} IS NULL)`),
    isFlag("card_batches", t.needsSale, t.lockFirstDevice, t.offline),
  ],
);

/**
 * A prepaid code. `codeKey` is the HMAC of what was typed without case, spaces and dashes, by which it is found; `codeSealed` is the
 * code, to print it again. `state` is what people did; whether a card has expired or is used up follows from `endsAt` (written at the
 * first use), `usedSeconds` and `usedOctets`, which are sums over all its sessions. `serial` counts within its batch from 1. `salePaymentId`
 * is what was taken for it at the desk. `chargedAt`: its reseller has paid for it, or nobody has to for one that was used. `redeemedBy`: the subscriber whom it was redeemed for.
 */
export const cards = sqliteTable(
  "cards",
  () => ({
    id: id(),
    batchId: integer("batch_id")
      .notNull()
      .references(() => cardBatches.id),
    serial: integer("serial").notNull(),
    codeKey: blob("code_key", { mode: "buffer" }).notNull(),
    codeSealed: sealed("code_sealed").notNull(),
    state: text("state", { enum: cardStates }).notNull().default("new"),
    soldAt: integer("sold_at"),
    soldBy: integer("sold_by").references(() => staff.id),
    salePaymentId: integer("sale_payment_id").references((): AnySQLiteColumn => payments.id),
    firstUsedAt: integer("first_used_at"),
    endsAt: integer("ends_at"),
    usedSeconds: integer("used_seconds").notNull().default(0),
    usedOctets: integer("used_octets").notNull().default(0),
    usedUpAt: integer("used_up_at"),
    lockedMac: text("locked_mac"),
    redeemedBy: integer("redeemed_by").references(() => subscribers.id),
    chargedAt: integer("charged_at"),
    voidedAt: integer("voided_at"),
    voidedBy: integer("voided_by").references(() => staff.id),
    voidReason: text("void_reason"),
  }),
  (t) => [
    uniqueIndex("cards_code").on(t.codeKey),
    uniqueIndex("cards_serial").on(t.batchId, t.serial),
    // covering indexes of card lists
    index("cards_state").on(t.batchId, t.state, t.serial, t.endsAt, t.usedUpAt),
    index("cards_sold")
      .on(t.batchId, t.soldAt)
      .where(sql`sold_at IS NOT NULL`),
    index("cards_seller")
      .on(t.soldBy, t.batchId, t.soldAt, t.state, t.endsAt, t.usedUpAt)
      .where(sql`sold_by IS NOT NULL`),
    index("cards_voider")
      .on(t.voidedBy)
      .where(sql`voided_by IS NOT NULL`),
    index("cards_redeemed")
      .on(t.redeemedBy)
      .where(sql`redeemed_by IS NOT NULL`),
    index("cards_uncharged")
      .on(t.id)
      .where(sql`first_used_at IS NOT NULL AND charged_at IS NULL`),
    index("cards_ends")
      .on(t.batchId, t.endsAt, t.usedUpAt)
      .where(sql`state = 'active' AND ends_at IS NOT NULL`),
    check("cards_state", sql`${t.state} IN ('new', 'sold', 'active', 'void')`),
  ],
);

/**
 * How many cards of a batch are in which stored state, kept by triggers; those that are left of its quantity are new, and a batch
 * without a row has no others. `unending` are those in use that no clock ends, apart from `unendingUsedUp`, which are used up. No
 * clock ends a card of the batch after `lastEnd`.
 */
export const cardCounts = sqliteTable("card_counts", () => ({
  batchId: integer("batch_id")
    .primaryKey()
    .references(() => cardBatches.id),
  sold: integer("sold").notNull(),
  active: integer("active").notNull(),
  void: integer("void").notNull(),
  unending: integer("unending").notNull(),
  unendingUsedUp: integer("unending_used_up").notNull(),
  lastEnd: integer("last_end").notNull(),
}));

/**
 * What became of cards by the local day, 20260131; 0 where there is none. `price` is what a buyer pays for one, `part` what of it is
 * the ISP's. `sellerId` sold them, else the reseller who holds them. `returned`: of those that became void, those that had been sold
 * and not used. What was booked on a day stays there.
 */
export const cardDays = sqliteTable(
  "card_days",
  () => ({
    ispId: integer("isp_id").notNull(),
    day: integer("day").notNull(),
    branchId: integer("branch_id").notNull(),
    kind: text("kind", { enum: cardKinds }).notNull(),
    packageId: integer("package_id").notNull(),
    price: integer("price").notNull(),
    part: integer("part").notNull(),
    resellerId: integer("reseller_id").notNull(),
    sellerId: integer("seller_id").notNull(),
    sold: integer("sold").notNull(),
    used: integer("used").notNull(),
    void: integer("void").notNull(),
    returned: integer("returned").notNull(),
  }),
  (t) => [
    primaryKey({
      columns: [t.ispId, t.day, t.branchId, t.kind, t.packageId, t.price, t.part, t.resellerId, t.sellerId],
    }),
  ],
);

/**
 * How an ISP's cards are printed: `sheet` is how many stand on what paper, `fields` is JSON of what stands on each (which of price,
 * validity, Wi-Fi name, QR that logs in, QR that joins the Wi-Fi, logo, serial) and of its words.
 */
export const cardTemplates = sqliteTable(
  "card_templates",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    sheet: text("sheet", { enum: ["a4-10", "a4-21", "a4-36", "a4-48", "roll-58", "roll-80"] }).notNull(),
    fields: text("fields").notNull(),
    createdAt: createdAt(),
  }),
  (t) => [index("card_templates_isp").on(t.ispId)],
);

/**
 * One accounting session, keyed by (nasAddress, acctSessionId, username, class, else nasPort); the newest row of a key
 * counts. inputOctets/outputOctets are totals that never decrease; counterInput/counterOutput are what the NAS said last,
 * so that a counter reset adds on. Open while `stoppedAt` is NULL. `closedBy` says who ended it. `acceptedAs` is the reason of
 * its Accept; `rateInput` and `rateOutput` are bits a second between its last two reports, NULL before the second; `grantedRate` and `grantedTerms` are fingerprints of the rate that the router was told and of what else a login
 * alone can change (addresses, pools, lists): from its Class, or from a CoA since. NULL: its Class does not say. `movedIn`: open
 * when it came from another system, and not heard of since, so that its first packet takes it over whatever its Class or port.
 * Of a card's session `username` is the number of the card (C-000123), never its code. `rateRefused`: why its router did not take the
 * rate that tiers or hours have put in force. `change` is its place among ended ones in the order of their last change (`db/record-changes.ts`).
 */
export const sessions = sqliteTable(
  "sessions",
  () => ({
    id: id(),
    nasId: integer("nas_id").references(() => nas.id, { onDelete: "set null" }),
    nasAddress: text("nas_address").notNull(),
    localAddress: text("local_address"),
    acctSessionId: text("acct_session_id").notNull(),
    username: text("username").notNull(),
    subscriberId: integer("subscriber_id").references(() => subscribers.id),
    class: blob("class", { mode: "buffer" }),
    nasPort: integer("nas_port"),
    nasPortId: text("nas_port_id"),
    nasPortType: integer("nas_port_type"),
    nasIp: text("nas_ip"),
    nasIdentifier: text("nas_identifier"),
    calledStationId: text("called_station_id"),
    mac: text("mac"),
    framedIp: text("framed_ip"),
    framedIpv6Prefix: text("framed_ipv6_prefix"),
    delegatedIpv6Prefix: text("delegated_ipv6_prefix"),
    startedAt: integer("started_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    stoppedAt: integer("stopped_at"),
    sessionTime: integer("session_time").notNull().default(0),
    inputOctets: integer("input_octets").notNull().default(0),
    outputOctets: integer("output_octets").notNull().default(0),
    counterInput: integer("counter_input").notNull().default(0),
    counterOutput: integer("counter_output").notNull().default(0),
    terminateCause: text("terminate_cause"),
    closedBy: text("closed_by", {
      enum: ["stop", "accounting_on", "lost_stop", "lost", "disconnect", "hand"],
    }),
    acceptedAs: text("accepted_as", { enum: acceptReasons }),
    grantedTerms: integer("granted_terms"),
    grantedRate: integer("granted_rate"),
    rateInput: integer("rate_input"),
    rateOutput: integer("rate_output"),
    movedIn: flag("moved_in", 0),
    cardId: integer("card_id").references((): AnySQLiteColumn => cards.id),
    viaBox: integer("via_box"),
    rateRefused: text("rate_refused"),
    change: integer("change").notNull().default(0),
  }),
  (t) => [
    index("sessions_changed")
      .on(t.change)
      .where(sql`stopped_at IS NOT NULL`),
    index("sessions_card")
      .on(t.cardId, t.startedAt)
      .where(sql`card_id IS NOT NULL`),
    index("sessions_open_card")
      .on(t.cardId, t.nasAddress, t.mac)
      .where(sql`stopped_at IS NULL AND card_id IS NOT NULL`),
    index("sessions_key").on(t.acctSessionId, t.nasAddress),
    index("sessions_subscriber").on(t.subscriberId, t.startedAt),
    index("sessions_framed_ip").on(t.framedIp, t.startedAt),
    index("sessions_framed_ipv6")
      .on(t.framedIpv6Prefix, t.startedAt)
      .where(sql`framed_ipv6_prefix IS NOT NULL`),
    index("sessions_delegated_ipv6")
      .on(t.delegatedIpv6Prefix, t.startedAt)
      .where(sql`delegated_ipv6_prefix IS NOT NULL`),
    index("sessions_stopped")
      .on(t.stoppedAt)
      .where(sql`stopped_at IS NOT NULL`),
    // with router and device, to find the session that a Start replaces
    index("sessions_open_subscriber")
      .on(t.subscriberId, t.nasAddress, t.mac)
      .where(sql`stopped_at IS NULL`),
    // the device first, by which two mostly differ: router and port are those of hundreds
    index("sessions_open_port")
      .on(t.mac, t.nasAddress, t.nasPortId, t.nasPort)
      .where(sql`stopped_at IS NULL`),
    index("sessions_open_address")
      .on(t.nasAddress, t.framedIp)
      .where(sql`stopped_at IS NULL`),
    // next to none: without it the findings went through every open session
    index("sessions_open_refused")
      .on(t.nasId)
      .where(sql`stopped_at IS NULL AND rate_refused IS NOT NULL`),
    // all by start too, router by router (by-router.ts of the domain): one index more costs each Start
    index("sessions_nas").on(t.nasId, t.startedAt),
    index("sessions_mac")
      .on(t.mac, t.startedAt)
      .where(sql`mac IS NOT NULL`),
    // all that the page of who is online counts, filters and sorts by, for the rows themselves lie far apart; who is late is found by
    // walking it (milliseconds for 30,000), for an index of that alone costs each packet of accounting
    index("sessions_open_board")
      .on(
        t.nasId,
        t.subscriberId,
        t.startedAt,
        t.updatedAt,
        t.rateInput,
        t.rateOutput,
        t.acceptedAs,
        t.inputOctets,
        t.outputOctets,
      )
      .where(sql`stopped_at IS NULL`),
  ],
);

/** The end that a session's router was told last by CoA. */
export const toldEnds = sqliteTable("told_ends", () => ({
  sessionId: integer("session_id")
    .primaryKey()
    .references(() => sessions.id, { onDelete: "cascade" }),
  until: integer("until").notNull(),
}));

/** Sessions of unknown names dropped beyond a router's limit. */
export const droppedSessions = sqliteTable("dropped_sessions", () => ({
  nasId: integer("nas_id")
    .primaryKey()
    .references(() => nas.id, { onDelete: "cascade" }),
  total: integer("total").notNull(),
  lastAt: integer("last_at").notNull(),
}));

/** `day` is the local date as an integer, 20260131. */
export const usageDays = sqliteTable(
  "usage_days",
  () => ({
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    day: integer("day").notNull(),
    inputOctets: integer("input_octets").notNull().default(0),
    outputOctets: integer("output_octets").notNull().default(0),
  }),
  (t) => [primaryKey({ columns: [t.subscriberId, t.day] }), index("usage_days_day").on(t.day)],
);

export const authLog = sqliteTable(
  "auth_log",
  () => ({
    id: id(),
    at: integer("at").notNull(),
    nasId: integer("nas_id"),
    nasAddress: text("nas_address").notNull(),
    username: text("username").notNull(),
    subscriberId: integer("subscriber_id"),
    accepted: integer("accepted").notNull(),
    reason: text("reason").notNull(),
    detail: text("detail"),
    method: text("method"),
    mac: text("mac"),
    class: blob("class", { mode: "buffer" }),
    cardId: integer("card_id"),
  }),
  (t) => [
    index("auth_log_at").on(t.at),
    index("auth_log_rejected_at")
      .on(t.at)
      .where(sql`accepted = 0`),
    index("auth_log_subscriber").on(t.subscriberId),
    index("auth_log_username").on(t.username),
    // a covering index for refused devices, names and houses
    index("auth_log_rejected")
      .on(t.reason, t.at, t.subscriberId, t.username, t.mac)
      .where(sql`accepted = 0`),
    isFlag("auth_log", t.accepted),
  ],
);

/** A minute of a NAS, from `at`: open sessions at its end, and events. Kept when the NAS is removed. */
const sampleColumns = () => ({
  nasId: integer("nas_id").notNull(),
  at: integer("at").notNull(),
  ispId: integer("isp_id").notNull(),
  sessions: integer("sessions").notNull(),
  accepted: integer("accepted").notNull().default(0),
  rejected: integer("rejected").notNull().default(0),
  inputOctets: integer("input_octets").notNull().default(0),
  outputOctets: integer("output_octets").notNull().default(0),
});
export const nasMinutes = sqliteTable("nas_minutes", sampleColumns, (t) => [
  primaryKey({ columns: [t.nasId, t.at] }),
  index("nas_minutes_at").on(t.at),
]);
/** Samples by hour: mean `sessions`, and `sessionsMost` at once. */
export const nasHours = sqliteTable(
  "nas_hours",
  () => ({ ...sampleColumns(), sessionsMost: integer("sessions_most").notNull() }),
  (t) => [primaryKey({ columns: [t.nasId, t.at] }), index("nas_hours_at").on(t.at)],
);

/** Logins of a NAS by local day and reason. */
export const loginDays = sqliteTable(
  "login_days",
  () => ({
    day: integer("day").notNull(),
    nasId: integer("nas_id").notNull(),
    ispId: integer("isp_id").notNull(),
    accepted: integer("accepted").notNull(),
    reason: text("reason").notNull(),
    logins: integer("logins").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.day, t.nasId, t.accepted, t.reason] })],
);

/** Bytes by local day and place; 0: none. */
export const trafficDays = sqliteTable(
  "traffic_days",
  () => ({
    day: integer("day").notNull(),
    ispId: integer("isp_id").notNull(),
    branchId: integer("branch_id").notNull(),
    packageId: integer("package_id").notNull(),
    sellerId: integer("seller_id").notNull(),
    subscribers: integer("subscribers").notNull(),
    inputOctets: integer("input_octets").notNull(),
    outputOctets: integer("output_octets").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.ispId, t.day, t.branchId, t.packageId, t.sellerId] })],
);

/** Bytes by month, 202601, to find heavy users. */
export const usageMonths = sqliteTable(
  "usage_months",
  () => ({
    month: integer("month").notNull(),
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    inputOctets: integer("input_octets").notNull(),
    outputOctets: integer("output_octets").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.month, t.subscriberId] })],
);

/** Counts at the end of a local day: `total` not archived, `active` with a running service. */
export const subscriberDays = sqliteTable(
  "subscriber_days",
  () => ({
    day: integer("day").notNull(),
    ispId: integer("isp_id").notNull(),
    branchId: integer("branch_id").notNull(),
    sellerId: integer("seller_id").notNull(),
    total: integer("total").notNull(),
    active: integer("active").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.ispId, t.day, t.branchId, t.sellerId] })],
);

/**
 * What happened, written in the transaction that did it. `id` goes up in the order of the commits; `uid` is what a receiver knows it by.
 * `seq` counts those of a subscriber from 1 on. `dueKey` is set for what time does, and for what is told once in a while: no two events of
 * a type have the same. `at` is when it happened, or was due; `data` is the JSON that is told, without secrets.
 */
export const events = sqliteTable(
  "events",
  () => ({
    id: id(),
    uid: text("uid").notNull(),
    type: text("type").notNull(),
    ispId: integer("isp_id"),
    subscriberId: integer("subscriber_id").references(() => subscribers.id),
    seq: integer("seq"),
    dueKey: text("due_key"),
    at: integer("at").notNull(),
    writtenAt: integer("written_at").notNull(),
    data: text("data").notNull(),
  }),
  (t) => [
    uniqueIndex("events_uid").on(t.uid),
    uniqueIndex("events_due")
      .on(t.type, t.dueKey)
      .where(sql`due_key IS NOT NULL`),
    index("events_subscriber")
      .on(t.subscriberId, t.id)
      .where(sql`subscriber_id IS NOT NULL`),
    index("events_isp").on(t.ispId, t.id),
    index("events_written").on(t.writtenAt),
    check("events_seq", sql`(${t.subscriberId} IS NULL) = (${t.seq} IS NULL)`),
  ],
);

/** Events of each subscriber, including deleted ones. */
export const eventCounts = sqliteTable("event_counts", () => ({
  subscriberId: integer("subscriber_id")
    .primaryKey()
    .references(() => subscribers.id),
  seq: integer("seq").notNull(),
}));

/** Progress marks: the last planned event's id, the last reported due time. */
export const marks = sqliteTable("marks", () => ({
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
}));

/**
 * Who is called of events (Standard Webhooks). `ispId` NULL: of all. `types` is a JSON list, of the types or `*` for all but sessions.
 * The secret before is signed with too until `formerUntil`. `slowUntil`: the receiver asked to wait. `disabledAt`: nothing is sent, for
 * `disabledReason`.
 */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  () => ({
    id: id(),
    ispId: integer("isp_id").references(() => isps.id),
    url: text("url").notNull(),
    note: text("note"),
    types: text("types").notNull(),
    secretSealed: sealed("secret_sealed").notNull(),
    formerSealed: sealed("former_sealed"),
    formerUntil: integer("former_until"),
    allowLocal: flag("allow_local", 0),
    slowUntil: integer("slow_until"),
    disabledAt: integer("disabled_at"),
    disabledReason: text("disabled_reason"),
    createdAt: createdAt(),
    createdBy: integer("created_by").references(() => staff.id),
  }),
  (t) => [
    index("webhook_endpoints_isp").on(t.ispId),
    isFlag("webhook_endpoints", t.allowLocal),
    check("webhook_endpoints_former", sql`(${t.formerSealed} IS NULL) = (${t.formerUntil} IS NULL)`),
  ],
);

export const deliveryStates = ["waiting", "delivered", "failed", "cancelled"] as const;

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  () => ({
    id: id(),
    // an endpoint's deliveries go later with their events: deleting a million at once holds the lock for seconds
    endpointId: integer("endpoint_id").notNull(),
    eventId: integer("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    subscriberId: integer("subscriber_id"),
    state: text("state", { enum: deliveryStates }).notNull().default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    nextAt: integer("next_at").notNull(),
    endedAt: integer("ended_at"),
  }),
  (t) => [
    uniqueIndex("webhook_deliveries_event").on(t.endpointId, t.eventId),
    index("webhook_deliveries_events").on(t.eventId),
    index("webhook_deliveries_endpoint").on(t.endpointId, t.id),
    index("webhook_deliveries_state").on(t.endpointId, t.state, t.id),
    index("webhook_deliveries_due")
      .on(t.endpointId, t.nextAt)
      .where(sql`state = 'waiting'`),
    // finds earlier waiting ones of a subscriber
    index("webhook_deliveries_order")
      .on(t.endpointId, t.subscriberId, t.eventId)
      .where(sql`state = 'waiting'`),
    check("webhook_deliveries_state", sql`${t.state} IN ('waiting', 'delivered', 'failed', 'cancelled')`),
  ],
);

/** An attempt: `status` NULL without an answer, `error` in words, `answer` the beginning of the body. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  () => ({
    id: id(),
    deliveryId: integer("delivery_id")
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    at: integer("at").notNull(),
    milliseconds: integer("milliseconds").notNull(),
    status: integer("status"),
    error: text("error"),
    answer: text("answer"),
  }),
  (t) => [index("webhook_attempts_delivery").on(t.deliveryId)],
);

/**
 * A way to reach people. `settings` is JSON of what is no secret, `secretsSealed` JSON of what is. `address` is what of a person it needs.
 * `perMinute` bounds what it sends. `passesId`: the other side knows a message by our id, so that one that may have left can go again.
 * `downSince`, `downReason`, `tryAt`: it fails for everybody, and is tried again then.
 */
export const channels = sqliteTable(
  "channels",
  () => ({
    id: id(),
    ispId: integer("isp_id").references(() => isps.id),
    name: text("name").notNull(),
    kind: text("kind", { enum: ["smtp", "http", "push"] }).notNull(),
    address: text("address", { enum: ["email", "mobile", "none", "device"] }).notNull(),
    isSms: flag("is_sms", 0),
    settings: text("settings").notNull(),
    secretsSealed: sealed("secrets_sealed"),
    perMinute: integer("per_minute").notNull(),
    passesId: flag("passes_id", 0),
    allowLocal: flag("allow_local", 0),
    disabledAt: integer("disabled_at"),
    downSince: integer("down_since"),
    downReason: text("down_reason"),
    tryAt: integer("try_at"),
    createdAt: createdAt(),
  }),
  (t) => [
    index("channels_isp").on(t.ispId),
    isFlag("channels", t.isSms, t.passesId, t.allowLocal),
    check("channels_rate", sql`${t.perMinute} > 0`),
  ],
);

/**
 * A browser that a person reads notifications in (RFC 8030): where its push service takes them, and sealed JSON of what encrypts them (RFC 8291). `site`
 * is the page that asked, `tokenId` the token or session by which it did, as that is stored: it goes when they are ended, not when their time is over.
 */
export const pushDevices = sqliteTable(
  "push_devices",
  () => ({
    id: id(),
    subscriberId: integer("subscriber_id").references(() => subscribers.id, { onDelete: "cascade" }),
    staffId: integer("staff_id").references(() => staff.id, { onDelete: "cascade" }),
    endpoint: text("endpoint").notNull(),
    keysSealed: sealed("keys_sealed").notNull(),
    site: text("site").notNull(),
    userAgent: text("user_agent"),
    tokenId: text("token_id").notNull(),
    createdAt: createdAt(),
  }),
  (t) => [
    uniqueIndex("push_devices_endpoint").on(t.endpoint),
    index("push_devices_subscriber").on(t.subscriberId, t.id),
    index("push_devices_staff").on(t.staffId, t.id),
    check("push_devices_person", sql`(${t.subscriberId} IS NULL) <> (${t.staffId} IS NULL)`),
  ],
);

/** A text in one language, with fields such as `{{name}}`. */
export const messageTemplates = sqliteTable(
  "message_templates",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    language: text("language").notNull(),
    subject: text("subject").notNull().default(""),
    body: text("body").notNull(),
  }),
  (t) => [uniqueIndex("message_templates_name").on(t.ispId, t.name, t.language)],
);

/**
 * Who is told what when: on an event of a type, or `offset` seconds after (below 0: before) an expiry or the due date of an invoice. `audience` is `subscriber`,
 * `salesperson` or `staff` (with `flag`). Quiet hours are minutes of the local day. What is late by more than `lateBy` seconds is skipped.
 * `plannedTo`: due moments until then have their messages.
 */
export const messageRules = sqliteTable(
  "message_rules",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    on: text("on", { enum: ["event", "expiry", "due"] }).notNull(),
    eventType: text("event_type"),
    offset: integer("offset").notNull().default(0),
    audience: text("audience", { enum: ["subscriber", "salesperson", "staff"] }).notNull(),
    flag: text("flag"),
    channelId: integer("channel_id")
      .notNull()
      .references(() => channels.id),
    template: text("template").notNull(),
    quietFrom: integer("quiet_from"),
    quietTo: integer("quiet_to"),
    lateBy: integer("late_by").notNull(),
    isEnabled: flag("is_enabled", 1),
    plannedTo: integer("planned_to").notNull(),
    createdAt: createdAt(),
  }),
  (t) => [
    index("message_rules_isp").on(t.ispId),
    index("message_rules_channel").on(t.channelId),
    isFlag("message_rules", t.isEnabled),
    check("message_rules_on", sql`(${t.on} = 'event') = (${t.eventType} IS NOT NULL)`),
    check("message_rules_flag", sql`(${t.audience} = 'staff') = (${t.flag} IS NOT NULL)`),
    check("message_rules_quiet", sql`(${t.quietFrom} IS NULL) = (${t.quietTo} IS NULL)`),
  ],
);

export const messageStates = [
  "waiting",
  "sending",
  "sent",
  "perhaps",
  "failed",
  "skipped",
  "cancelled",
] as const;

/**
 * The outbox: one message to one person. No rule tells a person of a period twice. `sending` is written before it leaves, so that one that was
 * under way when the power went is known: `perhaps` it was sent. `uid` is its Message-ID and what channels are told. `dueAt` is
 * the moment it is about, `reason` why it failed or was skipped. Written when planned: its address, subject and body are written when it is first sent.
 * What staff write by hand has no rule and a period that says so; `template` is empty where the words are their own, which are sealed as they were typed.
 */
export const messages = sqliteTable(
  "messages",
  () => ({
    id: id(),
    uid: text("uid").notNull(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    // kept after its rule was deleted: clearing a million rows holds the lock for seconds
    ruleId: integer("rule_id"),
    eventId: integer("event_id").references(() => events.id, { onDelete: "set null" }),
    channelId: integer("channel_id")
      .notNull()
      .references(() => channels.id),
    subscriberId: integer("subscriber_id").references(() => subscribers.id),
    staffId: integer("staff_id").references(() => staff.id),
    aboutId: integer("about_id").references(() => subscribers.id),
    period: text("period").notNull(),
    state: text("state", { enum: messageStates }).notNull().default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    dueAt: integer("due_at").notNull(),
    nextAt: integer("next_at").notNull(),
    createdAt: createdAt(),
    endedAt: integer("ended_at"),
    template: text("template").notNull(),
    address: text("address"),
    language: text("language"),
    subject: text("subject"),
    bodySealed: sealed("body_sealed"),
    reason: text("reason"),
    wordsSealed: sealed("words_sealed"),
    writtenBy: integer("written_by").references(() => staff.id),
  }),
  (t) => [
    uniqueIndex("messages_uid").on(t.uid),
    uniqueIndex("messages_subscriber_period")
      .on(t.ruleId, t.subscriberId, t.period)
      .where(sql`subscriber_id IS NOT NULL`),
    uniqueIndex("messages_staff_period")
      .on(t.ruleId, t.staffId, t.aboutId, t.period)
      .where(sql`staff_id IS NOT NULL`),
    index("messages_due")
      .on(t.channelId, t.nextAt)
      .where(sql`state = 'waiting'`),
    index("messages_sending")
      .on(t.channelId)
      .where(sql`state = 'sending'`),
    index("messages_isp").on(t.ispId, t.id),
    index("messages_state").on(t.ispId, t.state, t.id),
    index("messages_about").on(t.subscriberId, t.id),
    index("messages_channel").on(t.channelId, t.id),
    index("messages_rule").on(t.ruleId, t.id),
    index("messages_event").on(t.eventId),
    check("messages_person", sql`(${t.subscriberId} IS NULL) <> (${t.staffId} IS NULL)`),
    check(
      "messages_state",
      sql`${t.state} IN (${sql.raw(messageStates.map((state) => `'${state}'`).join(", "))})`,
    ),
  ],
);

/**
 * Who tells us of money: a provider (`kind` provider, called at /pay/KEY), or a program of the ISP's that signs with a secret made for it
 * (`signed`). `settings` is JSON: how it proves itself, and where in its body what is found.
 */
export const paymentSources = sqliteTable(
  "payment_sources",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    kind: text("kind", { enum: ["provider", "signed"] }).notNull(),
    name: text("name").notNull(),
    method: text("method").notNull(),
    settings: text("settings").notNull(),
    keyHash: blob("key_hash", { mode: "buffer" }),
    keySealed: sealed("key_sealed"),
    secretSealed: sealed("secret_sealed"),
    createdAt: createdAt(),
    disabledAt: integer("disabled_at"),
  }),
  (t) => [
    uniqueIndex("payment_sources_name").on(t.ispId, t.name),
    uniqueIndex("payment_sources_key")
      .on(t.keyHash)
      .where(sql`key_hash IS NOT NULL`),
    check("payment_sources_kind", sql`${t.kind} IN ('provider', 'signed')`),
    check("payment_sources_key", sql`(${t.kind} = 'provider') = (${t.keyHash} IS NOT NULL)`),
  ],
);

export const incomingStates = ["booked", "unmatched", "assigned", "dismissed", "told"] as const;

/**
 * A payment that somebody told us of. The first of a (provider, external id) has `variant` 0, what contradicts it the next. `told`: a refund or a
 * dispute, which nothing books. `unmatched` waits for staff, for `reason`. Amounts are minor units of `currency`. `bodyHash` is of what was
 * sent, by which the same is known again; `rawSealed` is kept until `rawUntil`. `lineKey`: of a bank's file, the line.
 */
export const incomingPayments = sqliteTable(
  "incoming_payments",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    sourceId: integer("source_id").references(() => paymentSources.id),
    provider: text("provider").notNull(),
    externalId: text("external_id").notNull(),
    variant: integer("variant").notNull().default(0),
    state: text("state", { enum: incomingStates }).notNull(),
    reason: text("reason"),
    amount: integer("amount").notNull(),
    currency: text("currency").notNull(),
    paidAt: integer("paid_at"),
    reference: text("reference"),
    payer: text("payer"),
    subscriberId: integer("subscriber_id").references(() => subscribers.id),
    paymentId: integer("payment_id").references(() => payments.id),
    bodyHash: blob("body_hash", { mode: "buffer" }).notNull(),
    answer: text("answer"),
    rawSealed: sealed("raw_sealed"),
    rawUntil: integer("raw_until"),
    receivedAt: integer("received_at").notNull(),
    endedAt: integer("ended_at"),
    endedBy: integer("ended_by").references(() => staff.id),
  }),
  (t) => [
    uniqueIndex("incoming_payments_external").on(t.ispId, t.provider, t.externalId, t.variant),
    index("incoming_payments_isp").on(t.ispId, t.id),
    index("incoming_payments_provider").on(t.ispId, t.provider, t.id),
    index("incoming_payments_open")
      .on(t.ispId, t.id)
      .where(sql`state IN ('unmatched', 'told') AND ended_at IS NULL`),
    index("incoming_payments_subscriber")
      .on(t.subscriberId)
      .where(sql`subscriber_id IS NOT NULL`),
    index("incoming_payments_payment")
      .on(t.paymentId)
      .where(sql`payment_id IS NOT NULL`),
    index("incoming_payments_raw")
      .on(t.rawUntil)
      .where(sql`raw_sealed IS NOT NULL`),
    check(
      "incoming_payments_state",
      sql`${t.state} IN ('booked', 'unmatched', 'assigned', 'dismissed', 'told')`,
    ),
  ],
);

/** A bank's file with its column map, JSON. Its lines are incoming payments of provider `bank`. */
export const bankFiles = sqliteTable(
  "bank_files",
  () => ({
    id: id(),
    ispId: integer("isp_id")
      .notNull()
      .references(() => isps.id),
    name: text("name").notNull(),
    columns: text("columns").notNull(),
    lines: integer("lines").notNull(),
    createdAt: createdAt(),
    createdBy: integer("created_by").references(() => staff.id),
  }),
  (t) => [index("bank_files_isp").on(t.ispId, t.id)],
);

/** `value` is JSON; `ispId` 0 is the appliance, which an ISP overrides. */
export const settings = sqliteTable(
  "settings",
  () => ({
    ispId: integer("isp_id").notNull().default(0),
    key: text("key").notNull(),
    value: text("value").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.ispId, t.key] })],
);

/** Uploaded logos, named `upload:ID` by `portal_logo`; `ispId` 0 is the appliance. */
export const logos = sqliteTable(
  "logos",
  () => ({
    id: id(),
    ispId: integer("isp_id").notNull(),
    type: text("type").notNull(),
    content: blob("content", { mode: "buffer" }).notNull(),
    createdAt: createdAt(),
  }),
  (t) => [index("logos_isp").on(t.ispId)],
);

/** Counts changes of cached tables (`configuration`: nas and settings), by triggers. `books` is another number after each restore. */
export const generations = sqliteTable("generations", () => ({
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
}));

/**
 * Who is signed in to the console: `id` is the SHA-256 of what the cookie holds. `secondFactorAt` NULL: the password was right,
 * and the code of the second factor is still to come, until when the session opens nothing. Ended by its row going.
 */
export const staffSessions = sqliteTable(
  "staff_sessions",
  () => ({
    id: text("id").primaryKey(),
    staffId: integer("staff_id")
      .notNull()
      .references(() => staff.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    seenAt: integer("seen_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    secondFactorAt: integer("second_factor_at"),
    source: text("source").notNull(),
    userAgent: text("user_agent"),
  }),
  (t) => [
    index("staff_sessions_staff").on(t.staffId, t.createdAt),
    index("staff_sessions_expires").on(t.expiresAt),
  ],
);

/** One-time codes for a lost second factor; `codeHash` is keyed. */
export const staffRecoveryCodes = sqliteTable(
  "staff_recovery_codes",
  () => ({
    staffId: integer("staff_id")
      .notNull()
      .references(() => staff.id, { onDelete: "cascade" }),
    codeHash: blob("code_hash", { mode: "buffer" }).notNull(),
    usedAt: integer("used_at"),
  }),
  (t) => [primaryKey({ columns: [t.staffId, t.codeHash] })],
);

/** Preferences of a member of staff, as JSON. */
export const staffPreferences = sqliteTable(
  "staff_preferences",
  () => ({
    staffId: integer("staff_id")
      .notNull()
      .references(() => staff.id, { onDelete: "cascade" }),
    key: text("key").notNull(),
    value: text("value").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.staffId, t.key] })],
);

/** Finished steps of the first start. */
export const setupSteps = sqliteTable("setup_steps", () => ({
  step: text("step").primaryKey(),
  state: text("state", { enum: ["done", "skipped"] }).notNull(),
  at: integer("at").notNull(),
}));

/**
 * Lines that went dark together: those of a router, of a distribution box or of an area. `beganAt` is when the first went,
 * `endedAt` NULL while they are not back. `lines` is how many went, `evidence` what showed it, as JSON.
 */
export const outages = sqliteTable(
  "outages",
  () => ({
    id: id(),
    ispId: integer("isp_id").references(() => isps.id),
    kind: text("kind", { enum: ["router", "box", "area"] }).notNull(),
    nasId: integer("nas_id").references(() => nas.id, { onDelete: "set null" }),
    areaId: integer("area_id").references(() => areas.id, { onDelete: "set null" }),
    boxNumber: text("box_number"),
    beganAt: integer("began_at").notNull(),
    foundAt: integer("found_at").notNull(),
    endedAt: integer("ended_at"),
    lines: integer("lines").notNull(),
    evidence: text("evidence").notNull(),
  }),
  (t) => [
    index("outages_began").on(t.beganAt),
    index("outages_open")
      .on(t.ispId)
      .where(sql`ended_at IS NULL`),
  ],
);

/** Subscribers of an outage, and when each line went dark and came back. */
export const outageLines = sqliteTable(
  "outage_lines",
  () => ({
    outageId: integer("outage_id")
      .notNull()
      .references(() => outages.id, { onDelete: "cascade" }),
    subscriberId: integer("subscriber_id")
      .notNull()
      .references(() => subscribers.id),
    darkAt: integer("dark_at").notNull(),
    backAt: integer("back_at"),
  }),
  (t) => [
    primaryKey({ columns: [t.outageId, t.subscriberId] }),
    index("outage_lines_subscriber").on(t.subscriberId, t.darkAt),
  ],
);

/**
 * A box that answers routers beside the books. `nkey` is what it signs in to NATS with, `sealKey` the X25519 key that the boxes' key is
 * sealed to, both public. `scope`: JSON of the ISPs or branches whose subscribers it has; NULL: all. `journal`: up to which number of its
 * journal the books have committed. `state`: what it said of itself last. `refused`: rows of its journal that were not its own to tell, of
 * which the last came at `refusedAt`. `ownKeysAt`: since when it has keys for what is told to it alone; NULL: it has one that all boxes share.
 */
export const accessBoxes = sqliteTable(
  "access_boxes",
  () => ({
    id: id(),
    name: text("name").notNull(),
    nkey: text("nkey").notNull(),
    sealKey: text("seal_key").notNull(),
    scope: text("scope"),
    journal: integer("journal").notNull().default(0),
    heardAt: integer("heard_at"),
    cutOffAt: integer("cut_off_at"),
    state: text("state"),
    createdAt: createdAt(),
    createdBy: integer("created_by").references(() => staff.id),
    removedAt: integer("removed_at"),
    refused: integer("refused").notNull().default(0),
    refusedAt: integer("refused_at"),
    refusedWhat: text("refused_what"),
    ownKeysAt: integer("own_keys_at"),
  }),
  (t) => [
    uniqueIndex("access_boxes_name")
      .on(t.name)
      .where(sql`removed_at IS NULL`),
  ],
);

/**
 * One row: what this store is among the boxes. `marking` 1: triggers mark what has to be published. (`epoch`, `number`) is the highest pair
 * that may have been given to a record. `keySealed` is the boxes' key, `keyNumber` which one; `seedSealed` the seed of
 * the nkey by which this store signs in to NATS, `pairSealed` of a box the private half of its `sealKey`. `overSince`: since when books with a higher
 * epoch count. `pending`: 'recover' after a restore, until somebody has recovered or declined. `bucket`: when the bucket was made that all
 * of this was published to. Of an access box: `boxId` is its number at the books, `highest` the highest epoch that it has heard of, `proof` the head that its books have signed for it,
 * `booksKey` the public half of what they sign with, `beatAt`
 * the time of the last beat by the clock of the books, which came in `beatBoot` of its machine, `beatUptime` milliseconds after that began, `home` up to where the books have its journal.
 * `booked`: the number of the last change that the stream of the
 * books has. `lineage`: JSON of [epoch, number] pairs, what of earlier epochs is part of these books. `restoredAt`: when the backup was put in place. `link`: JSON of how the connection to NATS
 * stands, each 10 seconds.
 */
export const accessState = sqliteTable(
  "access_state",
  () => ({
    id: integer("id").primaryKey(),
    role: text("role", { enum: ["books", "access"] })
      .notNull()
      .default("books"),
    marking: flag("marking", 0),
    epoch: integer("epoch").notNull().default(0),
    number: integer("number").notNull().default(0),
    keySealed: sealed("key_sealed"),
    keyNumber: integer("key_number").notNull().default(0),
    seedSealed: sealed("seed_sealed"),
    pairSealed: sealed("pair_sealed"),
    overSince: integer("over_since"),
    pending: text("pending", { enum: ["recover"] }),
    beatAt: integer("beat_at"),
    beatBoot: text("beat_boot"),
    beatUptime: integer("beat_uptime"),
    bucket: text("bucket"),
    highest: integer("highest").notNull().default(0),
    boxId: integer("box_id"),
    home: integer("home").notNull().default(0),
    link: text("link"),
    booked: integer("booked").notNull().default(0),
    lineage: text("lineage").notNull().default("[]"),
    restoredAt: integer("restored_at"),
    booksKey: text("books_key"),
    proof: blob("proof", { mode: "buffer" }),
  }),
  (t) => [check("access_state_one", sql`${t.id} = 1`), isFlag("access_state", t.marking)],
);

/** Records to publish. `mark` counts changes. `isSoon` 0: may wait, byte counts a minute, the many sessions a quarter of a second. */
export const accessMarks = sqliteTable(
  "access_marks",
  () => ({
    key: text("key").primaryKey(),
    mark: integer("mark").notNull(),
    isSoon: flag("is_soon", 1),
  }),
  (t) => [
    index("access_marks_soon")
      .on(t.isSoon)
      .where(sql`is_soon = 1`),
  ],
);

/**
 * On the books the subject under which a key was published last; on an access box also the highest pair that it was told under it.
 * `included`: in the use of a subscriber or card the journal of this box is up to that number. `rowId`: which row of this store a session is.
 */
export const accessKeys = sqliteTable("access_keys", () => ({
  key: text("key").primaryKey(),
  subject: text("subject").notNull(),
  epoch: integer("epoch").notNull().default(0),
  number: integer("number").notNull().default(0),
  isGone: flag("is_gone", 0),
  included: integer("included").notNull().default(0),
  rowId: integer("row_id"),
}));

/** Former places of a subscriber, card or batch on boxes: `1.11` is a branch. */
export const accessTold = sqliteTable(
  "access_told",
  () => ({ key: text("key").notNull(), place: text("place").notNull() }),
  (t) => [primaryKey({ columns: [t.key, t.place] })],
);

/**
 * What an access box has to tell the books, in this order. `boot` and `uptime` (milliseconds since that boot) say how long ago it was
 * by a clock that never jumps. `octets` and `seconds`: what the record added for its subscriber or card.
 */
export const journal = sqliteTable(
  "journal",
  () => ({
    number: integer("number").primaryKey({ autoIncrement: true }),
    kind: text("kind").notNull(),
    at: integer("at").notNull(),
    boot: text("boot").notNull(),
    uptime: integer("uptime").notNull(),
    subscriberId: integer("subscriber_id"),
    cardId: integer("card_id"),
    octets: integer("octets").notNull().default(0),
    seconds: integer("seconds").notNull().default(0),
    body: text("body").notNull(),
  }),
  (t) => [
    index("journal_subscriber")
      .on(t.subscriberId, t.number)
      .where(sql`subscriber_id IS NOT NULL AND octets > 0`),
    index("journal_card")
      .on(t.cardId, t.number)
      .where(sql`card_id IS NOT NULL`),
  ],
);

/** Rows not yet in the change stream, by JSON primary key. Written by triggers. */
export const bookChanges = sqliteTable("book_changes", () => ({
  number: integer("number").primaryKey({ autoIncrement: true }),
  tableName: text("table_name").notNull(),
  key: text("key").notNull(),
  at: integer("at")
    .notNull()
    .default(sql`(unixepoch())`),
}));

/**
 * When a record was changed last: its place in the order of commits among those of its noun (`db/record-changes.ts`), 0 for what was
 * there before there was an order. Written by triggers; ended sessions have theirs in their row.
 */
export const recordChanges = sqliteTable(
  "record_changes",
  () => ({
    noun: integer("noun").notNull(),
    id: integer("id").notNull(),
    number: integer("number").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.noun, t.id] }), index("record_changes_number").on(t.noun, t.number, t.id)],
);

/**
 * What an assistant asks for by its key: a call of the API, its arguments and the entries of the audit log that it would leave, JSON without
 * secrets. Nothing is done before somebody presses it, which is once and before it ends.
 */
export const proposals = sqliteTable(
  "proposals",
  () => ({
    id: id(),
    keyId: integer("key_id")
      .notNull()
      .references(() => staff.id, { onDelete: "cascade" }),
    call: text("call").notNull(),
    arguments: text("arguments").notNull(),
    entries: text("entries").notNull(),
    createdAt: createdAt(),
    endsAt: integer("ends_at").notNull(),
    pressedAt: integer("pressed_at"),
    pressedBy: integer("pressed_by").references(() => staff.id),
  }),
  (t) => [index("proposals_ends").on(t.endsAt), index("proposals_key").on(t.keyId, t.id)],
);

/** `before` and `after` are JSON without secrets. */
export const auditEntries = sqliteTable(
  "audit_entries",
  () => ({
    id: id(),
    at: integer("at").notNull(),
    ispId: integer("isp_id"),
    staffId: integer("staff_id").references(() => staff.id),
    actor: text("actor").notNull(),
    source: text("source").notNull(),
    action: text("action").notNull(),
    entity: text("entity").notNull(),
    entityId: text("entity_id").notNull(),
    before: text("before"),
    after: text("after"),
  }),
  (t) => [
    index("audit_entries_at").on(t.at),
    index("audit_entries_entity").on(t.entity, t.entityId),
    index("audit_entries_isp").on(t.ispId, t.at),
  ],
);
