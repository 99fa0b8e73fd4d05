import type { SettingAnswer } from "../../../../domain/machine/settings/change.ts";
import type { SettingKey } from "../../../../domain/core/settings/settings.ts";
import type { ConsoleView } from "../../view.ts";
import { unitsText } from "../../parts/duration.ts";
import { controls, settingTimeUnit } from "./controls.ts";

/** A value as people read it: `60 seconds`, `On`, `Empty`. */
export function settingText(view: ConsoleView, key: SettingKey, value: SettingAnswer): string {
  const { words, format } = view;
  const { settings } = words;
  const { kind, unit } = controls[key];
  switch (kind) {
    case "switch":
      return value === true ? settings.on : settings.off;
    case "unique":
      return value === 1 ? settings.unique : settings.shared;
    case "logo":
      return value === "" ? settings.noLogo : settings.hasLogo;
    case "number": {
      const time = settingTimeUnit(key);
      if (time) return unitsText(view, Number(value), time);
      const number = format.number(Number(value));
      return unit ? `${number} ${settings.units[unit](Number(value))}` : number;
    }
    case "lines":
      return value === "" ? settings.empty : String(value).replaceAll(/\s*[|\n]\s*/g, " · ");
    case "zone":
      return value === "" ? settings.zoneOfMachine : String(value);
    case "seller":
      return value === "" ? settings.firstAdmin : String(value);
    case "text":
    case "color":
    case "methods":
    case "path":
      return value === "" ? settings.empty : String(value);
  }
}
