import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { rolePermissions, roles } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Fields, flag, type Input, readFields } from "../../core/fields/fields.ts";
import { type Actor, may, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { roleEntry, createRole, findRole, needSecondFactor, type Role } from "./roles.ts";

export type Permissions = Record<string, number>;

export function readPermissions(db: Db, by: Actor, code: number): Permissions | null {
  permit(by, "readPermissions");
  return storedPermissions(db, findRole(db, by.scope, code));
}

function storedPermissions(db: Db, { code, permissionsSet }: Role): Permissions | null {
  if (permissionsSet === 0) return null;
  const flags = db.$client
    .query<{ name: string; value: number }, [number]>(
      `SELECT f.name, ifnull(p.value, 0) AS value
       FROM permission_flags f LEFT JOIN role_permissions p ON p.role_code = ? AND p.flag = f.name ORDER BY f.name`,
    )
    .all(code);
  return Object.fromEntries(flags.map(({ name, value }) => [name, value]));
}

/**
 * Sets known flags (0 or 1, number or text), ignores others, returns sent names. All or nothing. Throws not_found, `invalid`
 * for each bad value, `forbidden` for flags that the actor lacks, and to accounts of a branch.
 */
export function updatePermissions(
  db: Db,
  by: Actor,
  { code, sent }: { code: number; sent: Input },
  { now }: { now: Seconds },
): string[] {
  permit(by, "updatePermissions");
  requireWholeIsp(by, "roles");
  return write(db, (tx) => {
    const role = findRole(tx, by.scope, code);
    const known = new Set(catalogue(tx));
    const names = Object.keys(sent).filter((name) => known.has(name));
    const faults: Faults = {};
    const fields: Fields = Object.fromEntries(names.map((name) => [name, flag]));
    const values = readFields(fields, sent, faults, { required: names, partial: true });
    rejectFaults(faults);
    const before = storedPermissions(tx, role) ?? {};
    const lacking = names.filter((name) => !may(by, name) && values[name] !== (before[name] ?? 0));
    if (lacking.length > 0)
      throw new DomainError(
        "forbidden",
        phrase`you cannot change what you lack: ${lacking.join(", ")}; ask somebody who has it, or an Admin`,
        { code: "permission_missing" },
      );
    if (names.length === 0) return [];

    for (const name of names) {
      const value = Number(values[name]);
      insert(tx, rolePermissions, { roleCode: code, flag: name, value }, { replacing: ["roleCode", "flag"] });
    }
    update(tx, roles, { permissionsSet: 1 }, { id: role.id });
    audit(tx, by, now, {
      ...roleEntry(role, "role.permissions"),
      before: Object.fromEntries(names.map((name) => [name, before[name] ?? 0])),
      after: values,
    });
    return names;
  });
}

export function createFilledRole(
  db: Db,
  by: Actor,
  {
    flags,
    needsSecondFactor = 0,
    ...role
  }: { ispId: number | null | undefined; name: string; flags: readonly string[]; needsSecondFactor?: 0 | 1 },
  at: { now: Seconds },
): Role {
  permit(by, "createFilledRole");
  return write(db, (tx) => {
    const created = createRole(tx, by, role, at);
    const known = new Set(catalogue(tx));
    const unknown = flags.filter((name) => !known.has(name));
    if (unknown.length > 0)
      throw new DomainError("invalid", phrase`there is no permission ${unknown.join(", ")}`);
    const sent = Object.fromEntries(flags.map((name) => [name, 1]));
    updatePermissions(tx, by, { code: created.code, sent }, at);
    if (needsSecondFactor === 1) needSecondFactor(tx, by, { code: created.code, needed: 1 }, at);
    return created;
  });
}

function catalogue({ $client }: Db): string[] {
  return $client
    .query<{ name: string }, []>("SELECT name FROM permission_flags ORDER BY name")
    .all()
    .map(({ name }) => name);
}
