import { type Db, write } from "../../../db/open.ts";
import { isps } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import { type Actor, inIsp, requireWholeIsp } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { currencyFault } from "./currency.ts";
import {
  APPLIANCE,
  brandingKeys,
  isSettingKey,
  setting,
  settingDefinitions,
  type SettingKey,
  storeSetting,
} from "./settings.ts";

/* Settings as people look at them and change them. What is not an ISP's own is the operator's. */

interface Named {
  key: string;
  /** By default the actor's own, for the operator the whole appliance. */
  ispId?: number | undefined;
}

/** The currency of each ISP in the actor's scope, by its id. */
export function currenciesByIsp(db: Db, by: Actor): ReadonlyMap<number, string> {
  permit(by, "currenciesByIsp");
  return new Map(ownIsps(db, by).map(({ id }) => [id, setting(db, "currency", id)]));
}

/** Every setting that the actor may set with its value, default and meaning. */
export function listSettings(
  db: Db,
  by: Actor,
): { key: SettingKey; value: unknown; initially: unknown; meaning: string }[] {
  permit(by, "listSettings");
  const { ispId } = by.scope;
  return Object.keys(settingDefinitions)
    .filter(isSettingKey)
    .filter((key) => ispId === null || brandingKeys.has(key))
    .map((key) => {
      const { initially, meaning } = settingDefinitions[key];
      return { key, value: setting(db, key, ispId ?? APPLIANCE), initially, meaning };
    });
}

/** The value of a setting by a name that somebody typed. Throws `not_found`, `forbidden`. */
export function settingByName(db: Db, by: Actor, { key: name, ispId }: Named): boolean | number | string {
  permit(by, "settingByName");
  const key = knownKey(name);
  return setting(db, key, ispWithin(db, by, key, ispId));
}

/**
 * Changes a setting, of the whole appliance or of one ISP. Throws `not_found` for an unknown key or ISP, `invalid` for
 * a value that it does not accept, or a setting that is not an ISP's, `forbidden` for one that is not the actor's to set, and
 * `refused` for the currency of books that are kept.
 */
export function changeSetting(
  db: Db,
  by: Actor,
  { key: name, value, ispId: named }: Named & { value: unknown },
  { now }: { now: Seconds },
): void {
  permit(by, "changeSetting");
  requireWholeIsp(by, "settings");
  const key = knownKey(name);
  const { values } = settingDefinitions[key];
  const accepted = values.read(value);
  if (accepted === undefined)
    throw new DomainError("invalid", `${key} ${values.message}`, { fields: { [key]: [values.message] } });
  write(db, (tx) => {
    const ispId = ispWithin(tx, by, key, named, { isOwn: true });
    const before = setting(tx, key, ispId);
    const fault = key === "currency" ? currencyFault(tx, ispId, accepted) : undefined;
    if (fault !== undefined) throw new DomainError("refused", `${key} ${fault}`);
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

/** Whose value is meant. Throws `not_found`, `forbidden`, and `invalid` where a value of an ISP's own is wanted that it cannot have. */
function ispWithin(
  db: Db,
  by: Actor,
  key: SettingKey,
  named: number | undefined,
  { isOwn = false }: { isOwn?: boolean } = {},
): number {
  const ispId = named ?? by.scope.ispId ?? APPLIANCE;
  const isOperators = ispId === APPLIANCE || !brandingKeys.has(key);
  if (isOperators && by.scope.ispId !== null)
    throw new DomainError(
      "forbidden",
      `${key} of the whole appliance is its operator's; ask somebody who is`,
    );
  if (ispId === APPLIANCE) return ispId;
  if (isOwn && isOperators)
    throw new DomainError("invalid", `${key} is a setting of the whole appliance, not of one ISP`);
  requireIsp(db, by, ispId);
  return ispId;
}

/** Throws not_found, with the ISPs that the actor has, unless it has this one. */
export function requireIsp(db: Db, by: Actor, ispId: number): void {
  const all = ownIsps(db, by);
  if (all.some(({ id }) => id === ispId)) return;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(", ");
  const instead = known === "" ? "import one first: gatehouse import FILE" : `there are ${known}`;
  throw new DomainError("not_found", `there is no ISP ${ispId}; ${instead}`);
}

function ownIsps(db: Db, { scope }: Actor) {
  return db.select().from(isps).where(inIsp(scope, isps.id)).all();
}

function knownKey(name: string): SettingKey {
  if (isSettingKey(name)) return name;
  throw new DomainError(
    "not_found",
    `there is no setting ${name}; there are ${Object.keys(settingDefinitions).join(", ")}`,
  );
}
