/**
 * Where a request goes, read from its URL without a parser: that of a request whose Host is no authority is no URL, and the one
 * of HTTP/1.0 without a Host is a path alone. These functions take either.
 */
type Target = Pick<Request, "url">;

/** The path as routes are found by it: behind the authority, as far as the query. */
export function pathOf({ url }: Target): string {
  const from = pathStart(url);
  if (from < 0) return "/"; // CONNECT names an authority alone
  const end = url.indexOf("?", from);
  return end < 0 ? url.slice(from) : url.slice(from, end);
}

/** The query, without its question mark; empty where there is none. */
export function queryOf({ url }: Target): string {
  const from = url.indexOf("?");
  if (from < 0) return "";
  const end = url.indexOf("#", from);
  return end < 0 ? url.slice(from + 1) : url.slice(from + 1, end);
}

function pathStart(url: string): number {
  return url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf(":") + 3);
}

/** `pathStart` of a variable `u`, as source for the code that finds routes. */
export const PATH_START = "u.charCodeAt(0)===47?0:u.indexOf('/',u.indexOf(':')+3)";

/** uri-host [ ":" port ] (RFC 9110 7.2), without what no name in use has: user information, lists, an empty host. */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[^\s\p{Cc}"#%,/:<>?@[\\\]^`{|}]+)(?::\d{0,5})?$/iu;

/**
 * Whether a request says in words that can be understood where it goes: its Host is an authority (RFC 9112 3.2), or there is none,
 * which HTTP/1.0 may do.
 */
export function isUnderstood({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  const host = headers.get("host");
  if (host === null && url.startsWith("/")) return true;
  return /^https?:/.test(url) && (host === null || AUTHORITY.test(host)) && URL.canParse(url);
}
