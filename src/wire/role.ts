import { type Static, Type } from "@sinclair/typebox";
import type { Role } from "../domain/roles/roles.ts";

const listed = {
  id: Type.Integer({ description: "Number of the row, for nothing else; roles are named by `code`." }),
  code: Type.Integer(),
  name: Type.String(),
};

/** A role as lists have it. */
export const roleSchema = Type.Object(listed);
/** A role by itself. */
export const wholeRoleSchema = Type.Object({
  ...listed,
  needs_second_factor: Type.Integer({ minimum: 0, maximum: 1 }),
});

export const exampleRole = { id: 5, code: 3, name: "Support" };
export const exampleWholeRole = { ...exampleRole, needs_second_factor: 0 };

export function shownRole({ id, code, name }: Pick<Role, "id" | "code" | "name">): Static<typeof roleSchema> {
  return { id, code, name };
}

export function shownWholeRole(role: Role): Static<typeof wholeRoleSchema> {
  return { ...shownRole(role), needs_second_factor: role.needsSecondFactor };
}
