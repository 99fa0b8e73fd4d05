import { auditLog } from "../../domain/core/audit/audit-log.ts";
import { from, id, text, to } from "../../domain/core/fields/fields.ts";
import { auditEntrySchema, exampleAuditEntry, auditEntryToJson } from "../../wire/audit.ts";
import { logged } from "../list.ts";

const list = logged({
  path: "/api/v1/audit/list",
  operation: "auditLog",
  operationId: "listAudit",
  tags: ["Audit trail"],
  summary: "List who changed what",
  description:
    "An account of the whole ISP sees what was changed in it, the operator of the box everything. An account of one branch and a Reseller see none: 403, for entries belong to no branch.",
  filters: {
    from,
    to,
    staff_id: id,
    actor: text(200),
    source: text(64),
    action: text(64),
    entity: text(64),
    entity_id: text(64),
  },
  record: auditEntrySchema,
  example: exampleAuditEntry,
  page: ({ db, by, values: value }, paging) => {
    const { from, to, staff_id: staffId, entity_id: entityId, actor, source, action, entity } = value;
    const filter = { from, to, staffId, actor, source, action, entity, entityId };
    return auditLog(db, by, filter, paging).map(auditEntryToJson);
  },
});

export const auditOperations = [list];
