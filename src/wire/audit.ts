import { type Static, Type } from "@sinclair/typebox";
import type { AuditEntry } from "../domain/core/audit/audit-trail.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable } from "./kinds.ts";

const fields = nullable(Type.Record(Type.String(), Type.Unknown()));

export const auditEntrySchema = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  isp_id: Type.Integer(),
  staff_id: nullable(Type.Integer()),
  actor: Type.String(),
  source: Type.String(),
  action: Type.String(),
  entity: Type.String(),
  entity_id: Type.String(),
  before: fields,
  after: fields,
});

export const exampleAuditEntry = {
  id: 1204,
  at: "2026-11-22 09:30:00",
  isp_id: 1,
  staff_id: 1,
  actor: "ada",
  source: "192.0.2.7",
  action: "role.update",
  entity: "role",
  entity_id: "3",
  before: { name: "Support" },
  after: { name: "Support, nights" },
};

export function shownAuditEntry(row: AuditEntry): Static<typeof auditEntrySchema> {
  return {
    id: row.id,
    at: formatTime(row.at),
    isp_id: row.ispId ?? 0,
    staff_id: row.staffId,
    actor: row.actor,
    source: row.source,
    action: row.action,
    entity: row.entity,
    entity_id: row.entityId,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  };
}
