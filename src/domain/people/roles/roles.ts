import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { roles, sequences } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { id, text } from "../../core/fields/fields.ts";
import { theOneCalled } from "../../core/references/called.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { requireNoMore } from "../../core/actor/reach.ts";
import type { Seconds } from "../../core/time/time.ts";

export const roleCode = id;
export const roleName = text(120);

const SEQUENCE = "role_code";

export type Role = typeof roles.$inferSelect;
type ListedRole = Omit<Role, "permissionsSet" | "createdAt">;

const selectRole = `SELECT ${selectColumns(roles, "r")} FROM roles r`;

export function listRoles(db: Db, by: Actor) {
  permit(by, "listRoles");
  return selectRoles(db, by.scope);
}

function selectRoles({ $client }: Db, { ispId }: Scope) {
  const { text, values } = all(equal("isp_id", ispId));
  return $client
    .query<ListedRole, Value[]>(
      `SELECT id, code, name, isp_id AS ispId, needs_second_factor AS needsSecondFactor FROM roles WHERE ${text} ORDER BY code`,
    )
    .all(...values);
}

export function roleNamed(db: Db, by: Actor, nameOrCode: string): Role {
  permit(by, "roleNamed");
  const words = { one: "role", many: "roles", by: "code" } as const;
  const { code } = theOneCalled(selectRoles(db, by.scope), nameOrCode, words);
  return findRole(db, by.scope, code);
}

/** Throws not_found. */
export function roleByCode(db: Db, by: Actor, code: number): Role {
  permit(by, "roleByCode");
  return findRole(db, by.scope, code);
}

/** A role of the scope, without asking for permission. */
export function findRole({ $client }: Db, scope: Scope, code: number): Role {
  const { text, values } = all(equal("r.code", code), equal("r.isp_id", scope.ispId));
  return known(
    $client.query<Role, Value[]>(`${selectRole} WHERE ${text}`).get(...values),
    phrase`there is no role ${code}`,
  );
}

/** Takes the next code. Throws `invalid` without a valid ISP, `forbidden` outside the scope and to accounts of a branch. */
export function createRole(
  db: Db,
  by: Actor,
  { ispId, name }: { ispId: number | null | undefined; name: string },
  { now }: { now: Seconds },
): Role {
  permit(by, "createRole");
  requireWholeIsp(by, "roles");
  return write(db, (tx) => {
    const row = {
      ispId: ispForNewRow(tx, by, ispId),
      code: nextCode(tx),
      name,
      permissionsSet: 0,
      needsSecondFactor: 0,
      createdAt: now,
    };
    const role = { id: insert(tx, roles, row), ...row };
    audit(tx, by, now, { ...roleEntry(role, "role.create"), after: { name } });
    return role;
  });
}

/** Throws not_found, `forbidden` to accounts of a branch. */
export function updateRole(
  db: Db,
  by: Actor,
  {
    code,
    name,
    needsSecondFactor,
  }: { code: number; name: string; needsSecondFactor?: 0 | 1 | null | undefined },
  at: { now: Seconds },
): void {
  permit(by, "updateRole");
  requireWholeIsp(by, "roles");
  write(db, (tx) => {
    const role = findRole(tx, by.scope, code);
    update(tx, roles, { name }, { id: role.id });
    audit(tx, by, at.now, {
      ...roleEntry(role, "role.update"),
      before: { name: role.name },
      after: { name },
    });
    if (needsSecondFactor !== undefined && needsSecondFactor !== null)
      setNeedsSecondFactor(tx, by, { role, needed: needsSecondFactor }, at);
  });
}

/** Throws not_found, `forbidden` to accounts of a branch, and for loosening the own role or a more powerful one. */
export function needSecondFactor(
  db: Db,
  by: Actor,
  { code, needed }: { code: number; needed: 0 | 1 },
  at: { now: Seconds },
): void {
  permit(by, "needSecondFactor");
  requireWholeIsp(by, "roles");
  write(db, (tx) => setNeedsSecondFactor(tx, by, { role: findRole(tx, by.scope, code), needed }, at));
}

function setNeedsSecondFactor(
  tx: Tx,
  by: Actor,
  { role, needed }: { role: Role; needed: 0 | 1 },
  { now }: { now: Seconds },
): void {
  if (needed < role.needsSecondFactor) requireMayLoosen(tx, by, role);
  update(tx, roles, { needsSecondFactor: needed }, { id: role.id });
  audit(tx, by, now, {
    ...roleEntry(role, "role.second_factor"),
    before: { needs_second_factor: role.needsSecondFactor },
    after: { needs_second_factor: needed },
  });
}

/** Throws `forbidden` for the own role or a more powerful one. */
function requireMayLoosen(tx: Tx, by: Actor, { code }: Role): void {
  requireNoMore(tx, by, { isAdmin: false, roleCode: code });
  if (by.admin || by.staffId === null) return;
  const own = tx.$client.query("SELECT 1 FROM staff WHERE id = ? AND role_code = ?").get(by.staffId, code);
  if (own)
    throw new DomainError(
      "forbidden",
      phrase`nobody takes the second factor off the own role; ask an Admin`,
      {
        code: "own_account",
      },
    );
}

/** Deletes a role, whose code is never reused. Throws not_found, `refused` while in use, `forbidden` to accounts of a branch. */
export function deleteRole(db: Db, by: Actor, { code }: { code: number }, { now }: { now: Seconds }): void {
  permit(by, "deleteRole");
  requireWholeIsp(by, "roles");
  write(db, (tx) => {
    const role = findRole(tx, by.scope, code);
    const assigned = tx.$client
      .query<{ count: number; keys: number | null }, [number]>(
        "SELECT count(*) AS count, sum(is_key) AS keys FROM staff WHERE role_code = ?",
      )
      .get(code);
    if (assigned && assigned.count > 0) {
      const keys = assigned.keys ?? 0;
      const among = keys === 0 ? "" : phrase`, of which ${keys} API keys`;
      throw new DomainError(
        "refused",
        phrase`the role is assigned to ${assigned.count} staff${among}; give them another role first`,
        { code: "in_use" },
      );
    }
    tx.$client.query("DELETE FROM roles WHERE id = ?").run(role.id);
    audit(tx, by, now, { ...roleEntry(role, "role.delete"), before: { name: role.name } });
  });
}

export function roleEntry({ code, ispId }: Role, action: string) {
  return { action, entity: "role", entityId: code, ispId };
}

/** The code after all that were ever used, imports included. */
function nextCode(tx: Tx): number {
  const found = tx.$client
    .query<{ last: number | null }, [string]>(
      `SELECT max(last) AS last FROM (SELECT last FROM sequences WHERE name = ? UNION ALL SELECT max(code) FROM roles)`,
    )
    .get(SEQUENCE);
  const next = (found?.last ?? 0) + 1;
  insert(tx, sequences, { name: SEQUENCE, last: next }, { replacing: ["name"] });
  return next;
}
