import { createHash } from "node:crypto";

const FOREVER = "public, max-age=31536000, immutable";
/** Bytes below which compressing costs more than it saves. */
const WORTH = 1000;

interface Asset {
  readonly path: string;
  readonly text: string;
  readonly type: string;
  /** As gzip, made once. */
  readonly compressed: Uint8Array<ArrayBuffer>;
}

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" };

/** An asset below `folder`; `ending` says what it is. */
export function asset(folder: string, name: string, ending: keyof typeof types, text: string): Asset {
  const path = `${folder}/${name}-${hashOf(text)}.${ending}`;
  return { path, text, type: types[ending], compressed: Bun.gzipSync(text, { level: 9 }) };
}

/** The asset of a path; undefined when there is none. */
export function assetResponse(
  assets: readonly Asset[],
  path: string,
  request: Request,
): Response | undefined {
  const found = assets.find((known) => known.path === path);
  if (!found) return undefined;
  const body = takesGzip(request) ? found.compressed : found.text;
  const encoding = takesGzip(request) ? { "content-encoding": "gzip" } : {};
  return cacheable(body, found.type, request, { ...encoding, vary: "Accept-Encoding" });
}

/** A response that a browser keeps, because the name of what it holds changes with it. */
export function cacheable(
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  request: Request,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const etag = `"${hashOf(body)}"`;
  const common = { ...headers, etag, "cache-control": FOREVER, "x-content-type-options": "nosniff" };
  if (request.headers.get("if-none-match") === etag)
    return new Response(null, { status: 304, headers: common });
  return new Response(body, { headers: { ...common, "content-type": type } });
}

/** Text that stays as it is for as long as this program runs: compressed once, and asked for anew by its tag. */
export function revalidated(text: string, type: string): (request: Request) => Response {
  const compressed = Bun.gzipSync(text, { level: 9 });
  const etag = `"${hashOf(text)}"`;
  return (request) => {
    const isSmall = takesGzip(request);
    const headers = { etag, vary: "Accept-Encoding", "cache-control": "no-cache" };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return new Response(isSmall ? compressed : text, {
      headers: { ...headers, "content-type": type, ...(isSmall && { "content-encoding": "gzip" }) },
    });
  };
}

/** Whether the client takes gzip, as every browser does. */
function takesGzip(request: Request): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(request.headers.get("accept-encoding") ?? "");
}

/**
 * A page's text as it is sent: compressed where that is worth it. Never for a page of somebody else: who has a browser ask for words of
 * their choice, and sees how long the answers are, would learn what else is in them, such as the token of the forms.
 */
export function encoded(
  text: string,
  request: Request,
): { body: string | Uint8Array<ArrayBuffer>; headers: Readonly<Record<string, string>> } {
  const isElsewhere = ["same-site", "cross-site"].includes(request.headers.get("sec-fetch-site") ?? "");
  if (text.length < WORTH || !takesGzip(request) || isElsewhere) return { body: text, headers: {} };
  return { body: Bun.gzipSync(text, { level: 5 }), headers: { "content-encoding": "gzip" } };
}

/** Short, and of the content alone. */
export function hashOf(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 12);
}
