import type { Db } from "../../../../db/open.ts";
import { branches, isps, nas, packages, roles, staff } from "../../../../db/schema.ts";
import { type Actor, inIsp } from "../actor/actor.ts";
import { permit } from "../actor/permissions.ts";

type Names = ReadonlyMap<number | null, string>;

/** Names of what rows refer to, by id. */
export function namesById(
  db: Db,
  by: Actor,
): Record<"isps" | "branches" | "packages" | "staff" | "nas" | "roles", Names> {
  permit(by, "namesById");
  const { scope } = by;
  const book = (rows: readonly { id: number; name: string }[]) =>
    new Map(rows.map(({ id, name }) => [id, name]));
  return {
    isps: book(db.select({ id: isps.id, name: isps.name }).from(isps).where(inIsp(scope, isps.id)).all()),
    branches: book(
      db
        .select({ id: branches.id, name: branches.name })
        .from(branches)
        .where(inIsp(scope, branches.ispId))
        .all(),
    ),
    packages: book(
      db
        .select({ id: packages.id, name: packages.name })
        .from(packages)
        .where(inIsp(scope, packages.ispId))
        .all(),
    ),
    staff: book(
      db.select({ id: staff.id, name: staff.name }).from(staff).where(inIsp(scope, staff.ispId)).all(),
    ),
    nas: book(db.select({ id: nas.id, name: nas.name }).from(nas).where(inIsp(scope, nas.ispId)).all()),
    roles: book(
      db.select({ id: roles.code, name: roles.name }).from(roles).where(inIsp(scope, roles.ispId)).all(),
    ),
  };
}
