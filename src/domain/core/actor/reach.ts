import { all, type Condition, equal } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../errors/errors.ts";
import { phrase } from "../errors/phrase.ts";
import { type Actor, may, type Scope } from "./actor.ts";

/** Visible accounts, those of keys too, alias `a`; of a Reseller its own. */
export function staffCondition({ ispId, branchId, salespersonId }: Scope): Condition {
  return all(equal("a.isp_id", ispId), equal("a.branch_id", branchId), equal("a.id", salespersonId));
}

/** The same condition without keys. */
export const peopleCondition = (scope: Scope): Condition =>
  all(staffCondition(scope), { text: "a.is_key = 0", values: [] });

/** Throws `forbidden` where a new account would see more than the actor; `ispId` null: the whole box. */
export function requireStaffWithin(
  { scope }: Actor,
  { ispId, branchId }: { ispId: number | null; branchId: number | null },
): void {
  refuseReseller({ scope });
  if (scope.ispId !== null && ispId !== scope.ispId)
    throw new DomainError(
      "forbidden",
      phrase`isp_id ${ispId ?? 0} is not your ISP; yours is ${scope.ispId}`,
      {
        code: "other_isp",
      },
    );
  if (scope.branchId !== null && branchId !== scope.branchId)
    throw new DomainError(
      "forbidden",
      phrase`branch_id ${branchId ?? 0} is not your branch; yours is ${scope.branchId}`,
      { code: "other_branch" },
    );
}

export function refuseReseller({ scope }: Pick<Actor, "scope">): void {
  if (scope.salespersonId !== null)
    throw new DomainError("forbidden", phrase`a reseller has no staff of its own`, { code: "staff_only" });
}

/** Throws `forbidden` for an account with more permissions than the actor. */
export function requireNoMore(
  db: Db,
  by: Actor,
  { isAdmin, roleCode }: { isAdmin: boolean; roleCode: number | null },
): void {
  if (by.admin) return;
  if (isAdmin)
    throw new DomainError("forbidden", phrase`only an Admin can do this to an Admin; ask one`, {
      code: "admin_only",
    });
  const lacking = roleCode === null ? [] : listFlags(db, roleCode).filter((flag) => !by.flags.has(flag));
  if (lacking.length > 0)
    throw new DomainError(
      "forbidden",
      phrase`the role has permissions that you lack: ${lacking.join(", ")}; ask an Admin`,
      { code: "permission_missing" },
    );
}

export function requireMayLend(by: Actor, { before, after }: { before: number; after: number }): void {
  if (after <= before || may(by, "wallet_adjust")) return;
  throw new DomainError(
    "forbidden",
    phrase`a higher credit limit lends money, for which the permission wallet_adjust is missing; leave it as it is, or ask an administrator`,
    { code: "permission_missing" },
  );
}

const MAKES_KEYS = "api_key_manage";

/** Flags of an account; of a key its part of its role's, and never that of making keys. `api_access` is its role's, whatever the part. */
export function readFlags(
  db: Db,
  { id, roleCode, isKey }: { id: number; roleCode: number | null; isKey: number },
): string[] {
  const flags = roleCode === null ? [] : listFlags(db, roleCode);
  if (isKey === 0) return flags;
  const key = db.$client
    .query<{ flags: string | null }, [number]>("SELECT flags FROM api_keys WHERE staff_id = ?")
    .get(id);
  if (!key) return [];
  const part = key.flags === null ? flags : ["api_access", ...key.flags.split(",")];
  return flags.filter((flag) => flag !== MAKES_KEYS && part.includes(flag));
}

export function listFlags({ $client }: Db, roleCode: number): string[] {
  return $client
    .query<{ flag: string }, [number]>("SELECT flag FROM role_permissions WHERE role_code = ? AND value = 1")
    .all(roleCode)
    .map(({ flag }) => flag);
}
