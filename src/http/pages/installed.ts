import type { Db } from "../../../db/open.ts";
import { type Branding } from "../../domain/people/branding/branding.ts";
import { findLogo } from "../../domain/people/branding/logo.ts";
import { revalidated, shortHash } from "./assets.ts";
import { firstLetter } from "./initial.ts";
import { makePalette } from "./colors.ts";
import worker from "./scripts/worker.js" with { type: "text" };

/* What makes an app of pages: a manifest, an icon and a worker. */

export interface Installed {
  readonly name: "portal" | "console";
  /** Its paths begin so. */
  readonly scope: string;
  readonly offline: string;
  /** A regular expression of paths that never change. */
  readonly assets: string;
  /** Kept as it was shown last. */
  readonly home?: string;
  /** After which nothing is kept. */
  readonly signOut?: readonly string[];
}

/** `files` are what the offline page needs: with others of them it is fetched anew. */
export function serveWorker(app: Installed, files: readonly string[]): (request: Request) => Response {
  const config = { ...app, version: shortHash(files.join(" ") + worker) };
  const answer = revalidated(
    `const app = ${JSON.stringify(config)};\n${worker}`,
    "text/javascript; charset=utf-8",
  );
  return (request) => {
    const response = answer(request);
    response.headers.set("service-worker-allowed", app.scope);
    response.headers.set("content-security-policy", "default-src 'none'; connect-src 'self'");
    return response;
  };
}

/** W3C Application Manifest. */
export function makeManifest(
  { name, color }: Branding,
  of: { scope: string; icon: string; suffix?: string },
): string {
  const { scope, icon, suffix = "" } = of;
  const whole = [name, suffix].filter((part) => part !== "").join(" ") || "Portal";
  const ofIcon = { src: icon, sizes: "any", type: "image/svg+xml" };
  return JSON.stringify({
    id: scope,
    name: whole,
    short_name: whole.length <= 12 ? whole : name.slice(0, 12).trim() || whole.slice(0, 12),
    start_url: scope,
    scope,
    display: "standalone",
    theme_color: color,
    background_color: "#ffffff",
    icons: [
      { ...ofIcon, purpose: "any" },
      { ...ofIcon, purpose: "maskable" },
    ],
  });
}

/** The logo, else the first letter, within what every shape of an icon shows (four fifths). */
export function appIcon(db: Db, { name, color, logo: named }: Branding): string {
  const { solid, onSolid } = makePalette(color);
  const logo = findLogo(db, named);
  const [ground, content] = logo
    ? [
        "#ffffff",
        `<image x="76" y="76" width="360" height="360" href="data:${logo.type};base64,${Buffer.from(logo.read()).toString("base64")}"/>`,
      ]
    : [
        solid,
        `<text x="256" y="346" fill="${onSolid}" text-anchor="middle" font-family="system-ui,sans-serif" font-size="260" font-weight="700">${firstLetter(name)}</text>`,
      ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512"><rect width="512" height="512" fill="${ground}"/>${content}</svg>`;
}
