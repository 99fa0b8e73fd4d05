import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import {
  endConsoleSession,
  endOtherConsoleSessions,
  listConsoleSessions,
} from "../../../../domain/people/staff/console-sessions.ts";
import { changeOwnPassword } from "../../../../domain/people/staff/own-password.ts";
import { ownPreference, setOwnPreference } from "../../../../domain/people/staff/preferences.ts";
import { recoveryCodesLeft } from "../../../../domain/people/staff/second-factor.ts";
import { countFailure } from "../../../account-failures.ts";
import { attempt } from "../../attempt.ts";
import { textOf } from "../../../pages/text-of.ts";
import { page, said } from "../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { factorRoutes } from "./factor-routes.tsx";
import { MePage, type PasswordFaults } from "./me.tsx";

export const ME = "/console/me";

/** One's own account: password, second factor, sessions, keys. */
export const meRoutes = [
  staffPage(ME, (visit) => mePage(visit)),
  staffForm(`${ME}/password`, changePassword),
  staffForm(`${ME}/sessions/end`, (visit, input) => {
    const { db, by, now, account, view } = visit;
    endConsoleSession(db, by, { staffId: account.id, key: textOf(input, "session", 100) }, { now });
    return said(visit, { kind: "good", title: view.words.me.ended }, ME);
  }),
  staffForm(`${ME}/sessions/end-others`, (visit) => {
    const { db, by, now, account, sessionKey: key, view } = visit;
    const ended = endOtherConsoleSessions(db, by, { staffId: account.id, key }, { now });
    return said(visit, { kind: "good", title: view.words.me.endedMany(ended) }, ME);
  }),
  staffForm(`${ME}/keys`, (visit, input) => {
    const { db, by, view } = visit;
    const on = textOf(input, "keys", 3) !== "off";
    setOwnPreference(db, by, { key: "keys", value: on });
    return said(visit, { kind: "good", title: on ? view.words.me.keysNowOn : view.words.me.keysNowOff }, ME);
  }),
  ...factorRoutes,
];

function mePage(visit: StaffVisit, faults: PasswordFaults = {}, status = 200): Response {
  const { db, by, now, account } = visit;
  return page(
    visit,
    <MePage
      visit={visit}
      sessions={listConsoleSessions(db, by, { staffId: account.id }, { now })}
      codesLeft={recoveryCodesLeft(db, by)}
      keys={ownPreference(db, by, "keys") !== false}
      faults={faults}
    />,
    { status },
  );
}

async function changePassword(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, account, source, sessionKey: key, needs, view } = visit;
  const words = view.words.me;
  const current = textOf(input, "current", 1000);
  const password = textOf(input, "chosen", 1000);
  const outcome = await attempt(visit, () =>
    countFailure(needs.accountFailures, { holder: `account ${account.id}`, address: source }, () =>
      changeOwnPassword(db, by, { current, password, key }, { now }),
    ),
  );
  if (!(outcome instanceof DomainError))
    return said(visit, { kind: "good", title: words.passwordChanged, text: words.passwordChangedText }, ME);
  const { code, retryAfter = 1 } = outcome;
  if (code === "too_soon") return mePage(visit, { current: words.tooMany(retryAfter) }, 429);
  if (code === "unauthenticated") return mePage(visit, { current: words.wrongPassword }, 422);
  if (code === "invalid") return mePage(visit, { chosen: words.tooShort }, 422);
  throw outcome;
}
