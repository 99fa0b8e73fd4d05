import type { Db } from "../../../db/open.ts";
import type { Actor } from "../../domain/core/actor/actor.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { anonymousIsp } from "../../domain/people/branding/branding.ts";
import { ownLanguages } from "../../domain/people/staff/preferences.ts";
import { type Brand, findBrand } from "../pages/brand.tsx";
import { cachedFormat, type Format } from "../pages/format.ts";
import { type ConsoleWords, consoleWords } from "../words/console.ts";
import { chooseFrom, consoleLanguages } from "../words/languages.ts";

export interface ConsoleView {
  readonly words: ConsoleWords;
  readonly format: Format;
  readonly brand: Brand;
  readonly now: Seconds;
  /** Empty: as the browser asks for. */
  readonly ownLanguage: string;
}

interface Viewed {
  readonly request: Request;
  readonly now: Seconds;
  readonly ispId?: number | null;
  /** Whoever reads it, where that is known. */
  readonly reader?: Actor;
}

/** The view in the brand of the account's ISP, else of the first one, and in the language of whoever reads it. */
export function consoleViewFor(db: Db, { request, now, ispId, reader }: Viewed): ConsoleView {
  const { language, locale, own } = languageFor(db, request, reader);
  const shown = ispId ?? anonymousIsp(db);
  const words = consoleWords(language, locale, shown);
  const brand = findBrand(db, shown) ?? findBrand(db, 0);
  if (!brand) throw new Error("the appliance has no branding");
  return { words, format: cachedFormat(locale, words), brand, now, ownLanguage: own };
}

/** The language of the account's choice, else the browser's, else that of the ISP's messages. */
function languageFor(db: Db, request: Request, reader: Actor | undefined) {
  const [english, ...others] = consoleLanguages();
  const accepted = request.headers.get("accept-language");
  if (others.length === 0 || !reader) return { ...chooseFrom([english, ...others], accepted), own: "" };
  const { own, isp } = ownLanguages(db, reader);
  const first = others.find(({ tag }) => tag === isp) ?? english;
  const rest = [english, ...others].filter((language) => language !== first);
  return { ...chooseFrom([first, ...rest], accepted, own), own };
}
