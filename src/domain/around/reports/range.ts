import { all, type Condition } from "../../../../db/condition.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { type Actor, type Scope, seesWholeIsp } from "../../core/actor/actor.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

/** A range of time: its first and its last second. */
export interface Range {
  readonly from: Seconds;
  readonly to: Seconds;
}

/** The local days of a range. Throws `invalid` where it ends before it begins, or is longer than `most` days. */
export function daysOf({ from, to }: Range, most: number): { first: number; last: number } {
  requireRange({ from, to }, most * 86_400 + 3600); // one of them may have 25 hours
  return { first: localDay(from), last: localDay(to) };
}

/** Throws `invalid` where a range ends before it begins, or has more seconds than `most`. */
export function requireRange({ from, to }: Range, most: Seconds): void {
  const fault = (message: string) =>
    new DomainError("invalid", `check to: it ${message}`, { fields: { to: [message] } });
  if (to < from) throw fault("must not be before from");
  if (to - from >= most) throw fault(`may be at most ${Math.floor(most / 86_400)} days after from here`);
}

/** Throws `forbidden` to who sees a part of an ISP only: routers serve all of it. */
export function requireRouters({ scope }: Actor): void {
  if (seesWholeIsp(scope)) return;
  throw new DomainError(
    "forbidden",
    "what routers count is of the whole ISP; ask somebody whose account is not of one branch or of a reseller",
    { code: "whole_isp_only" },
  );
}

/** Of the ISPs that a scope sees, as `isp_id`; such that an index by it is used. */
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
