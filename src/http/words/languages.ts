import { ar } from "./portal/ar.ts";
import { bn } from "./portal/bn.ts";
import { en } from "./portal/en.ts";
import { es } from "./portal/es.ts";
import { fr } from "./portal/fr.ts";
import { hi } from "./portal/hi.ts";
import { id } from "./portal/id.ts";
import { pt } from "./portal/pt.ts";
import { ru } from "./portal/ru.ts";
import { sw } from "./portal/sw.ts";
import { ur } from "./portal/ur.ts";

export type Words = typeof en;

/** The first is the fallback, others by name. */
export const languages: readonly [Words, ...Words[]] = [en, id, es, fr, sw, pt, ru, ar, ur, hi, bn];

export interface Language<T> {
  readonly words: T;
  /** For dates and numbers: the browser's, such as en-GB. */
  readonly locale: string;
}

/** Chosen, else the browser's preference (RFC 9110 12.5.4). */
export function chooseLanguage(acceptLanguage: string | null, chosen = ""): Language<Words> {
  return chooseFrom(languages, acceptLanguage, chosen);
}

export function chooseFrom<T extends { readonly tag: string }>(
  known: readonly [T, ...T[]],
  acceptLanguage: string | null,
  chosen = "",
): Language<T> {
  const accepted = byPreference(acceptLanguage ?? "");
  const words = known.find(({ tag }) => tag === chosen);
  if (words) return { words, locale: accepted.find((tag) => isOf(tag, words)) ?? words.tag };
  for (const locale of accepted) {
    const found = known.find((language) => isOf(locale, language));
    if (found) return { words: found, locale };
  }
  return { words: known[0], locale: known[0].tag };
}

function isOf(locale: string, { tag }: { readonly tag: string }): boolean {
  return locale.split("-")[0]?.toLowerCase() === tag;
}

/** Well-formed, accepted tags, best first. */
function byPreference(header: string): string[] {
  return header
    .slice(0, 200)
    .split(",")
    .map((item) => {
      const [, tag = "", weight = "1"] =
        /^\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(item) ?? [];
      return { tag, weight: Number(weight) };
    })
    .filter(({ tag, weight }) => weight > 0 && isLocale(tag))
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

function isLocale(tag: string): boolean {
  if (tag === "") return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
