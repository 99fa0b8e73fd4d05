import { type Static, Type } from "@sinclair/typebox";
import type { Role } from "../domain/roles/roles.ts";

export const roleSchema = Type.Object({
  id: Type.Integer({ description: "Number of the row, for nothing else; roles are named by `code`." }),
  code: Type.Integer(),
  name: Type.String(),
});

export const exampleRole = { id: 5, code: 3, name: "Support" };

export function shownRole({ id, code, name }: Pick<Role, "id" | "code" | "name">): Static<typeof roleSchema> {
  return { id, code, name };
}
