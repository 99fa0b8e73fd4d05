import { type Messages, whole } from "./compiled/messages.ts";
import { addMessages, type Compiled, loadMessages, type OwnMessages, useOwnMessages } from "./messages.ts";

/** By its own name. */
export interface LanguageName {
  /** BCP 47. */
  readonly tag: string;
  readonly name: string;
  readonly dir: "ltr" | "rtl";
}

export type Words = Messages["portal"] & LanguageName;
export type HotspotWords = Messages["hotspot"] & { readonly tag: string };

/** The first is the fallback, others by name. */
export const languages: readonly [LanguageName, ...LanguageName[]] = [
  { tag: "en", name: "English", dir: "ltr" },
  { tag: "id", name: "Bahasa Indonesia", dir: "ltr" },
  { tag: "es", name: "Español", dir: "ltr" },
  { tag: "fr", name: "Français", dir: "ltr" },
  { tag: "sw", name: "Kiswahili", dir: "ltr" },
  { tag: "pt", name: "Português", dir: "ltr" },
  { tag: "ru", name: "Русский", dir: "ltr" },
  { tag: "ar", name: "العربية", dir: "rtl" },
  { tag: "ur", name: "اردو", dir: "rtl" },
  { tag: "hi", name: "हिन्दी", dir: "ltr" },
  { tag: "bn", name: "বাংলা", dir: "ltr" },
];

/** Ours, or any other that is known by its tag (CLDR), which the data folder may bring; undefined where nobody knows it. */
export function findLanguage(tag: string): LanguageName | undefined {
  const ours = languages.find((language) => language.tag === tag);
  if (ours || !/^[a-z]{2,3}$/.test(tag)) return ours;
  const name = new Intl.DisplayNames([tag], { type: "language", fallback: "none" }).of(tag);
  if (name === undefined) return undefined;
  const { direction } = new Intl.Locale(tag).getTextInfo();
  return {
    tag,
    name: `${name.charAt(0).toLocaleUpperCase(tag)}${name.slice(1)}`,
    dir: direction === "rtl" ? "rtl" : "ltr",
  };
}

const builtForConsole = languages.slice(1).filter(({ tag }) => whole.includes(tag));
let ofConsole = [...builtForConsole];
/** Ours, and what the data folder brings. */
let ofPortal = languages;

/** Those that the console has whole, English first. */
export const consoleLanguages = (): readonly [LanguageName, ...LanguageName[]] => [
  languages[0],
  ...ofConsole,
];

/** One more for the console. */
export function addConsoleLanguage(language: LanguageName, chapters: Compiled): void {
  addMessages(language.tag, chapters);
  const at = ofConsole.findIndex(({ tag }) => tag === language.tag);
  ofConsole.splice(at < 0 ? ofConsole.length : at, 1, language);
}

/** Words of the data folder in place of the build's; those of `further` are enough for the console. */
export function useOwnWords(messages: OwnMessages, further: readonly string[]): void {
  useOwnMessages(messages);
  const added = further.filter((tag) => !whole.includes(tag)).flatMap((tag) => findLanguage(tag) ?? []);
  ofConsole = [...builtForConsole, ...added];
  ofPortal = [...languages, ...added.filter((language) => !languages.includes(language))];
}

const made = new WeakMap<Messages, Words>();

/** Of the portal; the first language for a tag that is none of theirs. */
export function portalWords(tag: string, locale: string = tag, ispId = 0): Words {
  const language = ofPortal.find((known) => known.tag === tag) ?? languages[0];
  const messages = loadMessages(language.tag, locale, ispId);
  return made.getOrInsertComputed(messages, () => ({ ...messages.portal, ...language }));
}

/** Of the pages that a router serves, with those of the portal that they share. */
export interface HotspotLanguage {
  readonly portal: Words;
  readonly words: HotspotWords;
}

export function hotspotLanguage(tag: string, ispId = 0): HotspotLanguage {
  return { portal: portalWords(tag, tag, ispId), words: { ...loadMessages(tag, tag, ispId).hotspot, tag } };
}

export interface Language<T> {
  readonly words: T;
  /** For dates and numbers: the browser's, such as en-GB. */
  readonly locale: string;
}

/** Chosen, else the browser's preference (RFC 9110 12.5.4). */
export function chooseLanguage(acceptLanguage: string | null, chosen = "", ispId = 0): Language<Words> {
  const { language, locale } = chooseFrom(ofPortal, acceptLanguage, chosen);
  return { words: portalWords(language.tag, locale, ispId), locale };
}

export function chooseFrom<T extends { readonly tag: string }>(
  known: readonly [T, ...T[]],
  acceptLanguage: string | null,
  chosen = "",
): { readonly language: T; readonly locale: string } {
  const accepted = byPreference(acceptLanguage ?? "");
  const asked = known.find(({ tag }) => tag === chosen);
  if (asked)
    return { language: asked, locale: accepted.find((locale) => isInLanguage(locale, asked)) ?? asked.tag };
  for (const locale of accepted) {
    const found = known.find((language) => isInLanguage(locale, language));
    if (found) return { language: found, locale };
  }
  return { language: known[0], locale: known[0].tag };
}

function isInLanguage(locale: string, { tag }: { readonly tag: string }): boolean {
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
