import { may, seesWholeIsp } from "../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../guard.ts";
import { auditLogHref } from "./hrefs.ts";

export function AuditLogLink({
  visit: { by, view },
  entity,
  entityId,
}: {
  visit: Pick<StaffVisit, "by" | "view">;
  /** As in entries: `subscriber`, `nas`. */
  entity: string;
  entityId: number | string;
}) {
  if (!may(by, "audit_view") || !seesWholeIsp(by.scope)) return null;
  return (
    <a href={auditLogHref({ values: { entity, entity_id: String(entityId) } })}>{view.words.trail.link}</a>
  );
}
