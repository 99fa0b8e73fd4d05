import { eq, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { all, type Condition, equal } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { DomainError } from "../errors/errors.ts";

/** The rows that somebody sees; null is no limit. */
export interface Scope {
  readonly ispId: number | null;
  readonly branchId: number | null;
  readonly salespersonId: number | null;
  /** true: subscribers who left are seen too; else there is no trace of them. */
  readonly archived?: boolean;
}

/**
 * Who acts, from where, and what they may see and do: the operator at the command line, a staff account, the appliance itself
 * (its jobs), or a subscriber for itself in the portal.
 */
export interface Actor {
  /** null: none of the staff. */
  readonly staffId: number | null;
  /** A subscriber that acts for itself, and may do nothing but that; null: anybody else. */
  readonly subscriberId: number | null;
  readonly name: string;
  /** The client's IP address, `cli` or `system`. */
  readonly source: string;
  readonly scope: Scope;
  readonly admin: boolean;
  /** The flags that the role sets to 1; an Admin needs none. */
  readonly flags: ReadonlySet<string>;
}

/** No row has an isp_id below 1. */
export const nothing: Scope = { ispId: -1, branchId: null, salespersonId: null };

/** Throws `forbidden` when the actor lacks the flag. */
export function requireFlag(actor: Actor, flag: string): void {
  if (may(actor, flag)) return;
  throw new DomainError(
    "forbidden",
    `the permission ${flag} is missing; ask an administrator to set it in your role`,
    { code: "permission_missing", flag },
  );
}

export function may(actor: Actor, flag: string): boolean {
  return actor.admin || actor.flags.has(flag);
}

/** An Admin who sees every row there is: of the whole box, or of its only ISP. */
export function isAdminOfAll(db: Db, { admin, scope }: Actor): boolean {
  if (!admin || scope.branchId !== null) return false;
  return scope.ispId === null || db.$client.query("SELECT id FROM isps LIMIT 2").all().length < 2;
}

/** Throws `forbidden` for who does not see every row of the box: what is the appliance's is shown to its Admins alone. */
export function requireAdminOfAll(db: Db, by: Actor): void {
  if (isAdminOfAll(db, by)) return;
  throw new DomainError("forbidden", "the appliance is its operator's to look at; ask somebody who is", {
    code: "operator_only",
  });
}

/** The scope within what a caller named with isp_id and branch_id (0 or absent: no limit); `nothing` when they share no row. */
export function narrow(
  scope: Scope,
  ispId: number | null | undefined,
  branchId: number | null | undefined,
): Scope {
  const isp = meet(scope.ispId, ispId || null);
  const branch = meet(scope.branchId, branchId || null);
  return isp === undefined || branch === undefined ? nothing : { ...scope, ispId: isp, branchId: branch };
}

/** Whose rows somebody makes who names no ISP: of the one that they are limited to, else of the only one of the box. null: there are several, or none. */
export function ownIsp({ $client }: Pick<Db, "$client">, { ispId }: Pick<Scope, "ispId">): number | null {
  if (ispId !== null) return ispId;
  const [first, second] = $client.query<{ id: number }, []>("SELECT id FROM isps LIMIT 2").all();
  return first && !second ? first.id : null;
}

/** What narrows the subscribers that somebody sees. */
const limits = ({ ispId, branchId, salespersonId }: Scope) =>
  [
    [subscribers.ispId, ispId],
    [subscribers.branchId, branchId],
    [subscribers.salespersonId, salespersonId],
  ] as const;

/** Whether a scope sees all subscribers of its ISP, or of the box. */
export function seesWholeIsp({ branchId, salespersonId }: Scope): boolean {
  return branchId === null && salespersonId === null;
}

/** The same scope as that of the whole box where its ISP is the only one there: no row has to be asked whose it is. */
export function widest({ $client }: Pick<Db, "$client">, scope: Scope): Scope {
  if (scope.ispId === null || !seesWholeIsp(scope)) return scope;
  const other = $client.query<{ id: number }, [number]>("SELECT id FROM isps WHERE id <> ? LIMIT 1");
  return other.get(scope.ispId) ? scope : { ...scope, ispId: null };
}

/** The same with the scope that it is of, which a page hands from one operation to the next. */
export interface Widened {
  readonly of: Scope;
  readonly scope: Scope;
}
export const widened = (db: Pick<Db, "$client">, scope: Scope): Widened => ({
  of: scope,
  scope: widest(db, scope),
});

export function widenedOf(scope: Scope, wide: Widened): Scope {
  if (wide.of !== scope) throw new Error("the scope of somebody else was handed over");
  return wide.scope;
}

/** Of rows that have an ISP and no branch, those that a scope sees. */
export function inIsp({ ispId }: Scope, column: SQLiteColumn): SQL | undefined {
  return ispId === null ? undefined : eq(column, ispId);
}

export const seesOfIsp = ({ ispId }: Scope, row: { readonly ispId: number | null }): boolean =>
  ispId === null || ispId === row.ispId;

/** Throws `forbidden` for an ISP outside the actor's scope. */
export function requireOwnIsp({ scope }: Actor, ispId: number): void {
  if (scope.ispId === null || ispId === scope.ispId) return;
  throw new DomainError("forbidden", `the ISP ${ispId} is not yours`, { code: "other_isp" });
}

/** Throws `forbidden` to an account of one branch and to a Reseller: `what` has neither, and is not theirs to change. */
export function requireWholeIsp({ scope }: Actor, what: string): void {
  if (scope.salespersonId !== null)
    throw new DomainError(
      "forbidden",
      `${what} are the whole ISP's, not a reseller's; ask staff of the ISP`,
      { code: "whole_isp_only" },
    );
  if (scope.branchId === null) return;
  throw new DomainError(
    "forbidden",
    `${what} are the whole ISP's; ask somebody whose account is not of one branch`,
    { code: "whole_isp_only" },
  );
}

/** The subscribers that a scope sees, which the query calls `s`. */
export function scopeCondition(scope: Scope): Condition {
  const present = scope.archived ? undefined : { text: "s.archived_at IS NULL", values: [] };
  return all(...limits(scope).map(([column, value]) => equal(`s.${column.name}`, value)), present);
}

export function seesSubscriber(
  { ispId, branchId, salespersonId, archived }: Scope,
  one: Pick<typeof subscribers.$inferSelect, "ispId" | "branchId" | "salespersonId" | "archivedAt">,
): boolean {
  return (
    (archived === true || one.archivedAt === null) &&
    (ispId === null || ispId === one.ispId) &&
    (branchId === null || branchId === one.branchId) &&
    (salespersonId === null || salespersonId === one.salespersonId)
  );
}

/** The same with those who were archived: of the books, sessions and decisions, which stay. */
export function scopeEver(scope: Scope): Condition {
  return scopeCondition({ ...scope, archived: true });
}

/** The actor, who sees archived subscribers too where a call asked for them. */
export function seeingArchived(by: Actor, archived: number | null | undefined): Actor {
  return archived === 1 ? { ...by, scope: { ...by.scope, archived: true } } : by;
}

function meet(limit: number | null, named: number | null): number | null | undefined {
  if (limit === null) return named;
  return named === null || named === limit ? limit : undefined;
}
