import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Finding, warning } from "./finding.ts";

/** ISPs whose expired subscribers reach a walled garden page without a link to the portal. */
export function checkPortal(db: Db, { isServed }: { isServed: boolean }): Finding[] {
  if (isServed) return [];
  return db.$client
    .query<{ id: number; name: string }, []>(
      `SELECT id, name FROM isps WHERE EXISTS (
         SELECT 1 FROM packages WHERE isp_id = isps.id AND (expired_address_list IS NOT NULL OR expired_pool IS NOT NULL)) ORDER BY id`,
    )
    .all()
    .filter(({ id }) => setting(db, "portal_url", id) === "")
    .map(({ id, name }) =>
      warning(
        "portal",
        `the page for expired subscribers of ${name} has no way to the portal, where they could pay: say where that is under Settings, Portal, or: gatehouse settings set portal_url https://... --isp ${id}`,
        "portal_unknown",
        { name },
      ),
    );
}
