import { and, asc, count, eq, max } from "drizzle-orm";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { isps, roles, sequences, staff } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import { id, text } from "../fields.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";

export const roleCode = id;
export const roleName = text(120);

const SEQUENCE = "role_code";
const shown = { id: roles.id, code: roles.code, name: roles.name };

export type Role = typeof roles.$inferSelect;

interface Change {
  now: Seconds;
  by: Actor;
}

/** The roles in the actor's scope, by code. */
export function listRoles(db: Db, by: Actor) {
  return db.select(shown).from(roles).where(inScope(by)).orderBy(asc(roles.code)).all();
}

/** The role of a code in the actor's scope. Throws not_found. */
export function roleByCode(db: Db, by: Actor, code: number): Role {
  const role = db
    .select()
    .from(roles)
    .where(and(eq(roles.code, code), inScope(by)))
    .get();
  if (!role) throw new DomainError("not_found", `there is no role ${code}`);
  return role;
}

/**
 * Creates a role in an ISP, by default the actor's own, under the next code. Throws `invalid` where the operator names no
 * ISP or one that does not exist, `forbidden` for an ISP outside the actor's scope.
 */
export function createRole(
  db: Db,
  { ispId, name, now, by }: { ispId: number | null | undefined; name: string } & Change,
): Role {
  return write(db, (tx) => {
    const role = tx
      .insert(roles)
      .values({ code: nextCode(tx), ispId: ispForNewRow(tx, by, ispId), name, createdAt: now })
      .returning()
      .get();
    audit(tx, by, now, { ...auditOf(role, "role.create"), after: { name } });
    return role;
  });
}

/** Gives a role another name. Throws not_found. */
export function renameRole(db: Db, { code, name, now, by }: { code: number; name: string } & Change): void {
  write(db, (tx) => {
    const role = roleByCode(tx, by, code);
    tx.update(roles).set({ name }).where(eq(roles.id, role.id)).run();
    audit(tx, by, now, {
      ...auditOf(role, "role.update"),
      before: { name: role.name },
      after: { name },
    });
  });
}

/** Deletes a role with its permissions; its code is never given out again. Throws not_found, and `refused` while staff have it. */
export function deleteRole(db: Db, { code, now, by }: { code: number } & Change): void {
  write(db, (tx) => {
    const role = roleByCode(tx, by, code);
    const assigned = tx.select({ count: count() }).from(staff).where(eq(staff.roleCode, code)).get();
    if (assigned && assigned.count > 0)
      throw new DomainError(
        "refused",
        `the role is assigned to ${assigned.count} staff; give them another role first`,
      );
    tx.delete(roles).where(eq(roles.id, role.id)).run();
    audit(tx, by, now, { ...auditOf(role, "role.delete"), before: { name: role.name } });
  });
}

export function auditOf({ code, ispId }: Role, action: string) {
  return { action, entity: "role", entityId: code, ispId };
}

function inScope({ scope }: Actor) {
  return scope.ispId === null ? undefined : eq(roles.ispId, scope.ispId);
}

function ispForNewRow(tx: Tx, { scope }: Actor, named: number | null | undefined): number {
  const ispId = named || scope.ispId;
  if (ispId === null)
    throw new DomainError("invalid", "check isp_id", { fields: { isp_id: ["is required"] } });
  if (scope.ispId !== null && ispId !== scope.ispId)
    throw new DomainError("forbidden", `the ISP ${ispId} is not yours`);
  if (!tx.select().from(isps).where(eq(isps.id, ispId)).get())
    throw new DomainError("invalid", "check isp_id", { fields: { isp_id: ["does not exist"] } });
  return ispId;
}

/** One past every code that was ever given out, here or by an import. */
function nextCode(tx: Tx): number {
  const given = tx.select({ last: sequences.last }).from(sequences).where(eq(sequences.name, SEQUENCE)).get();
  const used = tx
    .select({ last: max(roles.code) })
    .from(roles)
    .get();
  const next = Math.max(given?.last ?? 0, used?.last ?? 0) + 1;
  tx.insert(sequences)
    .values({ name: SEQUENCE, last: next })
    .onConflictDoUpdate({ target: sequences.name, set: { last: next } })
    .run();
  return next;
}
