import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ADMIN, SELLERS } from "../../core/actor/profile-types.ts";
import { fold } from "../../core/fields/text.ts";

/** Alias `a`: Admins and Resellers, and with a single ISP operators. */
export function sellersCondition({ ispId, salespersonId }: Scope): Condition {
  const sells = `a.profile_type IN (${SELLERS.join(", ")}) AND ${ISP_OF_SELLER} IS NOT NULL`;
  return all({ text: sells, values: [] }, equal(ISP_OF_SELLER, ispId), equal("a.id", salespersonId));
}

/** An operator's is the only ISP; NULL for several. */
export const ISP_OF_SELLER = "coalesce(a.isp_id, (SELECT min(id) FROM isps HAVING count(*) = 1))";

export interface Seller {
  readonly id: number;
  readonly username: string;
  readonly name: string;
}

/** Sellers of whom the setting names one: those who are enabled, by name. */
export function listSellers(db: Db, by: Actor): Omit<Seller, "id">[] {
  permit(by, "listSellers");
  return enabledSellers(db, by.scope).map(({ username, name }) => ({ username, name }));
}

/** Sellers who may sell now, by name. */
export function enabledSellers(db: Db, scope: Scope): Seller[] {
  const { text, values } = sellersCondition(scope);
  return db.$client
    .query<Seller, Value[]>(
      `SELECT a.id, a.username, a.name FROM staff a WHERE a.status = 1 AND ${text} ORDER BY a.name COLLATE NOCASE, a.id`,
    )
    .all(...values);
}

/** The signer-up if Admin or Reseller, else the setting's, else the first Admin. undefined: none enabled. */
export function usualSalesperson(db: Db, by: Actor, ispId: number): number | undefined {
  const { text, values } = sellersCondition({ ispId, branchId: null, salespersonId: null });
  const found = (condition: string, ...more: Value[]) =>
    db.$client
      .query<{ id: number }, Value[]>(
        `SELECT a.id FROM staff a WHERE a.status = 1 AND ${text} AND ${condition}
         ORDER BY a.isp_id IS NULL, a.id LIMIT 1`,
      )
      .get(...values, ...more)?.id;
  const named = setting(db, "sign_up_salesperson", ispId);
  return (
    found("a.id = ?", by.staffId) ??
    (named === "" ? undefined : found("a.username_key = ?", fold(named))) ??
    found("a.profile_type = ?", ADMIN)
  );
}
