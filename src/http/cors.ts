import type { Db } from "../../db/open.ts";
import { everything } from "../domain/core/actor/operator.ts";
import { isAppOrigin } from "../domain/core/settings/app-origins.ts";
import { subscriberById } from "../domain/goods/subscribers/find.ts";
import { isSubscriberPath } from "./families.ts";
import { targetPath } from "./target.ts";

const ALLOWED = "access-control-allow-origin";

/** What a page may read beside the body. */
const EXPOSED =
  "Deprecation, ETag, Idempotent-Replayed, Link, Preference-Applied, Retry-After, Sunset, WWW-Authenticate, X-Timezone, X-Total-Count";
const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers":
    "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer",
  "access-control-max-age": "600",
};

type Headers = Record<string, string | number | undefined>;

/**
 * Lets pages of other origins ask by a subscriber's token (Fetch, 3.2), never with cookies. Of whom they ask is known later:
 * until then an origin that any ISP names may read, which is a refusal, and `closeToOthers` takes it back. Returns the answer to a preflight.
 */
export function openToApps(db: Db, request: Request, headers: Headers): Response | undefined {
  const path = targetPath(request);
  if (!path.startsWith("/api/") || !isSubscriberPath(path)) return undefined;
  headers["vary"] = "Origin";
  const origin = request.headers.get("origin");
  if (origin === null || !isAppOrigin(db, origin)) return undefined;
  headers[ALLOWED] = origin;
  headers["access-control-expose-headers"] = EXPOSED;
  const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  if (!isPreflight) return undefined;
  return new Response(null, {
    status: 204,
    headers: { ...PREFLIGHT, [ALLOWED]: origin, vary: "Origin", "cache-control": "no-store" },
  });
}

/** Closes the answer where the ISP of whom it is about does not name the origin. */
export function closeToOthers(db: Db, subscriberId: number, headers: Headers): void {
  const origin = headers[ALLOWED];
  if (typeof origin !== "string") return;
  const { ispId } = subscriberById(db, everything, subscriberId);
  if (isAppOrigin(db, origin, ispId)) return;
  delete headers[ALLOWED];
  delete headers["access-control-expose-headers"];
}
