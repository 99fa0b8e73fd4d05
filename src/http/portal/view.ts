import type { Db } from "../../../db/open.ts";
import { anonymousIsp } from "../../domain/people/branding/branding.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { findBrand } from "../pages/brand.tsx";
import { cachedFormat } from "../pages/format.ts";
import { chooseLanguage } from "../words/languages.ts";
import { chosenLanguage } from "./language.tsx";
import type { View } from "./layout.tsx";

/** The view in the brand of the subscriber's ISP, else of the sign-in page. */
export function viewFor(
  db: Db,
  { request, now, ispId = anonymousIsp(db) }: { request: Request; now: Seconds; ispId?: number },
): View {
  const { words, locale } = chooseLanguage(
    request.headers.get("accept-language"),
    chosenLanguage(request),
    ispId,
  );
  const brand = findBrand(db, ispId) ?? findBrand(db, 0);
  if (!brand) throw new Error("the appliance has no branding");
  return { words, format: cachedFormat(locale, words), brand, now };
}
