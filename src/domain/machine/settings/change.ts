import { all, equal, type Value } from "../../../../db/condition.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { sellersCondition } from "../../people/staff/salesperson.ts";
import { type Actor, ownIsp, requireWholeIsp } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ADMIN } from "../../core/actor/profile-types.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { tryFolder } from "../backup/folder.ts";
import { logoFault } from "../../people/branding/branding.ts";
import { forgetLogos, keepLogo, LOGO_MESSAGE, logoType } from "../../people/branding/logo.ts";
import { currencyFault } from "./currency.ts";
import {
  APPLIANCE,
  brandingKeys,
  isSettingKey,
  setting,
  settingDefinitions,
  type SettingKey,
  storeSetting,
} from "../../core/settings/settings.ts";

interface Named {
  key: string;
  /** By default the actor's own; for the operator the whole appliance. */
  ispId?: number | undefined;
}

export function currenciesByIsp(db: Db, by: Actor): ReadonlyMap<number, string> {
  permit(by, "currenciesByIsp");
  return new Map(ownIsps(db, by).map(({ id }) => [id, setting(db, "currency", id)]));
}

export type SettingAnswer = boolean | number | string;

export interface ListedSetting {
  readonly key: SettingKey;
  readonly value: SettingAnswer;
  readonly initially: SettingAnswer;
  readonly meaning: string;
  /** Whether it is set, at this level. */
  readonly isSet: boolean;
}

/** Settings with value, default and meaning. Throws `not_found` for an unknown ISP. */
export function listSettings(db: Db, by: Actor): ListedSetting[] {
  permit(by, "listSettings");
  const { ispId } = by.scope;
  if (ispId !== null) requireIsp(db, by, ispId);
  return keys
    .filter((key) => ispId === null || brandingKeys.has(key))
    .map((key) => listedAt(db, key, ispId ?? whereSet(db, by, key)));
}

const keys = Object.keys(settingDefinitions).filter(isSettingKey);

function listedAt(db: Db, key: SettingKey, ispId: number): ListedSetting {
  const { initially, meaning } = settingDefinitions[key];
  return { key, value: setting(db, key, ispId), initially, meaning, isSet: hasOwn(db, key, ispId) };
}

function hasOwn({ $client }: Db, key: SettingKey, ispId: number): boolean {
  const row = $client.query<unknown, [number, string]>("SELECT 1 FROM settings WHERE isp_id = ? AND key = ?");
  return row.get(ispId, key) !== null;
}

/** The holder of an operator's value: a single ISP that has one, which would hide the appliance's; else the appliance. */
function whereSet(db: Db, { scope }: Actor, key: SettingKey): number {
  const only = brandingKeys.has(key) ? ownIsp(db, scope) : null;
  return only !== null && hasOwn(db, key, only) ? only : APPLIANCE;
}

/** Settings of the operator, and the operators, for everybody else. */
export function boxSettings(db: Db, by: Actor): { keys: SettingKey[]; operators: string[] } {
  permit(by, "boxSettings");
  const operators = db.$client
    .query<{ name: string }, [number]>(
      "SELECT name FROM staff WHERE isp_id IS NULL AND branch_id IS NULL AND status = 1 AND profile_type = ? ORDER BY name COLLATE NOCASE, id",
    )
    .all(ADMIN);
  return { keys: keys.filter((key) => !brandingKeys.has(key)), operators: operators.map(({ name }) => name) };
}

/** ISPs with settings that the actor may see. */
export function settingIsps(db: Db, by: Actor): { id: number; name: string }[] {
  permit(by, "settingIsps");
  return ownIsps(db, by);
}

/** Throws `not_found`, `forbidden`. */
export function settingByName(db: Db, by: Actor, { key: name, ispId }: Named): boolean | number | string {
  permit(by, "settingByName");
  const key = knownKey(name);
  return setting(db, key, ispWithin(db, by, key, ispId));
}

/**
 * Sets a value for the appliance or an ISP. Throws `not_found` for an unknown key or ISP, `invalid` for a bad value or a
 * setting that no ISP has, `forbidden`, and `refused` for the currency of kept books.
 */
export function changeSetting(
  db: Db,
  by: Actor,
  { key: name, value, ispId: named }: Named & { value: unknown },
  { now }: { now: Seconds },
): void {
  permit(by, "changeSetting");
  requireWholeIsp(by, "settings");
  const { key, accepted } = readSetting(by, { key: name, value });
  write(db, (tx) => {
    const ispId = ispWithin(tx, by, key, named, { isOwn: true });
    store(tx, by, { key, value: accepted, ispId }, { now });
    if (key === "portal_logo") forgetLogos(tx, ispId);
  });
}

/** Tries the file or folder of a setting. Throws as changeSetting, and `refused` with its fault. */
export async function trySetting(
  db: Db,
  by: Actor,
  { key: name, value, ispId: named }: Named & { value: unknown },
): Promise<void> {
  permit(by, "trySetting");
  requireWholeIsp(by, "settings");
  const { key, accepted } = readSetting(by, { key: name, value });
  ispWithin(db, by, key, named, { isOwn: true }); // nobody else learns what files there are
  if (typeof accepted !== "string" || !accepted.startsWith("/")) return; // empty, or no path at all
  const isFolder = key === "backup_folder";
  const isService = by.staffId !== null; // staff ask the server, which its unit keeps from more than its user
  const fault = isFolder
    ? await tryFolder(accepted, isService)
    : key === "portal_logo"
      ? logoFault(accepted)
      : null;
  if (fault !== null) throw new DomainError("refused", phrase`${key} stays as it was: ${fault}`);
}

/** Parses key and value. Throws `not_found`, `invalid`. */
export function readSetting(by: Actor, { key: name, value }: { key: string; value: unknown }) {
  const key = knownKey(name);
  const { values } = settingDefinitions[key];
  const accepted = values.read(value);
  if (accepted === undefined) throw unacceptable(key, values.message);
  // a path on the box is no business of an ISP's staff
  if (key === "portal_logo" && by.staffId !== null && accepted !== "")
    throw unacceptable(key, phrase`is uploaded with POST /api/v1/setting/logo; empty removes it`);
  return { key, accepted };
}

/** Stores a PNG, JPEG, WebP or SVG (by content) as logo. Throws `invalid`, `not_found`, `forbidden`. */
export function changeLogo(
  db: Db,
  by: Actor,
  { content, ispId: named }: { content: Uint8Array; ispId?: number | undefined },
  { now }: { now: Seconds },
): void {
  permit(by, "changeLogo");
  requireWholeIsp(by, "settings");
  const key = "portal_logo";
  const type = logoType(content);
  if (type === undefined) throw unacceptable("logo", LOGO_MESSAGE);
  write(db, (tx) => {
    const ispId = ispWithin(tx, by, key, named, { isOwn: true });
    forgetLogos(tx, ispId);
    store(tx, by, { key, value: keepLogo(tx, { ispId, type, content }, now), ispId }, { now });
  });
}

function store(
  tx: Tx,
  by: Actor,
  { key, value, ispId }: { key: SettingKey; value: SettingAnswer; ispId: number },
  { now }: { now: Seconds },
): void {
  const before = setting(tx, key, ispId);
  const fault = key === "currency" ? currencyFault(tx, ispId, value) : undefined;
  if (fault !== undefined) throw new DomainError("refused", phrase`${key} ${fault}`);
  if (key === "sign_up_salesperson" && value !== "" && !isSeller(tx, String(value), ispId))
    throw unacceptable(
      key,
      phrase`must be the username of an enabled Admin or Reseller of the ISP, or empty`,
    );
  storeSetting(tx, key, value, ispId);
  auditChange(tx, by, now, { key, ispId, before, after: value });
}

function isSeller(tx: Tx, username: string, ispId: number): boolean {
  const { text, values } = sellersCondition({ ...everything, ispId: ispId === APPLIANCE ? null : ispId });
  const holders = `SELECT 1 FROM staff a WHERE a.status = 1 AND ${text} AND a.username_key = ?`;
  return tx.$client.query<unknown, Value[]>(holders).get(...values, fold(username)) !== null;
}

interface Change {
  readonly key: SettingKey;
  readonly ispId: number;
  readonly before: SettingAnswer;
  readonly after: SettingAnswer;
}

function auditChange(tx: Tx, by: Actor, now: Seconds, { key, ispId, before, after }: Change): void {
  audit(tx, by, now, {
    action: "setting.change",
    entity: "setting",
    entityId: key,
    ispId: ispId === APPLIANCE ? null : ispId,
    before: { [key]: inAuditLog(key, before) },
    after: { [key]: inAuditLog(key, after) },
  });
}

/** The Wi-Fi password stays out of the audit log, which others read for years. */
function inAuditLog(key: SettingKey, value: SettingAnswer): SettingAnswer {
  return key === "wifi_password" && value !== "" ? "(set)" : value;
}

function unacceptable(name: string, message: Phrase): DomainError {
  return new DomainError("invalid", phrase`${name} ${message}`, { fields: { [name]: [message] } });
}

/** Resets to the appliance's value, or to the default. Throws as changeSetting. */
export function resetSetting(
  db: Db,
  by: Actor,
  { key: name, ispId: named }: Named,
  { now }: { now: Seconds },
): void {
  permit(by, "resetSetting");
  requireWholeIsp(by, "settings");
  const key = knownKey(name);
  write(db, (tx) => {
    const ispId = ispWithin(tx, by, key, named, { isOwn: true });
    const before = setting(tx, key, ispId);
    const isWhole = ispId === APPLIANCE || (named === undefined && by.scope.ispId === null);
    const after = isWhole ? settingDefinitions[key].initially : setting(tx, key);
    const fault = key === "currency" ? currencyFault(tx, ispId, after) : undefined;
    if (fault !== undefined) throw new DomainError("refused", phrase`${key} ${fault}`);
    tx.$client.query("DELETE FROM settings WHERE isp_id = ? AND key = ?").run(ispId, key);
    if (isWhole) tx.$client.query("DELETE FROM settings WHERE isp_id = ? AND key = ?").run(APPLIANCE, key);
    if (key === "portal_logo") for (const one of isWhole ? [ispId, APPLIANCE] : [ispId]) forgetLogos(tx, one);
    auditChange(tx, by, now, { key, ispId, before, after });
  });
}

/** The level of a setting. Throws `not_found`, `forbidden`, and `invalid` where an ISP cannot have its own. */
function ispWithin(
  db: Db,
  by: Actor,
  key: SettingKey,
  named: number | undefined,
  { isOwn = false }: { isOwn?: boolean } = {},
): number {
  const ispId = named ?? by.scope.ispId ?? whereSet(db, by, key);
  const isOperators = ispId === APPLIANCE || !brandingKeys.has(key);
  if (isOperators && by.scope.ispId !== null)
    throw new DomainError(
      "forbidden",
      phrase`${key} of the whole appliance is its operator's; ask somebody who is`,
      { code: "operator_only" },
    );
  if (ispId === APPLIANCE) return ispId;
  if (isOwn && isOperators)
    throw new DomainError("invalid", phrase`${key} is a setting of the whole appliance, not of one ISP`);
  requireIsp(db, by, ispId);
  return ispId;
}

export function requireIsp(db: Db, by: Actor, ispId: number): void {
  const all = ownIsps(db, by);
  if (all.some(({ id }) => id === ispId)) return;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(", ");
  const instead = known === "" ? ispAdvice(db) : phrase`there are ${known}`;
  const which = ispId < 1 ? phrase`such ISP` : phrase`ISP ${ispId}`; // a scope of no rows has an id that nobody named
  throw new DomainError("not_found", phrase`there is no ${which}; ${instead}`);
}

/** Advice for an unknown ISP. */
function ispAdvice({ $client }: Db): Phrase {
  const isEmpty = $client.query("SELECT 1 FROM isps LIMIT 1").get() === null;
  return isEmpty ? phrase`add one first: gatehouse place add isp NAME` : phrase`name one that there is`;
}

function ownIsps({ $client }: Db, { scope }: Actor) {
  const { text, values } = all(equal("id", scope.ispId));
  return $client
    .query<{ id: number; name: string }, Value[]>(`SELECT id, name FROM isps WHERE ${text}`)
    .all(...values);
}

function knownKey(name: string): SettingKey {
  if (isSettingKey(name)) return name;
  throw new DomainError(
    "not_found",
    phrase`there is no setting ${name}; there are ${Object.keys(settingDefinitions).join(", ")}`,
  );
}
