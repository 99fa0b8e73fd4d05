import { settingFigure } from "../../../../domain/machine/settings/figures.ts";
import { currencyFault } from "../../../../domain/machine/settings/currency.ts";
import { APPLIANCE, settingDefinitions, type SettingKey } from "../../../../domain/core/settings/settings.ts";
import type { StaffVisit } from "../../guard.ts";
import { controls } from "./controls.ts";
import { settingText } from "./words.ts";
import type { Whose } from "./whose.ts";

/** The consequence of a typed value, or how to correct it. */
export function describeEffect(
  { view, db }: StaffVisit,
  { by }: Whose,
  key: SettingKey,
  value: string,
): string {
  const { name, effect, none } = view.words.settings.words[key];
  const isOff = controls[key].kind === "switch" && value === "";
  const known = isOff ? false : settingDefinitions[key].values.read(value);
  if (known === undefined) return `${name} ${settingDefinitions[key].values.message}.`;
  const bound = key === "currency" ? currencyFault(db, by.scope.ispId ?? APPLIANCE, known) : undefined;
  if (bound !== undefined) return `${name} ${bound}.`;
  if (none !== undefined && (known === "" || known === 0)) return none;
  return effect(settingText(view, key, known), settingFigure(db, by, { key }));
}
