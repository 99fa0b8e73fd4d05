import type { Db, Tx } from "../../../../../db/open.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault, type Input } from "../../../core/fields/fields.ts";
import { currencyFault } from "../../settings/currency.ts";
import {
  APPLIANCE,
  isSettingKey,
  setting,
  settingDefinitions,
  type SettingKey,
  storeSetting,
} from "../../../core/settings/settings.ts";
import { below, object } from "./rows.ts";
import type { Staging } from "./staging.ts";

export type Settings = ReadonlyMap<SettingKey, boolean | number | string>;

export function readSettings(file: Input, faults: Faults): Settings {
  const accepted = new Map<SettingKey, boolean | number | string>();
  if (file["settings"] === undefined) return accepted;
  for (const [key, value] of Object.entries(object(file["settings"], "/settings", faults) ?? {})) {
    const pointer = below("/settings", key);
    if (!isSettingKey(key)) {
      addFault(faults, pointer, phrase`is not a known setting`);
      continue;
    }
    const { values } = settingDefinitions[key];
    const decoded = values.read(value);
    if (decoded === undefined) addFault(faults, pointer, values.message);
    else accepted.set(key, decoded);
  }
  return accepted;
}

/** Faults that need the store. */
export function findSettingFaults(db: Db, settings: Settings, faults: Faults): void {
  const currency = settings.get("currency");
  const fault = currency === undefined ? undefined : currencyFault(db, APPLIANCE, currency);
  if (fault !== undefined) addFault(faults, below("/settings", "currency"), fault);
}

/** Settings that change. */
export function changedSettings({ db, changes }: Staging, settings: Settings): Settings {
  return new Map(
    [...settings].filter(([key, value]) => {
      const before = setting(db, key);
      if (before === value) return false;
      changes.add("settings", 0, "", key, { before: String(before), after: String(value) });
      return true;
    }),
  );
}

export function writeSettings(tx: Tx, settings: Settings): void {
  for (const [key, value] of settings) storeSetting(tx, key, value);
}
