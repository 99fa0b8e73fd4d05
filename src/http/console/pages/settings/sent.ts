import { type Input } from "../../../../domain/core/fields/fields.ts";
import { listSettings } from "../../../../domain/machine/settings/change.ts";
import { isSettingKey, type SettingKey } from "../../../../domain/core/settings/settings.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { controls } from "./controls.ts";
import { storedText } from "./input.tsx";
import type { Whose } from "./whose.ts";

/** The settings that a form has, as they were typed; lines that are the same lines are the value that they were. */
export function sentValues({ db, view }: StaffVisit, { by }: Whose, input: Input): Record<string, string> {
  const known = new Map(listSettings(db, by).map(({ key, value }) => [key, String(value)]));
  const names = [...Object.keys(input), "payment_methods"].filter(isSettingKey);
  const values: Record<string, string> = {};
  for (const key of new Set(names)) {
    const text = textIn(view, input, key);
    if (text === undefined) continue;
    const before = known.get(key) ?? "";
    values[key] = controls[key].kind === "lines" && joinLines(before) === joinLines(text) ? before : text;
  }
  return values;
}

/** What was typed for a setting; undefined where the form does not have it. */
export function textIn(view: ConsoleView, input: Input, key: SettingKey): string | undefined {
  return storedText(view, input, key)?.slice(0, 2000);
}

function joinLines(text: string): string {
  return text
    .split(/[|\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}
