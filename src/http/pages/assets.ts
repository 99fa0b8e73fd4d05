import { createHash } from "node:crypto";

const FOREVER = "public, max-age=31536000, immutable";
/** Bytes that are worth compressing. */
export const WORTH = 1000;

interface Asset {
  readonly path: string;
  readonly text: string;
  readonly type: string;
  /** gzip, made for the first who takes it: no start waits for it. */
  readonly compressed: () => Uint8Array<ArrayBuffer>;
}

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" };

/** `ending` gives the type. Of a stylesheet the comments and indents, a tenth of it, are for who writes it. */
export function asset(folder: string, name: string, ending: keyof typeof types, source: string): Asset {
  const text = ending === "css" ? source.replaceAll(/\/\*[^]*?\*\/|^\s+/gm, "") : source;
  const path = `${folder}/${name}-${shortHash(text)}.${ending}`;
  return { path, text, type: types[ending], compressed: compressedOnce(text) };
}

function compressedOnce(text: string): () => Uint8Array<ArrayBuffer> {
  let made: Uint8Array<ArrayBuffer> | undefined;
  return () => (made ??= Bun.gzipSync(text, { level: 9 }));
}

/** The asset of a path; undefined: none. */
export function assetResponse(
  assets: readonly Asset[],
  path: string,
  request: Request,
): Response | undefined {
  const found = assets.find((known) => known.path === path);
  if (!found) return undefined;
  const body = takesGzip(request) ? found.compressed() : found.text;
  const encoding = takesGzip(request) ? { "content-encoding": "gzip" } : {};
  return cacheable(body, found.type, request, { ...encoding, vary: "Accept-Encoding" });
}

/** Immutable: its name changes with its content. */
export function cacheable(
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  request: Request,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const etag = `"${shortHash(body)}"`;
  const common = { ...headers, etag, "cache-control": FOREVER, "x-content-type-options": "nosniff" };
  if (request.headers.get("if-none-match") === etag)
    return new Response(null, { status: 304, headers: common });
  return new Response(body, { headers: { ...common, "content-type": type } });
}

/** Constant text with ETag, compressed once. */
export function revalidated(text: string, type: string): (request: Request) => Response {
  const compressed = compressedOnce(text);
  const etag = `"${shortHash(text)}"`;
  return (request) => {
    const isSmall = takesGzip(request);
    const headers = { etag, vary: "Accept-Encoding", "cache-control": "no-cache" };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return new Response(isSmall ? compressed() : text, {
      headers: { ...headers, "content-type": type, ...(isSmall && { "content-encoding": "gzip" }) },
    });
  };
}

/** Whether Accept-Encoding has gzip. */
export function takesGzip(request: Request): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(request.headers.get("accept-encoding") ?? "");
}

/** Compresses, but no page with another's words: whoever controls words and sees lengths could infer secrets such as the form token (BREACH). */
export function encoded(
  text: string,
  request: Request,
): { body: string | Uint8Array<ArrayBuffer>; headers: Readonly<Record<string, string>> } {
  const isElsewhere = ["same-site", "cross-site"].includes(request.headers.get("sec-fetch-site") ?? "");
  if (text.length < WORTH || !takesGzip(request) || isElsewhere) return { body: text, headers: {} };
  return { body: Bun.gzipSync(text, { level: 5 }), headers: { "content-encoding": "gzip" } };
}

/** Short. */
export function shortHash(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 12);
}
