import { auditNames } from "../../../../domain/core/audit/audit-names.ts";
import { auditLog } from "../../../../domain/core/audit/audit-log.ts";
import { listConsoleSessions } from "../../../../domain/people/staff/console-sessions.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { StaffLine } from "../../../../domain/people/staff/table.ts";
import { Action } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SessionList } from "../../parts/session-list.tsx";
import { STAFF, auditLogHref } from "../../parts/hrefs.ts";
import { namedIn } from "../../parts/audit-log-changes.ts";
import { What } from "../../parts/audit-log-what.tsx";

/** Audit entries that are listed. */
const LATELY = 10;

export function Sessions({
  visit,
  row,
  idleSince,
}: {
  visit: StaffVisit;
  row: StaffLine;
  idleSince: Seconds;
}) {
  const { view, formToken, db, by, now } = visit;
  const words = view.words.team.staff;
  const sessions = listConsoleSessions(db, by, { staffId: row.id }, { now, idleSince });
  const href = `${STAFF}/${row.id}/sessions`;
  return (
    <Card
      title={words.signedIn}
      aside={
        sessions.length > 1 &&
        row.id !== by.staffId && (
          <Action action={`${href}/end-all`} formToken={formToken} size="small" kind="danger">
            {words.endSessions}
          </Action>
        )
      }
    >
      {sessions.length === 0 ? (
        <p class="hint">{words.notSignedIn}</p>
      ) : (
        <SessionList visit={visit} sessions={sessions} action={`${href}/end`} />
      )}
    </Card>
  );
}

/** What somebody did lately, for readers of the audit log. */
export function Lately({ visit, row }: { visit: StaffVisit; row: StaffLine }) {
  const { view, db, by, now } = visit;
  if (!may(by, "audit_view") || !seesWholeIsp(by.scope)) return null;
  const words = view.words.team.staff;
  const entries = auditLog(db, by, { staffId: row.id }, { limit: LATELY, before: Number.MAX_SAFE_INTEGER });
  const names = auditNames(db, by.scope, entries.flatMap(namedIn));
  return (
    <Card
      title={words.lately}
      aside={<a href={auditLogHref({ values: { staff_id: String(row.id) } })}>{words.trail}</a>}
    >
      {entries.length === 0 ? (
        <p class="hint">{words.nothingYet}</p>
      ) : (
        <ul class="rows">
          {entries.map((entry) => (
            <li>
              <span>
                <What visit={visit} entry={entry} names={names} />
              </span>
              <span class="at-end hint">{view.format.near(entry.at, now)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
