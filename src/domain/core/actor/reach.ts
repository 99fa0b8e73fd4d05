import { all, type Condition, equal } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../errors/errors.ts";
import { type Actor, may, type Scope } from "./actor.ts";

/** The accounts that a scope sees: of its ISP and branch; a Reseller its own alone. For queries that call them `a`. */
export function staffCondition({ ispId, branchId, salespersonId }: Scope): Condition {
  return all(equal("a.isp_id", ispId), equal("a.branch_id", branchId), equal("a.id", salespersonId));
}

/** Throws `forbidden` where a new account would see what the actor does not; `ispId` null is the whole box. */
export function requireStaffWithin(
  { scope }: Actor,
  { ispId, branchId }: { ispId: number | null; branchId: number | null },
): void {
  refuseReseller({ scope });
  if (scope.ispId !== null && ispId !== scope.ispId)
    throw new DomainError("forbidden", `isp_id ${ispId ?? 0} is not your ISP; yours is ${scope.ispId}`, {
      code: "other_isp",
    });
  if (scope.branchId !== null && branchId !== scope.branchId)
    throw new DomainError(
      "forbidden",
      `branch_id ${branchId ?? 0} is not your branch; yours is ${scope.branchId}`,
      { code: "other_branch" },
    );
}

/** Throws `forbidden` to a Reseller, who sees its own account and manages none. */
export function refuseReseller({ scope }: Pick<Actor, "scope">): void {
  if (scope.salespersonId !== null)
    throw new DomainError("forbidden", "a reseller has no staff of its own", { code: "staff_only" });
}

/** Nobody makes or manages an account that may do what they may not. Throws `forbidden`. */
export function requireNoMore(
  db: Db,
  by: Actor,
  { isAdmin, roleCode }: { isAdmin: boolean; roleCode: number | null },
): void {
  if (by.admin) return;
  if (isAdmin)
    throw new DomainError("forbidden", "only an Admin can do this to an Admin; ask one", {
      code: "admin_only",
    });
  const lacking = roleCode === null ? [] : flagsOf(db, roleCode).filter((flag) => !by.flags.has(flag));
  if (lacking.length > 0)
    throw new DomainError(
      "forbidden",
      `the role has permissions that you lack: ${lacking.join(", ")}; ask an Admin`,
      { code: "permission_missing" },
    );
}

/** What a Reseller may owe is money lent: who moves none by hand raises no limit, in minor units. Throws `forbidden`. */
export function requireMayLend(by: Actor, { before, after }: { before: number; after: number }): void {
  if (after <= before || may(by, "wallet_adjust")) return;
  throw new DomainError(
    "forbidden",
    "a higher credit limit lends money, for which the permission wallet_adjust is missing; leave it as it is, or ask an administrator",
    { code: "permission_missing" },
  );
}

/** The flags that a role sets to 1. */
export function flagsOf({ $client }: Db, roleCode: number): string[] {
  return $client
    .query<{ flag: string }, [number]>("SELECT flag FROM role_permissions WHERE role_code = ? AND value = 1")
    .all(roleCode)
    .map(({ flag }) => flag);
}
