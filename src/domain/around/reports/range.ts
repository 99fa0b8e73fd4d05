import { all, type Condition } from "../../../../db/condition.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { type Actor, type Scope, seesWholeIsp } from "../../core/actor/actor.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

export interface Range {
  readonly from: Seconds;
  readonly to: Seconds;
}

export function requireDays({ from, to }: Range, most: number): { first: number; last: number } {
  requireRange({ from, to }, most * 86_400 + 3600); // one of them may have 25 hours
  return { first: localDay(from), last: localDay(to) };
}

/** Throws `invalid`. */
export function requireRange({ from, to }: Range, most: Seconds): void {
  const fault = (message: Phrase) =>
    new DomainError("invalid", phrase`check to: it ${message}`, { fields: { to: [message] } });
  if (to < from) throw fault(phrase`must not be before from`);
  if (to - from >= most)
    throw fault(phrase`may be at most ${Math.floor(most / 86_400)} days after from here`);
}

/** Throws `forbidden` without a whole ISP. */
export function requireRouters({ scope }: Actor): void {
  if (seesWholeIsp(scope)) return;
  throw new DomainError(
    "forbidden",
    phrase`what routers count is of the whole ISP; ask somebody whose account is not of one branch or of a reseller`,
    { code: "whole_isp_only" },
  );
}

/** The ISPs of a scope, as a condition on `isp_id`, so that its index is used. */
export function ispsInScope({ ispId }: Scope): Condition {
  return ispId === null
    ? { text: "isp_id IN (SELECT id FROM isps)", values: [] }
    : { text: "isp_id = ?", values: [ispId] };
}

export function sumsInScope(scope: Scope): Condition {
  const { branchId, salespersonId } = scope;
  return all(
    ispsInScope(scope),
    branchId === null ? undefined : { text: "branch_id = ?", values: [branchId] },
    salespersonId === null ? undefined : { text: "seller_id = ?", values: [salespersonId] },
  );
}
