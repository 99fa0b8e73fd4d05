import type { Db, Tx } from "../../../db/open.ts";
import type { FieldErrors } from "../errors.ts";
import { addFault, type Input } from "../fields.ts";
import { isSettingKey, settingDefinitions, type SettingKey, storeSetting } from "../settings/settings.ts";
import { below, object } from "./rows.ts";

export type Settings = ReadonlyMap<SettingKey, boolean | number | string>;

export function readSettings(file: Input, faults: FieldErrors): Settings {
  const accepted = new Map<SettingKey, boolean | number | string>();
  if (file["settings"] === undefined) return accepted;
  for (const [key, value] of Object.entries(object(file["settings"], "/settings", faults) ?? {})) {
    const pointer = below("/settings", key);
    if (!isSettingKey(key)) {
      addFault(faults, pointer, "is not a known setting");
      continue;
    }
    const { values } = settingDefinitions[key];
    const decoded = values.read(value);
    if (decoded === undefined) addFault(faults, pointer, values.message);
    else accepted.set(key, decoded);
  }
  return accepted;
}

/** Those that are not stored with this value already. */
export function changedSettings(db: Db, settings: Settings): Settings {
  const stored = db.$client.query<{ value: string }, [string]>(
    "SELECT value FROM settings WHERE isp_id = 0 AND key = ?",
  );
  return new Map([...settings].filter(([key, value]) => stored.get(key)?.value !== JSON.stringify(value)));
}

export function writeSettings(tx: Tx, settings: Settings): void {
  for (const [key, value] of settings) storeSetting(tx, key, value);
}
