import { phrase } from "../errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { insert } from "../../../../db/insert.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { settings } from "../../../../db/schema.ts";
import { field, flag, text, truth, wholeNumber } from "../fields/fields.ts";
import { zoneName } from "../fields/zones.ts";
import { define, optional } from "./define.ts";
import { eventSettings } from "./event-settings.ts";
import { gardenSettings } from "./garden-settings.ts";
import { hotspotSettings } from "./hotspot-settings.ts";
import { languageSettings } from "./language-settings.ts";
import { messageSettings } from "./message-settings.ts";
import { officeSettings } from "./office-settings.ts";
import { portalSettings } from "./portal-settings.ts";
import { routerSettings } from "./router-settings.ts";

export const settingDefinitions = {
  disconnect_enabled: define(true, "whether staff may disconnect sessions", truth),
  currency: define(
    "USD",
    "ISO 4217 code of the money",
    field(
      Type.String({ pattern: "^[A-Z]{3}$" }),
      phrase`must be a currency code such as USD`,
      (code): string => code,
    ),
  ),
  unique_contacts: define<0 | 1>(
    1,
    "1: no two subscribers share a nic_number, mobile_number, phone_number or e-mail; 0: they may, as a household with two lines does",
    flag,
  ),
  portal_name: define("", "name over the subscriber's pages; empty: the name of the ISP", optional(text(80))),
  portal_logo: define(
    "",
    "PNG, JPEG, WebP or SVG file shown beside it, at most 256 KB; upload:NUMBER is one that staff uploaded",
    field(
      Type.String({
        pattern: "^(upload:[1-9]\\d{0,14}|/[^\\x00-\\x1f]*\\.(png|jpe?g|webp|svg))?$",
        maxLength: 1000,
      }),
      phrase`must be a path that begins with / and ends in .png, .jpg, .webp or .svg, or empty`,
      (path): string => path,
    ),
  ),
  portal_color: define(
    "#1f5eff",
    "colour of the subscriber's pages; lightened or darkened where text would be hard to read",
    field(
      Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }),
      phrase`must be a colour such as #1f5eff`,
      (color): string => color.toLowerCase(),
    ),
  ),
  portal_contact: define(
    "",
    "how subscribers reach the ISP, lines with | or a line break between them",
    optional(text(500, { lines: true })),
  ),
  ...portalSettings,
  ...officeSettings,
  ...hotspotSettings,
  ...eventSettings,
  ...messageSettings,
  acct_interim_interval: define(
    300,
    "seconds between the accounting updates that routers are asked for",
    wholeNumber(1, 86_400),
  ),
  stale_session_after: define(
    3,
    "missed accounting updates after which a session counts as lost",
    wholeNumber(1, 100),
  ),
  max_coa_wait: define(
    3,
    "seconds that a router has to answer a disconnect or change request",
    wholeNumber(1, 10),
  ),
  coa_message_authenticator: define(
    false,
    "whether disconnect and change requests carry a Message-Authenticator, for routers that require one",
    truth,
  ),
  disconnect_confirm: define(
    2,
    "seconds to wait for proof that a disconnected subscriber is gone; 0 takes the router's word",
    wholeNumber(0, 5),
  ),
  expired_session_timeout: define(
    600,
    "seconds that an expired subscriber stays in the walled garden before asking again",
    wholeNumber(1, 86_400),
  ),
  ...gardenSettings,
  ...routerSettings,
  watch_minutes: define(
    10,
    "minutes between two looks at each router that has an account for its API; 0: none is looked at by itself",
    wholeNumber(0, 1440),
  ),
  dhcp_lease: define(
    1800,
    "seconds that a lease of DHCP lasts before its router asks again; a change reaches a lease no sooner",
    wholeNumber(120, 86_400),
  ),
  dhcp_password: define(
    "",
    "password that DHCP servers of routers send for everybody (radius-password of RouterOS); empty: none, or the User-Name",
    optional(text(64)),
  ),
  address_kept_days: define(
    30,
    "days that an expired subscriber keeps the address of its pool",
    wholeNumber(0, 3650),
  ),
  auth_log_days: define(90, "days that login decisions are kept", wholeNumber(1, 3650)),
  auth_log_rows: define(
    1_000_000,
    "login decisions that are kept at the most",
    wholeNumber(1000, 100_000_000),
  ),
  session_days: define(
    180,
    "days that ended sessions are kept, for who had an address when",
    wholeNumber(1, 36_500),
  ),
  usage_days: define(800, "days that the usage of each day is kept", wholeNumber(31, 36_500)),
  audit_days: define(1095, "days that it is kept who changed what", wholeNumber(1, 36_500)),
  console_idle_minutes: define(
    60,
    "minutes without a press after which somebody is signed out of the console",
    wholeNumber(1, 720),
  ),
  admins_need_second_factor: define(
    false,
    "whether Admins need a second factor at the console; a role says it for those who have it",
    truth,
  ),
  backup_every_hours: define(24, "hours between two scheduled backups; 0 makes none", wholeNumber(0, 720)),
  backup_keep: define(14, "scheduled backups that are kept", wholeNumber(1, 1000)),
  backup_try_days: define(
    7,
    "days between two trial restores of the newest backup, made at night; 0 makes none",
    wholeNumber(0, 365),
  ),
  backup_folder: define(
    "",
    "where scheduled backups go, better on another disk; empty: backups in the data folder",
    field(
      Type.String({ pattern: "^(/[^\\x00-\\x1f]*)?$", maxLength: 1000 }),
      phrase`must be a path that begins with /, or empty`,
      (path): string => path,
    ),
  ),
  backup_to_nats: define(
    false,
    "whether a backup is put into the object store of nats-server each hour, the last 24 are kept; for books with access boxes",
    truth,
  ),
  start_without_nats: define(
    true,
    "whether books with access boxes that start go on alone when nats-server has not said within 10 seconds which books count; false: they wait for it",
    truth,
  ),
  time_zone: define(
    "",
    "IANA name of the zone whose days and times are meant, such as Europe/London; empty: that of the service (TZ), else of the machine",
    optional(zoneName),
  ),
  checkpoint_megabytes: define(
    4,
    "megabytes of the write-ahead log that are moved into the database at once; more spares the flash of a router, and takes as much disk",
    wholeNumber(1, 24),
  ),
  sample_write_minutes: define(
    1,
    "minutes of what routers carried that are written at once; more spares flash, and pictures are as much behind",
    wholeNumber(1, 5),
  ),
  money_waits: define(
    false,
    "whether the answer to a payment waits, 2 seconds at the most, until the stream of the books on another machine has it",
    truth,
  ),
  ...languageSettings,
  demo_data: define(
    false,
    "whether what is stored is made up, to look at; the console says so on every page",
    truth,
  ),
};

export type SettingKey = keyof typeof settingDefinitions;

/** Settings that an ISP may have its own value of. */
export const brandingKeys: ReadonlySet<string> = new Set<string>([
  "currency",
  "portal_name",
  "portal_logo",
  "portal_color",
  "portal_contact",
  ...Object.keys(portalSettings),
  ...Object.keys(officeSettings),
  ...Object.keys(hotspotSettings),
  ...Object.keys(eventSettings),
  ...Object.keys(messageSettings),
]);

/** The appliance, in place of an ISP's id. */
export const APPLIANCE = 0;

type SettingValue<K extends SettingKey> = (typeof settingDefinitions)[K]["initially"];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key);
}

/** The ISP's value, else the appliance's, else the default. */
export function setting<K extends SettingKey>(db: Db, key: K, ispId = APPLIANCE): SettingValue<K> {
  const row = db.$client
    .query<{ value: string }, [number, number, string]>(
      "SELECT value FROM settings WHERE isp_id IN (?, ?) AND key = ? ORDER BY isp_id DESC LIMIT 1",
    )
    .get(APPLIANCE, ispId, key);
  const stored = row ? storedSetting(key, row.value) : undefined;
  return (stored ?? settingDefinitions[key].initially) as SettingValue<K>;
}

export function readSettings<K extends SettingKey>(
  { $client }: Db,
  keys: readonly K[],
  ispId = APPLIANCE,
): { readonly [Key in K]: SettingValue<Key> } {
  const rows = $client
    .query<{ key: K; value: string }, [number, number, string]>(
      `SELECT key, value FROM settings WHERE isp_id IN (?, ?) AND key IN (SELECT value FROM json_each(?)) ORDER BY isp_id`,
    )
    .all(APPLIANCE, ispId, JSON.stringify(keys));
  const stored = new Map(rows.map(({ key, value }) => [key, value])); // an ISP's own comes after the appliance's
  const storedOrInitial = (key: K) => {
    const json = stored.get(key);
    return (json === undefined ? undefined : storedSetting(key, json)) ?? settingDefinitions[key].initially;
  };
  return Object.fromEntries(keys.map((key) => [key, storedOrInitial(key)])) as {
    [Key in K]: SettingValue<Key>;
  };
}

/** The value of a setting as it is stored; undefined: invalid, as by somebody's SQL. */
export function storedSetting(key: SettingKey, json: string): unknown {
  try {
    return settingDefinitions[key].values.read(JSON.parse(json));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Stores a setting without permission or audit; see changeSetting. */
export function storeSetting(
  tx: Tx,
  key: SettingKey,
  value: boolean | number | string,
  ispId = APPLIANCE,
): void {
  insert(tx, settings, { ispId, key, value: JSON.stringify(value) }, { replacing: ["ispId", "key"] });
}
