import { type Static, Type } from "@sinclair/typebox";
import type { Role } from "../domain/roles/roles.ts";

export const roleSchema = Type.Object({
  id: Type.Integer({ description: "Number of the row, for nothing else; roles are named by `code`." }),
  code: Type.Integer(),
  name: Type.String(),
  needs_second_factor: Type.Integer({ minimum: 0, maximum: 1 }),
});

export const exampleRole = { id: 5, code: 3, name: "Support", needs_second_factor: 0 };

export function shownRole({
  id,
  code,
  name,
  needsSecondFactor,
}: Pick<Role, "id" | "code" | "name" | "needsSecondFactor">): Static<typeof roleSchema> {
  return { id, code, name, needs_second_factor: needsSecondFactor };
}
