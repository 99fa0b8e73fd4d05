import { Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { settings } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import { type Field, field, truth, wholeNumber } from "../fields.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";

const define = <T>(initially: T, meaning: string, values: Field<T>) => ({ initially, meaning, values });

/** Every setting of appliance.md: its default, what it does, what it accepts. */
export const settingDefinitions = {
  disconnect_enabled: define(true, "whether staff may disconnect sessions", truth),
  currency: define(
    "USD",
    "ISO 4217 code of the money",
    field(
      Type.String({ pattern: "^[A-Z]{3}$" }),
      "must be a currency code such as USD",
      (code): string => code,
    ),
  ),
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
    wholeNumber(1, 30),
  ),
  coa_message_authenticator: define(
    false,
    "whether disconnect and change requests carry a Message-Authenticator, for routers that require one",
    truth,
  ),
  disconnect_confirm: define(
    2,
    "seconds to wait for proof that a disconnected subscriber is gone; 0 takes the router's word",
    wholeNumber(0, 15),
  ),
  expired_session_timeout: define(
    600,
    "seconds that an expired subscriber stays in the walled garden before asking again",
    wholeNumber(1, 86_400),
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
  backup_every_hours: define(24, "hours between two scheduled backups; 0 makes none", wholeNumber(0, 720)),
  backup_keep: define(14, "scheduled backups that are kept", wholeNumber(1, 1000)),
  backup_folder: define(
    "",
    "where scheduled backups go, better on another disk; empty: backups in the data folder",
    field(
      Type.String({ pattern: "^(/[^\\x00-\\x1f]*)?$", maxLength: 1000 }),
      "must be a path that begins with /, or empty",
      (path): string => path,
    ),
  ),
};

export type SettingKey = keyof typeof settingDefinitions;
type SettingValue<K extends SettingKey> = (typeof settingDefinitions)[K]["initially"];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key);
}

/** The value of a setting for the whole appliance, its default when never set. */
export function setting<K extends SettingKey>(db: Db, key: K): SettingValue<K> {
  const row = db
    .select({ value: settings.value })
    .from(settings)
    .where(and(eq(settings.ispId, 0), eq(settings.key, key)))
    .get();
  const definition = settingDefinitions[key];
  const stored = row && definition.values.read(JSON.parse(row.value));
  return (stored ?? definition.initially) as SettingValue<K>;
}

/** Every setting with its value, default and meaning. */
export function listSettings(
  db: Db,
): { key: SettingKey; value: unknown; initially: unknown; meaning: string }[] {
  return Object.keys(settingDefinitions)
    .filter(isSettingKey)
    .map((key) => {
      const { initially, meaning } = settingDefinitions[key];
      return { key, value: setting(db, key), initially, meaning };
    });
}

/** The value of a setting by a name that somebody typed. Throws `not_found`. */
export function settingByName(db: Db, name: string): boolean | number | string {
  return setting(db, knownKey(name));
}

/** Changes a setting. Throws `not_found` for an unknown key and `invalid` for a value that it does not accept. */
export function changeSetting(
  db: Db,
  { key: name, value, now, by }: { key: string; value: unknown; now: Seconds; by: Actor },
): void {
  const key = knownKey(name);
  const { values } = settingDefinitions[key];
  const accepted = values.read(value);
  if (accepted === undefined)
    throw new DomainError("invalid", `${key} ${values.message}`, { fields: { [key]: [values.message] } });
  write(db, (tx) => {
    const before = setting(tx, key);
    storeSetting(tx, key, accepted);
    audit(tx, by, now, {
      action: "setting.change",
      entity: "setting",
      entityId: key,
      ispId: null,
      before: { [key]: before },
      after: { [key]: accepted },
    });
  });
}

function knownKey(name: string): SettingKey {
  if (isSettingKey(name)) return name;
  throw new DomainError(
    "not_found",
    `there is no setting ${name}; there are ${Object.keys(settingDefinitions).join(", ")}`,
  );
}

/** Stores an accepted value without a record of who did it; see changeSetting. */
export function storeSetting(tx: Tx, key: SettingKey, value: boolean | number | string): void {
  const text = JSON.stringify(value);
  tx.insert(settings)
    .values({ key, value: text })
    .onConflictDoUpdate({ target: [settings.ispId, settings.key], set: { value: text } })
    .run();
}
