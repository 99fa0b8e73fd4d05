import { all, type Condition, equal } from "../../../../db/condition.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { type Actor, type Scope, seesOfIsp } from "../../core/actor/actor.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import type { CardBatch } from "./standing.ts";

/**
 * The batches that a scope sees, in queries that call them `b`: of its ISP; of its branch and those of none; a reseller those that it
 * holds.
 */
export function batchesSeen({ ispId, branchId, salespersonId }: Scope): Condition {
  // who holds a batch has all of it, wherever its account is
  if (salespersonId !== null) return all(equal("b.isp_id", ispId), equal("b.reseller_id", salespersonId));
  const ofBranch =
    branchId === null
      ? undefined
      : { text: "(b.branch_id IS NULL OR b.branch_id = ?)", values: [branchId] as const };
  return all(equal("b.isp_id", ispId), ofBranch);
}

/** The same of a batch, or of a card of it, that was read. */
export function seesBatch(
  scope: Scope,
  batch: Pick<CardBatch, "ispId" | "branchId" | "resellerId">,
): boolean {
  if (!seesOfIsp(scope, batch)) return false;
  if (scope.salespersonId !== null) return batch.resellerId === scope.salespersonId;
  return scope.branchId === null || batch.branchId === null || batch.branchId === scope.branchId;
}

/** The sums `d` of days that are of the batches that a scope sees. */
export function sumsSeen({ ispId, branchId, salespersonId }: Scope): Condition {
  // by ISPs that are named, such that the days of each are read by the key
  const ofIsp =
    ispId === null ? { text: "d.isp_id IN (SELECT id FROM isps)", values: [] } : equal("d.isp_id", ispId);
  if (salespersonId !== null) return all(ofIsp, equal("d.reseller_id", salespersonId));
  return all(ofIsp, branchId === null ? undefined : { text: "d.branch_id IN (0, ?)", values: [branchId] });
}

/** Throws `forbidden` to an account of a branch for cards of the whole ISP, which it only sees. */
export function requireOwnBranch({ scope }: Actor, batch: Pick<CardBatch, "id" | "branchId">): void {
  if (scope.salespersonId !== null || scope.branchId === null || scope.branchId === batch.branchId) return;
  throw new DomainError(
    "forbidden",
    `batch ${batch.id} is the whole ISP's, not your branch's; ask somebody whose account is not of one branch`,
    { code: "whole_isp_only" },
  );
}

export const noCard = (id: number) =>
  new DomainError("not_found", `there is no card ${cardNumber(id)}`, { code: "card_unknown" });
export const noBatch = (id: number) => new DomainError("not_found", `there is no batch ${id}`);
