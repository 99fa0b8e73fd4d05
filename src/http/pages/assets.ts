import { createHash } from "node:crypto";
import style from "../portal/assets/portal.css" with { type: "text" };
import script from "../portal/assets/portal.js" with { type: "text" };

const FOREVER = "public, max-age=31536000, immutable";

interface Asset {
  readonly path: string;
  readonly text: string;
  readonly type: string;
}

/** The style and the script, under names that change with their content. */
export const styleAsset = asset("portal", "css", "text/css", style);
export const scriptAsset = asset("portal", "js", "text/javascript", script);

/** The asset of a path below /portal/assets/; undefined when there is none. */
export function assetResponse(path: string, request: Request): Response | undefined {
  const found = [styleAsset, scriptAsset].find((known) => known.path === path);
  return found && cacheable(found.text, `${found.type}; charset=utf-8`, request);
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

/** Short, and of the content alone. */
export function hashOf(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 12);
}

function asset(name: string, ending: string, type: string, text: string): Asset {
  return { path: `/portal/assets/${name}-${hashOf(text)}.${ending}`, text, type };
}
