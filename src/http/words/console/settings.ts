import type { SettingKey } from "../../../domain/core/settings/settings.ts";
import type { Messages } from "../compiled/messages.ts";

/** Label, purpose, consequence; `count` of affected things. */
export interface SettingWords {
  readonly name: string;
  readonly text: string;
  readonly effect: (value: string, count: number | null) => string;
  /** What follows where it is empty or 0, which the effect of a value would say wrongly. */
  readonly none?: string;
}

export type SettingsInWords = Readonly<Record<SettingKey, SettingWords>>;
export type SettingUnit = keyof Messages["settings"]["units"];

type Said = string | ((value: string, count: number) => string);

/** Fields of an address are written as they are typed. */
export function settingsInWords(m: Messages["settingWords"]): SettingsInWords {
  const { payment_link: link, portal_pay_link: pay } = m;
  const texts = {
    ...m,
    payment_link: { ...link, text: link.text("{reference}", "{amount}", "{currency}") },
    portal_pay_link: { ...pay, text: pay.text("{amount}", "{currency}", "{reference}", "{username}") },
  };
  const all = Object.entries(texts).map(([key, words]) => {
    const said: Said = words.effect;
    const effect = (value: string, count: number | null) =>
      typeof said === "string" ? said : said(value, count ?? 0);
    return [key, { ...words, effect }] as const;
  });
  return Object.fromEntries(all) as Record<keyof typeof texts, SettingWords>;
}

export function settingUnits(m: Messages["settings"]["units"]): Record<SettingUnit, (n: number) => string> {
  return { ...m, decisions: () => m.decisions, percent: () => m.percent, megabytes: () => m.megabytes };
}
