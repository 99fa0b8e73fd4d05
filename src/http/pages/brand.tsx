import type { Db } from "../../../db/open.ts";
import { type Branding, findBranding } from "../../domain/people/branding/branding.ts";
import { findLogo } from "../../domain/people/branding/logo.ts";
import { cacheable, shortHash } from "./assets.ts";
import { Icon } from "./icons.tsx";
import { appIcon, makeManifest } from "./installed.ts";
import { firstLetter } from "./initial.ts";
import { makePalette } from "./colors.ts";

/** An SVG opened directly is a document of our origin. */
const LOGO_POLICY = { "content-security-policy": "default-src 'none'; sandbox" };

/** A brand with URLs of colours, icon and logo. */
export interface Brand extends Branding {
  readonly colors: string;
  readonly icon: string;
  /** null: none to show. */
  readonly logoUrl: string | null;
  readonly manifests: Readonly<Record<"portal" | "console", string>>;
}

export function findBrand(db: Db, ispId: number): Brand | undefined {
  const branding = findBranding(db, ispId);
  return branding && brandFrom(db, branding);
}

/** The brand of a branding that may not be saved yet. */
export function brandFrom(db: Db, branding: Branding): Brand {
  const { ispId } = branding;
  const { name, color } = branding;
  const logo = findLogo(db, branding.logo);
  const url = (file: string, content: string) => `/portal/brand/${ispId}/${file}?v=${shortHash(content)}`;
  return {
    ...branding,
    colors: url("colors.css", colorsCss(color)),
    icon: url("icon.svg", `${color} ${name}`),
    logoUrl: logo === undefined ? null : url("logo", logo.version),
    manifests: {
      portal: url("portal.webmanifest", `${color} ${name} ${logo?.version}`),
      console: url("console.webmanifest", `${color} ${name} ${logo?.version}`),
    },
  };
}

export function BrandMark({ brand }: { brand: Brand }) {
  return (
    <span class="brand">
      {brand.logoUrl === null ? (
        <span class="monogram" dir="auto" aria-hidden="true">
          {firstLetter(brand.name) || <Icon name="home" />}
        </span>
      ) : (
        <img class="logo" src={brand.logoUrl} alt="" />
      )}
      <bdi>{brand.name}</bdi>
    </span>
  );
}

/** The file of a brand; undefined: none. */
export function brandResponse(
  db: Db,
  { isp, file, request }: { isp: string; file: string; request: Request },
): Response | undefined {
  const branding = /^\d{1,9}$/.test(isp) ? findBranding(db, Number(isp)) : undefined;
  if (!branding) return undefined;
  const { name, color } = branding;
  if (file === "colors.css") return cacheable(colorsCss(color), "text/css; charset=utf-8", request);
  if (file === "icon.svg") return cacheable(iconSvg(name, color), "image/svg+xml", request, LOGO_POLICY);
  if (file === "app.svg") return cacheable(appIcon(db, branding), "image/svg+xml", request, LOGO_POLICY);
  const [, app] = /^(portal|console)\.webmanifest$/.exec(file) ?? [];
  if (app !== undefined) {
    const icon = `/portal/brand/${branding.ispId}/app.svg?v=${shortHash(appIcon(db, branding))}`;
    const of = { scope: `/${app}`, icon, ...(app === "console" && { suffix: "Console" }) };
    return cacheable(makeManifest(branding, of), "application/manifest+json", request);
  }
  const logo = file === "logo" ? findLogo(db, branding.logo) : undefined;
  return logo && cacheable(logo.read(), logo.type, request, LOGO_POLICY);
}

export function colorsCss(color: string): string {
  const { solid, solid2, onSolid, accentLight, accentDark, series } = makePalette(color);
  const named = (of: "light" | "dark") => series.map((each, at) => `;--s${at + 2}:${each[of]}`).join("");
  return `:root{--solid:${solid};--solid-2:${solid2};--on-solid:${onSolid};--accent:${accentLight}${named("light")}}
@media screen and (prefers-color-scheme:dark){:root{--accent:${accentDark}${named("dark")}}}
`;
}

function iconSvg(name: string, color: string): string {
  const { solid, onSolid } = makePalette(color);
  return String(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="8" fill={solid} />
      <text
        x="16"
        y="22.5"
        fill={onSolid}
        text-anchor="middle"
        font-family="system-ui,sans-serif"
        font-size="18"
        font-weight="700"
      >
        {firstLetter(name)}
      </text>
    </svg>,
  );
}
