import { Type } from "@sinclair/typebox";
import type { AuditEntry } from "../domain/core/audit/audit-log.ts";
import { nullable } from "./kinds.ts";
import { declareRecord } from "./record.ts";

const fields = nullable(Type.Record(Type.String(), Type.Unknown()));
const read = (stored: string | null) => (stored === null ? null : JSON.parse(stored));

export const {
  schema: auditEntrySchema,
  example: exampleAuditEntry,
  toJson: auditEntryToJson,
} = declareRecord<AuditEntry>()({
  id: { kind: "whole", example: 1204 },
  at: { kind: "moment", example: "2026-11-22 09:30:00" },
  isp_id: { kind: "whole", of: ({ ispId }) => ispId ?? 0, example: 1 },
  staff_id: { kind: "whole", isNullable: true, example: 1 },
  actor: { kind: "words", example: "ada" },
  source: { kind: "words", example: "192.0.2.7" },
  action: { kind: "words", example: "role.update" },
  entity: { kind: "words", example: "role" },
  entity_id: { kind: "words", example: "3" },
  before: { shape: fields, of: ({ before }) => read(before), example: { name: "Support" } },
  after: { shape: fields, of: ({ after }) => read(after), example: { name: "Support, nights" } },
});
