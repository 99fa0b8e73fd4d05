import { auditPage } from "../../../../domain/core/audit/audit-trail.ts";
import { rejectFaults } from "../../../../domain/core/errors/errors.ts";
import { auditEntrySchema, shownAuditEntry } from "../../../../wire/audit.ts";
import { file } from "../../../list.ts";
import { page, part } from "../../answers.tsx";
import { type ConsoleRoute, type StaffVisit, staffPage } from "../../guard.ts";
import { type AskedTrail, askedTrail, TRAIL } from "./asked.ts";
import { TrailList, TrailPage } from "./page.tsx";

/** Who changed what. */
export const trailPageRoutes: readonly ConsoleRoute[] = [
  staffPage(TRAIL, (visit) => {
    const asked = askedTrail(visit.query);
    const isFaulty = Object.keys(asked.faults).length > 0;
    if (visit.isPart && visit.query.get("part") === "list" && !isFaulty)
      return part(visit, <TrailList visit={visit} asked={asked} />);
    return page(visit, <TrailPage visit={visit} asked={asked} />, { status: isFaulty ? 400 : 200 });
  }),
  staffPage(`${TRAIL}.csv`, (visit) => asFile(visit, askedTrail(visit.query))),
];

const FILE_ROWS = 500;

/** All that match, in the form that the API gives them. */
function asFile({ db, by }: StaffVisit, { filter, faults, before: first }: AskedTrail): Response {
  rejectFaults(faults);
  function* pages() {
    let before: number | null = first;
    while (before !== null) {
      const { rows, older } = auditPage(db, by, filter, { limit: FILE_ROWS, before });
      if (rows.length > 0) yield rows.map(shownAuditEntry);
      before = older;
    }
  }
  return file("trail", Object.keys(auditEntrySchema.properties), pages());
}
