import type { JSX } from "hono/jsx/jsx-runtime";

/** Rules by which nothing is external, inline or framed. */
const RULES = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
const POLICY = RULES.join("; ");

export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
  vary: "Accept-Language, Cookie",
};

/** Headers of pages that frame one of ours. */
export const framingHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [...RULES, "frame-src 'self'"].join("; "),
};

/**
 * For the one page that ours may frame: a preview. Its sandbox blocks scripts, forms and links, so that a lured click does
 * nothing; pages that act never have these headers.
 */
export const framedHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' blob:", // a logo that was picked and not stored
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-same-origin",
  ].join("; "),
  "x-frame-options": "SAMEORIGIN",
};

export function pageResponse(
  page: JSX.Element,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(`<!doctype html>${String(page)}`, {
    status,
    headers: { ...pageHeaders, ...headers },
  });
}

export function seeOther(
  location: string,
  cookies: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers = new Headers({ ...more, location, "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
