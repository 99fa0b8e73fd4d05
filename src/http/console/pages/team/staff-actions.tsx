import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { setStaffStatus } from "../../../../domain/people/staff/accounts.ts";
import {
  endConsoleSession,
  endOtherConsoleSessions,
} from "../../../../domain/people/staff/console-sessions.ts";
import { removeSecondFactor } from "../../../../domain/people/staff/second-factor.ts";
import { startSeeingAs } from "../../../../domain/people/staff/see-as.ts";
import { attempt } from "../../attempt.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../../parts/phrases.ts";
import { form } from "../../parts/form.tsx";
import { readAccount } from "./staff.tsx";
import { STAFF } from "../../parts/hrefs.ts";

const ACCOUNT = `${STAFF}/:id`;

const disabling = form({
  path: `${ACCOUNT}/disable`,
  permit: "setStaffStatus",
  of: readAccount,
  content: ({ view: { words } }, { id, name }) => {
    const { staff } = words.team;
    const question = { title: staff.disableTitle(name), back: `${STAFF}/${id}`, danger: true };
    return { ...question, submit: staff.disable, text: <p>{staff.disableText}</p> };
  },
  save: ({ db, by, now }, { id }) => setStaffStatus(db, by, { staffId: id, status: 0 }, { now }),
  done: ({ view }, _, { name }) => {
    const { staff } = view.words.team;
    return { title: staff.nowDisabled(view.format.name(name)), text: staff.nowDisabledText };
  },
});

const factorReset = form({
  path: `${ACCOUNT}/factor`,
  permit: "setStaffStatus",
  of: readAccount,
  content: ({ view: { words } }, { id, name, needsSecondFactor }) => {
    const { staff } = words.team;
    return {
      title: staff.resetTitle(name),
      back: `${STAFF}/${id}`,
      submit: staff.resetFactor,
      danger: true,
      text: (
        <>
          <p>{staff.resetText}</p>
          {needsSecondFactor && <p>{staff.resetNeeded}</p>}
        </>
      ),
    };
  },
  save: ({ db, by, now }, { id }) => removeSecondFactor(db, by, { staffId: id }, { now }),
  done: ({ view }, _, { name }) => view.words.team.staff.wasReset(view.format.name(name)),
});

export const staffConfirmations = [...disabling, ...factorReset];

export async function enable(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const { id, name } = readAccount(visit);
  const done = await attempt(visit, async () => setStaffStatus(db, by, { staffId: id, status: 1 }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, id);
  const title = view.words.team.staff.nowEnabled(view.format.name(name));
  return flash(visit, { kind: "good", title }, `${STAFF}/${id}`);
}

export async function endSession(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { id } = readAccount(visit);
  const key = readTextField(input, "session", 200);
  const done = await attempt(visit, async () => endConsoleSession(db, by, { staffId: id, key }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, id);
  return flash(visit, { kind: "good", title: view.words.team.staff.ended(1) }, `${STAFF}/${id}`);
}

/** All of an account; of the own all but the current one. */
export function endSessions(visit: StaffVisit): Response {
  const { db, by, now, view, sessionKey } = visit;
  const { id } = readAccount(visit);
  const kept = id === by.staffId ? { key: sessionKey } : {};
  const ended = endOtherConsoleSessions(db, by, { staffId: id, ...kept }, { now });
  return flash(visit, { kind: "good", title: view.words.team.staff.ended(ended) }, `${STAFF}/${id}`);
}

function notDone(visit: StaffVisit, refused: DomainError, id: number): Response {
  const title = visit.view.words.team.staff.notDone;
  return flash(visit, { kind: "bad", title, text: sentence(refused.message) }, `${STAFF}/${id}`);
}

/** Shows the console as this account from the next page on. */
export async function seeAsAccount(visit: StaffVisit): Promise<Response> {
  const { db, by, now, needs, sessionKey } = visit;
  const { id } = readAccount(visit);
  const done = await attempt(visit, async () => startSeeingAs(db, by, { staffId: id }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, id);
  needs.seeing.begin(sessionKey, { staffId: id }, now);
  return seeOther("/console");
}
