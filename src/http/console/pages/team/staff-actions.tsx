import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { setStaffStatus } from "../../../../domain/people/staff/accounts.ts";
import {
  endConsoleSession,
  endOtherConsoleSessions,
} from "../../../../domain/people/staff/console-sessions.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { removeSecondFactor } from "../../../../domain/people/staff/second-factor.ts";
import { startSeeingAs } from "../../../../domain/people/staff/see-as.ts";
import { attempt } from "../../attempt.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../subscriber/say.ts";
import { formDrawer, typedIn } from "./form.tsx";
import { accountOf } from "./staff.tsx";
import { STAFF } from "./staff-list.tsx";

type Sure = "disable" | "factor";

/** Asks before what ends something of an account. */
export function askSure(visit: StaffVisit, what: Sure, refused?: DomainError): Response {
  permit(visit.by, "setStaffStatus");
  const row = accountOf(visit);
  const words = visit.view.words.team.staff;
  const href = `${STAFF}/${row.id}`;
  const isFactor = what === "factor";
  return formDrawer(visit, {
    title: isFactor ? words.resetTitle(row.name) : words.disableTitle(row.name),
    ...{ action: `${href}/${what}`, back: href, refused, danger: true },
    submit: isFactor ? words.resetFactor : words.disable,
    children: (
      <>
        <p>{isFactor ? words.resetText : words.disableText}</p>
        {isFactor && row.needsSecondFactor && <p>{words.resetNeeded}</p>}
      </>
    ),
  });
}

export async function disable(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const { id, name } = accountOf(visit);
  const done = await attempt(visit, async () => setStaffStatus(db, by, { staffId: id, status: 0 }, { now }));
  if (done instanceof DomainError) return askSure(visit, "disable", done);
  const words = view.words.team.staff;
  const what = { title: words.nowDisabled(view.format.name(name)), text: words.nowDisabledText };
  return said(visit, { kind: "good", ...what }, `${STAFF}/${id}`);
}

export async function enable(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const { id, name } = accountOf(visit);
  const done = await attempt(visit, async () => setStaffStatus(db, by, { staffId: id, status: 1 }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, id);
  const title = view.words.team.staff.nowEnabled(view.format.name(name));
  return said(visit, { kind: "good", title }, `${STAFF}/${id}`);
}

export async function resetFactor(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const { id, name } = accountOf(visit);
  const done = await attempt(visit, async () => removeSecondFactor(db, by, { staffId: id }, { now }));
  if (done instanceof DomainError) return askSure(visit, "factor", done);
  const title = view.words.team.staff.wasReset(view.format.name(name));
  return said(visit, { kind: "good", title }, `${STAFF}/${id}`);
}

export async function endSession(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { id } = accountOf(visit);
  const key = typedIn(input, "session");
  const done = await attempt(visit, async () => endConsoleSession(db, by, { staffId: id, key }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, id);
  return said(visit, { kind: "good", title: view.words.team.staff.ended(1) }, `${STAFF}/${id}`);
}

/** All of somebody else's; of the own account all but this one. */
export function endSessions(visit: StaffVisit): Response {
  const { db, by, now, view, sessionKey } = visit;
  const { id } = accountOf(visit);
  const kept = id === by.staffId ? { key: sessionKey } : {};
  const ended = endOtherConsoleSessions(db, by, { staffId: id, ...kept }, { now });
  return said(visit, { kind: "good", title: view.words.team.staff.ended(ended) }, `${STAFF}/${id}`);
}

function notDone(visit: StaffVisit, refused: DomainError, id: number): Response {
  const title = visit.view.words.team.staff.notDone;
  return said(visit, { kind: "bad", title, text: sentence(refused.message) }, `${STAFF}/${id}`);
}

/** From the next page on it is theirs that is shown. */
export async function seeAsAccount(visit: StaffVisit): Promise<Response> {
  const { db, by, now, needs, sessionKey } = visit;
  const { id } = accountOf(visit);
  const done = await attempt(visit, async () => startSeeingAs(db, by, { staffId: id }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, id);
  needs.seeing.begin(sessionKey, { staffId: id }, now);
  return seeOther("/console");
}
