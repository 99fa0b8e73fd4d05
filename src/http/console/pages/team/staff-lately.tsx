import { auditNames } from "../../../../domain/audit-names.ts";
import { auditTrail } from "../../../../domain/audit-trail.ts";
import { listConsoleSessions } from "../../../../domain/staff/console-sessions.ts";
import { may, seesWholeIsp } from "../../../../domain/staff/actor.ts";
import type { StaffLine } from "../../../../domain/staff/table.ts";
import { Action } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import { browserOf } from "../me/browser.ts";
import { STAFF } from "./staff-list.tsx";
import { askedTrail } from "../trail/asked.ts";
import { namedIn } from "../trail/changes.ts";
import { What } from "../trail/entry.tsx";

/** Entries of the trail that the page has room for. */
const LATELY = 10;

export function Sessions({ visit, row }: { visit: StaffVisit; row: StaffLine }) {
  const { view, formToken, db, by, now, sessionKey } = visit;
  const words = view.words.team.staff;
  const sessions = listConsoleSessions(db, by, { staffId: row.id }, { now });
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
        <ul class="rows">
          {sessions.map(({ key, source, seenAt, userAgent }) => (
            <li class="session">
              <div>
                <strong>{browserOf(userAgent) ?? words.unknownBrowser}</strong>
                <p class="hint">
                  {words.from} <bdi>{source}</bdi> · {words.seen} {view.format.timeNear(seenAt, now)}
                </p>
              </div>
              {key !== sessionKey && (
                <Action
                  action={`${href}/end`}
                  formToken={formToken}
                  fields={{ session: key }}
                  size="small"
                  kind="danger"
                >
                  {words.end}
                </Action>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The newest of what the trail has of them, for who reads it. */
export function Lately({ visit, row }: { visit: StaffVisit; row: StaffLine }) {
  const { view, db, by, now } = visit;
  if (!may(by, "audit_view") || !seesWholeIsp(by.scope)) return null;
  const words = view.words.team.staff;
  const entries = auditTrail(db, by, { staffId: row.id }, { limit: LATELY, before: Number.MAX_SAFE_INTEGER });
  const names = auditNames(db, by.scope, entries.flatMap(namedIn));
  const asked = askedTrail(new URLSearchParams({ staff: String(row.id) }));
  return (
    <Card title={words.lately} aside={<a href={`/console/trail?staff=${row.id}`}>{words.trail}</a>}>
      {entries.length === 0 ? (
        <p class="hint">{words.nothingYet}</p>
      ) : (
        <ul class="rows">
          {entries.map((entry) => (
            <li>
              <span>
                <What visit={visit} asked={asked} entry={entry} names={names} />
              </span>
              <span class="at-end hint">{view.format.timeNear(entry.at, now)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
