import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { ProfileValues } from "./fields.ts";

/** Throws `forbidden` outside the scope. */
export function requireWithinScope(
  { scope }: Actor,
  { isp_id, branch_id, salesperson_id }: ProfileValues,
): void {
  if (scope.ispId !== null && isp_id && isp_id !== scope.ispId) {
    throw new DomainError("forbidden", phrase`isp_id ${isp_id} is not your ISP; yours is ${scope.ispId}`, {
      code: "other_isp",
    });
  }
  if (scope.branchId !== null && branch_id !== undefined && branch_id !== scope.branchId) {
    throw new DomainError(
      "forbidden",
      phrase`branch_id ${branch_id ?? 0} is not your branch; yours is ${scope.branchId}`,
      { code: "other_branch" },
    );
  }
  if (scope.salespersonId !== null && salesperson_id && salesperson_id !== scope.salespersonId) {
    throw new DomainError(
      "forbidden",
      phrase`a reseller can only be its own salesperson; yours is ${scope.salespersonId}`,
      { code: "staff_only" },
    );
  }
}
