import { languages as ofPortal, type Words } from "../languages.ts";
import { ar } from "./ar.ts";
import { bn } from "./bn.ts";
import { en, type HotspotWords } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { hi } from "./hi.ts";
import { id } from "./id.ts";
import { pt } from "./pt.ts";
import { ru } from "./ru.ts";
import { sw } from "./sw.ts";
import { ur } from "./ur.ts";

const all: readonly HotspotWords[] = [en, id, es, fr, sw, pt, ru, ar, ur, hi, bn];

/** A language of the router's pages, with the portal's words of it. */
export interface HotspotLanguage {
  readonly portal: Words;
  readonly words: HotspotWords;
}

/** In the order of the portal, all of whose languages these pages have. */
export const hotspotLanguages: readonly HotspotLanguage[] = ofPortal.map((portal) => {
  const words = all.find(({ tag }) => tag === portal.tag);
  if (!words) throw new Error(`the router's pages lack the language ${portal.tag}`);
  return { portal, words };
});

/** What a browser without a script is told in: its tag. */
export const hotspotTags: readonly string[] = hotspotLanguages.map(({ words }) => words.tag);
