import type { Db } from "../../../db/open.ts";
import { ispOfAnonymous } from "../../domain/people/branding/branding.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { type Brand, brandOf } from "../pages/brand.tsx";
import { type Format, formatOf } from "../pages/format.ts";
import { type ConsoleWords, consoleWords } from "../words/console.ts";
import { chooseFrom, type LanguageName } from "../words/languages.ts";

/** The first is the fallback. */
const languages: readonly [LanguageName, ...LanguageName[]] = [{ tag: "en", name: "English", dir: "ltr" }];

export interface ConsoleView {
  readonly words: ConsoleWords;
  readonly format: Format;
  readonly brand: Brand;
  readonly now: Seconds;
}

/** In the brand of the account's ISP, else of the first one. */
export function consoleViewFor(
  db: Db,
  { request, now, ispId }: { request: Request; now: Seconds; ispId?: number | null },
): ConsoleView {
  const { language, locale } = chooseFrom(languages, request.headers.get("accept-language"));
  const words = consoleWords(language, locale);
  const brand = brandOf(db, ispId ?? ispOfAnonymous(db)) ?? brandOf(db, 0);
  if (!brand) throw new Error("the appliance has no branding");
  return { words, format: formatOf(locale, words), brand, now };
}
