import { Type } from "@sinclair/typebox";
import type { Role } from "../domain/people/roles/roles.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: roleSchema,
  example: exampleRole,
  toJson: roleToJson,
} = declareRecord<Pick<Role, "id" | "code" | "name" | "needsSecondFactor">>()({
  id: {
    shape: Type.Integer({ description: "Number of the row, for nothing else; roles are named by `code`." }),
    example: 5,
  },
  code: { kind: "whole", example: 3 },
  name: { kind: "words", example: "Support" },
  needs_second_factor: { shape: Type.Integer({ minimum: 0, maximum: 1 }), example: 0 },
});
