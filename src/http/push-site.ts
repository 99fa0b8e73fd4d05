import type { Db } from "../../db/open.ts";
import { setting } from "../domain/core/settings/settings.ts";

/** Whom push services turn to (RFC 8292, 2.1), an address that is https: that of the portal, else of the page that asks, else of what it asked. */
export function pushSite(db: Db, request: Request, ispId: number | null): string {
  const known = [setting(db, "portal_url", ispId ?? 0), request.headers.get("origin") ?? ""];
  const site = known.map((one) => URL.parse(one)).find((url) => url?.protocol === "https:");
  return site?.origin ?? `https://${request.headers.get("host") ?? "localhost"}`;
}
