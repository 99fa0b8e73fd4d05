import type { Db } from "../../../db/open.ts";
import { type Branding, findBranding } from "../../domain/people/branding/branding.ts";
import { findLogo } from "../../domain/people/branding/logo.ts";
import { makePalette } from "../pages/colors.ts";
import { type HotspotLanguage, hotspotLanguage, languages } from "../words/languages.ts";
import script from "./assets/hotspot.js" with { type: "text" };
import md5 from "./assets/md5.js" with { type: "text" };
import style from "./assets/style.css" with { type: "text" };
import {
  afterLoginPage,
  errorPage,
  ifLimited,
  loginPage,
  logoutPage,
  redirectPage,
  statusPage,
} from "./pages.ts";
import { errorsTxt, refusalKeys } from "./refusals.ts";

export interface HotspotFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A hotspot's HTML directory in an ISP's branding (0: the appliance), self-contained. `tag`: language without scripts. undefined: unknown ISP. */
export function hotspotFiles(
  db: Db,
  {
    ispId,
    tag,
    branding = findBranding(db, ispId),
  }: { ispId: number; tag: string; branding?: Branding | undefined },
): readonly HotspotFile[] | undefined {
  if (!branding || !languages.some((known) => known.tag === tag)) return undefined;
  const language = hotspotLanguage(tag, ispId);
  const logo = findLogo(db, branding.logo);
  const logoName = logo && `logo.${endings[logo.type] ?? "png"}`;
  const brand = { ...branding, logoName };
  const texts: Readonly<Record<string, string>> = {
    "api.json": apiJson(branding),
    "errors.txt": errorsTxt(language.words),
    "style.css": plainFirst(colorVariables(branding) + style),
    "md5.js": md5,
    "hotspot.js": `var refusals = ${JSON.stringify(refusalKeys(language.words))};\n${script}`,
    ...Object.fromEntries(
      languages.map((each) => [`words-${each.tag}.js`, wordsJs(hotspotLanguage(each.tag, ispId))]),
    ),
    // last, so that a partial upload shows no incomplete page
    "login.html": loginPage(brand, language),
    "alogin.html": afterLoginPage(brand, language),
    "status.html": statusPage(brand, language),
    "logout.html": logoutPage(brand, language),
    "error.html": errorPage(brand, language),
    "rlogin.html": redirectPage,
    "redirect.html": redirectPage,
  };
  const files = Object.entries(texts).map(([name, text]) => ({ name, content: Buffer.from(text) }));
  return logo && logoName ? [...files, { name: logoName, content: logo.read() }] : files;
}

/** Colours as CSS variables. */
function colorVariables({ color }: Branding): string {
  const { solid, onSolid, accentLight, accentDark } = makePalette(color);
  return `:root{--solid:${solid};--on-solid:${onSolid};--accent:${accentLight}}
@media (prefers-color-scheme:dark){:root{--accent:${accentDark}}}
`;
}

/** Adds literal light colours before variables, for browsers before 2016. */
function plainFirst(css: string): string {
  const light = new Map<string, string>();
  for (const [, name = "", color = ""] of css.matchAll(/(--[\w-]+):\s*([^;}]+)/g))
    if (!light.has(name)) light.set(name, color);
  const named = (text: string) => text.replace(/var\((--[\w-]+)\)/g, (_, name) => light.get(name) ?? "");
  return css.replace(
    /[\w-]+:[^:;{}]*var\([^;{}]*;/g,
    (declaration) => `${named(declaration)} ${declaration}`,
  );
}

const endings: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/svg+xml": "svg",
};

/** Translations for the script. */
function wordsJs({ portal, words }: HotspotLanguage): string {
  const { username, password, stale } = portal.signIn;
  const all = { ...words, username, password, stale, help: portal.help };
  return `hotspotWords(${JSON.stringify({ dir: portal.dir, words: all })});\n`;
}

/** Captive Portal API (RFC 8908), served by RouterOS as /api. Reports the rest only where the router has one. */
function apiJson({ portalUrl }: Branding): string {
  const venue = portalUrl.startsWith("https://") ? `"venue-info-url": ${JSON.stringify(portalUrl)},\n` : "";
  return `{
"captive": $(if logged-in == 'yes')false$(else)true$(endif),
"user-portal-url": "$(if logged-in == 'yes')$(link-status)$(else)$(link-login-only)$(endif)",
${venue}${ifLimited("session-time-left", '"seconds-remaining": $(session-time-left-secs),\n')}${ifLimited("remain-bytes-total", '"bytes-remaining": $(remain-bytes-total),\n')}"can-extend-session": true
}
`;
}

/** Bytes of a login in the longest language, and of the logo. */
export function weighPages(files: readonly HotspotFile[]): { login: number; logo: number } {
  const size = (pattern: RegExp) =>
    files.filter(({ name }) => pattern.test(name)).map(({ content }) => content.length);
  const logo = sum(size(/^logo\./));
  const words = Math.max(...size(/^words-/));
  return { login: sum(size(/^(login\.html|style\.css|md5\.js|hotspot\.js)$/)) + words + logo, logo };
}

const sum = (sizes: readonly number[]) => sizes.reduce((all, one) => all + one, 0);
