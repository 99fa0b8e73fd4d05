import { languages as portalLanguages, type Words } from "../languages.ts";
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

export interface HotspotLanguage {
  readonly portal: Words;
  readonly words: HotspotWords;
}

/** In the portal's order. */
export const hotspotLanguages: readonly HotspotLanguage[] = portalLanguages.map((portal) => {
  const words = all.find(({ tag }) => tag === portal.tag);
  if (!words) throw new Error(`the router's pages lack the language ${portal.tag}`);
  return { portal, words };
});

export const hotspotTags: readonly string[] = hotspotLanguages.map(({ words }) => words.tag);
