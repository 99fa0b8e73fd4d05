/** BCP 47; the first is the default. */
export const languageTags = ["en", "id", "es", "fr", "sw", "pt", "ru", "ar", "ur", "hi", "bn"] as const;
export type LanguageTag = (typeof languageTags)[number];

export function isLanguageTag(tag: string): tag is LanguageTag {
  return languageTags.some((known) => known === tag);
}
