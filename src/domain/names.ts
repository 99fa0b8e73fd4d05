import type { Db } from "../../db/open.ts";
import { branches, isps, nas, packages, roles, staff } from "../../db/schema.ts";

type Names = ReadonlyMap<number | null, string>;

/** The names of what the ids in records refer to, for lists that people read. */
export function namesById(
  db: Db,
): Record<"isps" | "branches" | "packages" | "staff" | "nas" | "roles", Names> {
  const book = (rows: readonly { id: number; name: string }[]) =>
    new Map(rows.map(({ id, name }) => [id, name]));
  return {
    isps: book(db.select({ id: isps.id, name: isps.name }).from(isps).all()),
    branches: book(db.select({ id: branches.id, name: branches.name }).from(branches).all()),
    packages: book(db.select({ id: packages.id, name: packages.name }).from(packages).all()),
    staff: book(db.select({ id: staff.id, name: staff.name }).from(staff).all()),
    nas: book(db.select({ id: nas.id, name: nas.name }).from(nas).all()),
    roles: book(db.select({ id: roles.code, name: roles.name }).from(roles).all()),
  };
}
