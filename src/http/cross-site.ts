import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { requestedHost, type Server, type TrustedProxies } from "./client-address.ts";

/** Safe methods (RFC 9110 9.2.1). */
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
const OWN_SITES = new Set(["same-origin", "none"]);

/**
 * Browsers add Basic credentials to requests of any page, but name that page: in Sec-Fetch-Site on secure connections, in
 * Origin everywhere. Programs send neither. Throws `forbidden`.
 */
export function refuseOtherSites(request: Request, server: Server | null, trusted: TrustedProxies): void {
  if (SAFE.has(request.method)) return;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const isOwnSite = site === null || OWN_SITES.has(site);
  const isOwnOrigin =
    origin === null || isOurs(origin, requestedHost(request, server, trusted), site !== null);
  if (isOwnSite && isOwnOrigin) return;
  throw new DomainError(
    "forbidden",
    phrase`a browser says that a page of another site sent this; send it from a page of this host, or from a program without Origin and Sec-Fetch-Site`,
    { code: "cross_site" },
  );
}

/**
 * Whether an origin is the requested host. The scheme does not count, for a proxy may end TLS. Once the browser calls the site
 * same-origin, the port, which proxies drop, and a `null` origin do not count either.
 */
function isOurs(origin: string, requested: string, isSiteKnown: boolean): boolean {
  if (origin === "null") return isSiteKnown;
  const sender = URL.parse(origin);
  const own = sender && URL.parse(`${sender.protocol}//${requested}`);
  if (!own || own.hostname === "") return false;
  return isSiteKnown ? sender.hostname === own.hostname : sender.host === own.host;
}
