import { en } from "./portal/en.ts";

/** The strings of one language. */
export type Words = typeof en;

/** Every language there is, by its tag; the first is that of browsers that ask for none of them. */
const languages: readonly [Words, ...Words[]] = [en];

export interface Language<T> {
  readonly words: T;
  /** For dates and numbers: what the browser asked for, such as en-GB. */
  readonly locale: string;
}

/** The language that a browser likes best of those there are (RFC 9110 12.5.4). */
export function chooseLanguage(acceptLanguage: string | null): Language<Words> {
  return chooseFrom(languages, acceptLanguage);
}

export function chooseFrom<T extends { readonly tag: string }>(
  known: readonly [T, ...T[]],
  acceptLanguage: string | null,
): Language<T> {
  for (const tag of byPreference(acceptLanguage ?? "")) {
    const words = known.find((language) => language.tag === tag.split("-")[0]?.toLowerCase());
    if (words) return { words, locale: tag };
  }
  return { words: known[0], locale: known[0].tag };
}

/** The tags that are well-formed and wanted at all, the best first. */
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
