import type { Tx } from "../../../../db/open.ts";
import { ADMIN, STAFF } from "../../core/actor/profile-types.ts";
import { type Holder, takesPush } from "../../people/push/devices.ts";
import type { AddressKind } from "./channel-fields.ts";
import type { Rule } from "./rules.ts";

export type Recipient =
  | { readonly subscriberId: number; readonly staffId: null; readonly aboutId: null }
  | { readonly subscriberId: null; readonly staffId: number; readonly aboutId: number | null };

/** A channel to one place counts as one recipient; one of notifications has those alone who get some. */
export function listRecipients(
  tx: Tx,
  rule: Pick<Rule, "audience" | "flag" | "ispId" | "channelId">,
  subscriberId: number | null,
): Recipient[] {
  const kind = tx.$client
    .query<{ address: AddressKind }, [number]>("SELECT address FROM channels WHERE id = ?")
    .get(rule.channelId)?.address;
  const isReached = (holder: Holder) => kind !== "device" || takesPush(tx, holder);
  if (rule.audience === "subscriber") {
    const one = { subscriberId: subscriberId ?? 0, staffId: null, aboutId: null };
    return subscriberId !== null && isReached(one) ? [one] : [];
  }
  const all = rule.audience === "staff" ? staffWith(tx, rule, subscriberId) : findSeller(tx, subscriberId);
  const staff = all.filter(({ id }) => isReached({ subscriberId: null, staffId: id }));
  return (kind === "none" ? staff.slice(0, 1) : staff).map(({ id }) => ({
    subscriberId: null,
    staffId: id,
    aboutId: subscriberId,
  }));
}

/** Enabled staff by flag or Admin; of a branch for its events. */
function staffWith(
  { $client }: Tx,
  { ispId, flag }: Pick<Rule, "ispId" | "flag">,
  subscriberId: number | null,
): { id: number }[] {
  return $client
    .query<{ id: number }, [number, string, number | null]>(
      `SELECT a.id FROM staff a WHERE a.isp_id = ?1 AND a.status = 1 AND a.is_key = 0 AND a.profile_type IN (${ADMIN}, ${STAFF})
         AND (a.profile_type = ${ADMIN} OR EXISTS (
           SELECT 1 FROM role_permissions p WHERE p.role_code = a.role_code AND p.flag = ?2 AND p.value = 1))
         AND (a.branch_id IS NULL OR ?3 IS NULL OR a.branch_id IS (SELECT branch_id FROM subscribers WHERE id = ?3))
       ORDER BY a.id`,
    )
    .all(ispId, flag ?? "", subscriberId);
}

function findSeller({ $client }: Tx, subscriberId: number | null): { id: number }[] {
  if (subscriberId === null) return [];
  return $client
    .query<{ id: number }, [number]>(
      "SELECT a.id FROM subscribers s JOIN staff a ON a.id = s.salesperson_id WHERE s.id = ? AND a.status = 1",
    )
    .all(subscriberId);
}
