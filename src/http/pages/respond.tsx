import type { JSX } from "hono/jsx/jsx-runtime";
import type { Db } from "../../../db/open.ts";
import { ispOfAnonymous } from "../../domain/portal/branding.ts";
import type { Seconds } from "../../domain/time.ts";
import { brandOf } from "./brand.tsx";
import { Format } from "./format.ts";
import type { View } from "../portal/layout.tsx";
import { chooseLanguage } from "../words/languages.ts";

/** Everything comes from here, nothing is inline, and nobody frames it. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
  vary: "Accept-Language, Cookie",
};

/** A page as a response. */
export function pageResponse(
  page: JSX.Element,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(`<!doctype html>${String(page)}`, {
    status,
    headers: { ...pageHeaders, ...headers },
  });
}

/** To another page, by GET. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** How a page is written for a browser: the brand of the subscriber's ISP, else that of the sign-in page. */
export function viewFor(
  db: Db,
  { request, now, ispId = ispOfAnonymous(db) }: { request: Request; now: Seconds; ispId?: number },
): View {
  const { words, locale } = chooseLanguage(request.headers.get("accept-language"));
  const brand = brandOf(db, ispId) ?? brandOf(db, 0);
  if (!brand) throw new Error("the appliance has no branding");
  return { words, format: new Format(locale), brand, now };
}
