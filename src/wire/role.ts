import { type Static, Type } from "@sinclair/typebox";
import type { Role } from "../domain/people/roles/roles.ts";

/** A role, in a list as by itself. */
export const roleSchema = Type.Object({
  id: Type.Integer({ description: "Number of the row, for nothing else; roles are named by `code`." }),
  code: Type.Integer(),
  name: Type.String(),
  needs_second_factor: Type.Integer({ minimum: 0, maximum: 1 }),
});

export const exampleRole = { id: 5, code: 3, name: "Support", needs_second_factor: 0 };

export function shownRole(
  role: Pick<Role, "id" | "code" | "name" | "needsSecondFactor">,
): Static<typeof roleSchema> {
  const { id, code, name, needsSecondFactor } = role;
  return { id, code, name, needs_second_factor: needsSecondFactor };
}
