import type { Db } from "../../../db/open.ts";
import { ispOfAnonymous } from "../../domain/people/branding/branding.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { brandOf } from "../pages/brand.tsx";
import { formatOf } from "../pages/format.ts";
import { chooseLanguage } from "../words/languages.ts";
import { chosenLanguage } from "./language.tsx";
import type { View } from "./layout.tsx";

/** The view in the brand of the subscriber's ISP, else of the sign-in page. */
export function viewFor(
  db: Db,
  { request, now, ispId = ispOfAnonymous(db) }: { request: Request; now: Seconds; ispId?: number },
): View {
  const { words, locale } = chooseLanguage(
    request.headers.get("accept-language"),
    chosenLanguage(request),
    ispId,
  );
  const brand = brandOf(db, ispId) ?? brandOf(db, 0);
  if (!brand) throw new Error("the appliance has no branding");
  return { words, format: formatOf(locale, words), brand, now };
}
