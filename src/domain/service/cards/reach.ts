import { all, type Condition, equal } from "../../../../db/condition.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, type Scope, seesIsp } from "../../core/actor/actor.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import type { CardBatch } from "./standing.ts";

/** Batches `b` in scope: the ISP's; of a branch its own and those of none; of a reseller those it holds. */
export function batchesSeen({ ispId, branchId, salespersonId }: Scope): Condition {
  // a reseller sees every batch it holds, whatever its account's branch
  if (salespersonId !== null) return all(equal("b.isp_id", ispId), equal("b.reseller_id", salespersonId));
  const ofBranch =
    branchId === null
      ? undefined
      : { text: "(b.branch_id IS NULL OR b.branch_id = ?)", values: [branchId] as const };
  return all(equal("b.isp_id", ispId), ofBranch);
}

/** The same for a row already read. */
export function seesBatch(
  scope: Scope,
  batch: Pick<CardBatch, "ispId" | "branchId" | "resellerId">,
): boolean {
  if (!seesIsp(scope, batch)) return false;
  if (scope.salespersonId !== null) return batch.resellerId === scope.salespersonId;
  return scope.branchId === null || batch.branchId === null || batch.branchId === scope.branchId;
}

/** Day sums `d` of batches in scope. */
export function sumsSeen({ ispId, branchId, salespersonId }: Scope): Condition {
  // with ISPs listed, so that each one's days are read by key
  const ofIsp =
    ispId === null ? { text: "d.isp_id IN (SELECT id FROM isps)", values: [] } : equal("d.isp_id", ispId);
  if (salespersonId !== null) return all(ofIsp, equal("d.reseller_id", salespersonId));
  return all(ofIsp, branchId === null ? undefined : { text: "d.branch_id IN (0, ?)", values: [branchId] });
}

/** Throws `forbidden` to a branch for cards of the whole ISP, which it may only see. */
export function requireOwnBranch({ scope }: Actor, batch: Pick<CardBatch, "id" | "branchId">): void {
  if (scope.salespersonId !== null || scope.branchId === null || scope.branchId === batch.branchId) return;
  throw new DomainError(
    "forbidden",
    phrase`batch ${batch.id} is the whole ISP's, not your branch's; ask somebody whose account is not of one branch`,
    { code: "whole_isp_only" },
  );
}

export const noCard = (id: number) =>
  new DomainError("not_found", phrase`there is no card ${cardNumber(id)}`, { code: "card_unknown" });
export const noBatch = (id: number) => new DomainError("not_found", phrase`there is no batch ${id}`);
