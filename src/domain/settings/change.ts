import { type Db, type Tx, write } from "../../../db/open.ts";
import { isps } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";
import {
  APPLIANCE,
  brandingKeys,
  isSettingKey,
  setting,
  settingDefinitions,
  type SettingKey,
  storeSetting,
} from "./settings.ts";

/** The currency of each ISP, by its id. */
export function currenciesByIsp(db: Db, _by: Actor): ReadonlyMap<number, string> {
  const all = db.select({ id: isps.id }).from(isps).all();
  return new Map(all.map(({ id }) => [id, setting(db, "currency", id)]));
}

/** Every setting with its value, default and meaning. */
export function listSettings(
  db: Db,
  _by: Actor,
): { key: SettingKey; value: unknown; initially: unknown; meaning: string }[] {
  return Object.keys(settingDefinitions)
    .filter(isSettingKey)
    .map((key) => {
      const { initially, meaning } = settingDefinitions[key];
      return { key, value: setting(db, key), initially, meaning };
    });
}

/** The value of a setting by a name that somebody typed. Throws `not_found`. */
export function settingByName(
  db: Db,
  _by: Actor,
  { key: name, ispId = APPLIANCE }: { key: string; ispId?: number | undefined },
): boolean | number | string {
  const key = knownKey(name);
  if (ispId !== APPLIANCE) requireIsp(db, ispId);
  return setting(db, key, ispId);
}

/**
 * Changes a setting, of the whole appliance or of one ISP. Throws `not_found` for an unknown key or ISP and `invalid` for
 * a value that it does not accept, or a setting that is not an ISP's.
 */
export function changeSetting(
  db: Db,
  by: Actor,
  { key: name, value, ispId = APPLIANCE }: { key: string; value: unknown; ispId?: number | undefined },
  { now }: { now: Seconds },
): void {
  const key = knownKey(name);
  const { values } = settingDefinitions[key];
  const accepted = values.read(value);
  if (accepted === undefined)
    throw new DomainError("invalid", `${key} ${values.message}`, { fields: { [key]: [values.message] } });
  write(db, (tx) => {
    if (ispId !== APPLIANCE) requireIspsOwn(tx, key, ispId);
    const before = setting(tx, key, ispId);
    storeSetting(tx, key, accepted, ispId);
    audit(tx, by, now, {
      action: "setting.change",
      entity: "setting",
      entityId: key,
      ispId: ispId === APPLIANCE ? null : ispId,
      before: { [key]: before },
      after: { [key]: accepted },
    });
  });
}

function requireIspsOwn(tx: Tx, key: SettingKey, ispId: number): void {
  if (!brandingKeys.has(key))
    throw new DomainError("invalid", `${key} is a setting of the whole appliance, not of one ISP`);
  requireIsp(tx, ispId);
}

function requireIsp(db: Db, ispId: number): void {
  const all = db.select().from(isps).all();
  if (all.some(({ id }) => id === ispId)) return;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(", ");
  throw new DomainError("not_found", `there is no ISP ${ispId}; there are ${known || "none"}`);
}

function knownKey(name: string): SettingKey {
  if (isSettingKey(name)) return name;
  throw new DomainError(
    "not_found",
    `there is no setting ${name}; there are ${Object.keys(settingDefinitions).join(", ")}`,
  );
}
