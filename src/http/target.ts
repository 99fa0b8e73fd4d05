/** Reads URLs without a parser: with an invalid Host there is no URL, with HTTP/1.0 only a path. */
type Target = Pick<Request, "url">;

/** The path, between authority and query. */
export function targetPath({ url }: Target): string {
  const from = pathStart(url);
  if (from < 0) return "/"; // CONNECT names an authority alone
  const end = url.indexOf("?", from);
  return end < 0 ? url.slice(from) : url.slice(from, end);
}

export function targetQuery({ url }: Target): string {
  const from = url.indexOf("?");
  if (from < 0) return "";
  const end = url.indexOf("#", from);
  return end < 0 ? url.slice(from + 1) : url.slice(from + 1, end);
}

function pathStart(url: string): number {
  return url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf(":") + 3);
}

/** `pathStart` as source text for the compiled router. */
export const PATH_START = "u.charCodeAt(0)===47?0:u.indexOf('/',u.indexOf(':')+3)";

/** uri-host [ ":" port ] (RFC 9110 7.2), without user info, lists and empty hosts. */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[^\s\p{Cc}"#%,/:<>?@[\\\]^`{|}]+)(?::\d{0,5})?$/iu;

/** A valid Host (RFC 9112 3.2), or none, as in HTTP/1.0. */
export function isUnderstood({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  const host = headers.get("host");
  if (host === null && url.startsWith("/")) return true;
  return /^https?:/.test(url) && (host === null || AUTHORITY.test(host)) && URL.canParse(url);
}
