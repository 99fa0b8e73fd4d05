import { auditPage } from "../../../../domain/core/audit/audit-log.ts";
import { rejectFaults } from "../../../../domain/core/errors/errors.ts";
import { auditEntrySchema, auditEntryToJson } from "../../../../wire/audit.ts";
import { file } from "../../../list.ts";
import { page, part } from "../../answers.tsx";
import { type ConsoleRoute, type StaffVisit, staffPage } from "../../guard.ts";
import { type AuditQuery, auditQuery } from "./query.ts";
import { AUDIT_LOG } from "../../parts/hrefs.ts";
import { AuditLogList, AuditLogPage } from "./page.tsx";

export const auditLogRoutes: readonly ConsoleRoute[] = [
  staffPage(AUDIT_LOG, (visit) => {
    const query = auditQuery(visit.query);
    const isFaulty = Object.keys(query.faults).length > 0;
    if (visit.isPart && visit.query.get("part") === "list" && !isFaulty)
      return part(visit, <AuditLogList visit={visit} query={query} />);
    return page(visit, <AuditLogPage visit={visit} query={query} />, { status: isFaulty ? 400 : 200 });
  }),
  staffPage(`${AUDIT_LOG}.csv`, (visit) => asFile(visit, auditQuery(visit.query))),
];

const FILE_ROWS = 500;

/** All matches as the API has them. */
function asFile({ db, by }: StaffVisit, { filter, faults, before: first }: AuditQuery): Response {
  rejectFaults(faults);
  function* pages() {
    let before: number | null = first;
    while (before !== null) {
      const { rows, older } = auditPage(db, by, filter, { limit: FILE_ROWS, before });
      if (rows.length > 0) yield rows.map(auditEntryToJson);
      before = older;
    }
  }
  return file("trail", Object.keys(auditEntrySchema.properties), pages());
}
