import { eq, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { all, type Condition, equal } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { DomainError } from "../errors/errors.ts";
import { phrase } from "../errors/phrase.ts";

/** Visible rows; null is no limit. */
export interface Scope {
  readonly ispId: number | null;
  readonly branchId: number | null;
  readonly salespersonId: number | null;
  /** true: with archived subscribers, of whom there is otherwise no trace. */
  readonly archived?: boolean;
}

/** Who acts, from where, with what scope and flags: the command line, a staff account, a job, or a subscriber in the portal. */
export interface Actor {
  readonly staffId: number | null;
  /** A subscriber who may act for itself alone; null: anybody else. */
  readonly subscriberId: number | null;
  readonly name: string;
  /** IP address, `cli` or `system`. */
  readonly source: string;
  readonly scope: Scope;
  readonly admin: boolean;
  /** Flags of the role; an Admin needs none. */
  readonly flags: ReadonlySet<string>;
  /** An API key of a program, whose flags are a part of its role's. */
  readonly isKey?: true;
}

/** Matches no row. */
export const nothing: Scope = { ispId: -1, branchId: null, salespersonId: null };

/** Throws `forbidden` without the flag. */
export function requireFlag(actor: Actor, flag: string): void {
  if (may(actor, flag)) return;
  throw new DomainError(
    "forbidden",
    actor.isKey
      ? phrase`the permission ${flag} is missing; have it given to this key (in the console under API keys), and to the key's role where that lacks it too`
      : phrase`the permission ${flag} is missing; ask an administrator to set it in your role`,
    { code: "permission_missing", flag },
  );
}

export function may(actor: Actor, flag: string): boolean {
  return actor.admin || actor.flags.has(flag);
}

/** An Admin of the whole box, or of its only ISP. */
export function isApplianceAdmin(db: Db, { admin, scope }: Actor): boolean {
  if (!admin || scope.branchId !== null) return false;
  return scope.ispId === null || db.$client.query("SELECT id FROM isps LIMIT 2").all().length < 2;
}

/** Throws `forbidden` for anybody but an Admin of the whole box. */
export function requireApplianceAdmin(db: Db, by: Actor): void {
  if (isApplianceAdmin(db, by)) return;
  throw new DomainError(
    "forbidden",
    phrase`the appliance is its operator's to look at; ask somebody who is`,
    {
      code: "operator_only",
    },
  );
}

/** The scope narrowed to isp_id and branch_id (0 or absent: no limit); `nothing` when they share no row. */
export function narrow(
  scope: Scope,
  ispId: number | null | undefined,
  branchId: number | null | undefined,
): Scope {
  const isp = meet(scope.ispId, ispId || null);
  const branch = meet(scope.branchId, branchId || null);
  return isp === undefined || branch === undefined ? nothing : { ...scope, ispId: isp, branchId: branch };
}

/** The ISP of new rows by default: the actor's, or the only one. null: several, or none. */
export function ownIsp({ $client }: Pick<Db, "$client">, { ispId }: Pick<Scope, "ispId">): number | null {
  if (ispId !== null) return ispId;
  const [first, second] = $client.query<{ id: number }, []>("SELECT id FROM isps LIMIT 2").all();
  return first && !second ? first.id : null;
}

const limits = ({ ispId, branchId, salespersonId }: Scope) =>
  [
    [subscribers.ispId, ispId],
    [subscribers.branchId, branchId],
    [subscribers.salespersonId, salespersonId],
  ] as const;

/** Whether it sees all subscribers of its ISP, or of the box. */
export function seesWholeIsp({ branchId, salespersonId }: Scope): boolean {
  return branchId === null && salespersonId === null;
}

/** Drops an ISP limit that is the only ISP, which spares queries the test. */
export function widest({ $client }: Pick<Db, "$client">, scope: Scope): Scope {
  if (scope.ispId === null || !seesWholeIsp(scope)) return scope;
  const other = $client.query<{ id: number }, [number]>("SELECT id FROM isps WHERE id <> ? LIMIT 1");
  return other.get(scope.ispId) ? scope : { ...scope, ispId: null };
}

export interface Widened {
  readonly of: Scope;
  readonly scope: Scope;
}
export const widened = (db: Pick<Db, "$client">, scope: Scope): Widened => ({
  of: scope,
  scope: widest(db, scope),
});

export function widenedScope(scope: Scope, wide: Widened): Scope {
  if (wide.of !== scope) throw new Error("the scope of somebody else was handed over");
  return wide.scope;
}

/** The condition for rows that have an ISP and no branch. */
export function inIsp({ ispId }: Scope, column: SQLiteColumn): SQL | undefined {
  return ispId === null ? undefined : eq(column, ispId);
}

export const seesIsp = ({ ispId }: Scope, row: { readonly ispId: number | null }): boolean =>
  ispId === null || ispId === row.ispId;

/** Throws `forbidden` for another ISP. */
export function requireOwnIsp({ scope }: Actor, ispId: number): void {
  if (scope.ispId === null || ispId === scope.ispId) return;
  throw new DomainError("forbidden", phrase`the ISP ${ispId} is not yours`, { code: "other_isp" });
}

/** What is the whole ISP's, in words. */
const wholeNouns = {
  "address pools": phrase`address pools`,
  "bank files": phrase`bank files`,
  boxes: phrase`boxes`,
  "entries of the audit trail": phrase`entries of the audit trail`,
  messages: phrase`messages`,
  "moves from other systems": phrase`moves from other systems`,
  packages: phrase`packages`,
  "payment sources": phrase`payment sources`,
  "payments that arrive": phrase`payments that arrive`,
  roles: phrase`roles`,
  ISPs: phrase`ISPs`,
  branches: phrase`branches`,
  cities: phrase`cities`,
  areas: phrase`areas`,
  subareas: phrase`subareas`,
  routers: phrase`routers`,
  settings: phrase`settings`,
  shapers: phrase`shapers`,
  "templates of cards": phrase`templates of cards`,
  webhooks: phrase`webhooks`,
} as const;

export type WholeNoun = keyof typeof wholeNouns;

/** Throws `forbidden` to accounts of a branch and Resellers: `what` belongs to the whole ISP. */
export function requireWholeIsp({ scope }: Actor, nouns: WholeNoun): void {
  const what = wholeNouns[nouns];
  if (scope.salespersonId !== null)
    throw new DomainError(
      "forbidden",
      phrase`${what} are the whole ISP's, not a reseller's; ask staff of the ISP`,
      { code: "whole_isp_only" },
    );
  if (scope.branchId === null) return;
  throw new DomainError(
    "forbidden",
    phrase`${what} are the whole ISP's; ask somebody whose account is not of one branch`,
    { code: "whole_isp_only" },
  );
}

/** The condition for subscribers of a scope, under the alias `s`. */
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

/** The condition with archived ones, for books, sessions and decisions, which stay. */
export function scopeEver(scope: Scope): Condition {
  return scopeCondition({ ...scope, archived: true });
}

/** The actor, who sees archived subscribers too where the call asks for them. */
export function seeingArchived(by: Actor, archived: number | null | undefined): Actor {
  return archived === 1 ? { ...by, scope: { ...by.scope, archived: true } } : by;
}

function meet(limit: number | null, named: number | null): number | null | undefined {
  if (limit === null) return named;
  return named === null || named === limit ? limit : undefined;
}

const moneyFlags = [
  "payment_take",
  "payment_view",
  "wallet_view",
  "invoice_view",
  "subscriber_activate",
  "report_view",
];

/** Whether balances are shown: to cashiers, sellers and bookkeepers, not to technicians. */
export function seesMoney(by: Actor): boolean {
  return moneyFlags.some((flag) => may(by, flag));
}
