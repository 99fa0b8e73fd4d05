import { DomainError } from "../domain/core/errors/errors.ts";
import { requestedHost, type Server, type TrustedProxies } from "./client-address.ts";

/** Methods that change nothing (RFC 9110 9.2.1). */
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
const OWN_SITES = new Set(["same-origin", "none"]);

/**
 * A browser adds Basic credentials to whatever any page sends here. It also says which page that was: in Sec-Fetch-Site where the
 * connection is safe, in Origin everywhere. Programs send neither. Throws `forbidden`.
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
    "a browser says that a page of another site sent this; send it from a page of this host, or from a program without Origin and Sec-Fetch-Site",
    { code: "cross_site" },
  );
}

/**
 * Whether an origin is the host that was asked. Its scheme does not count, because a proxy may have ended TLS. Where the browser has
 * said that the site is ours, neither does the port, which proxies drop, nor that the origin of a page without a referrer is `null`.
 */
function isOurs(origin: string, requested: string, isSiteKnown: boolean): boolean {
  if (origin === "null") return isSiteKnown;
  const sender = URL.parse(origin);
  const own = sender && URL.parse(`${sender.protocol}//${requested}`);
  if (!own || own.hostname === "") return false;
  return isSiteKnown ? sender.hostname === own.hostname : sender.host === own.host;
}
