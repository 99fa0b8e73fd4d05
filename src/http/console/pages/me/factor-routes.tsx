import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import {
  confirmEnrolment,
  continueEnrolment,
  startEnrolment,
} from "../../../../domain/people/staff/enrolment.ts";
import {
  type FactorProof,
  removeSecondFactor,
  renewRecoveryCodes,
} from "../../../../domain/people/staff/second-factor.ts";
import { attempt } from "../../attempt.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { textOf } from "../../../pages/text-of.ts";
import { page, said } from "../../answers.tsx";
import { countCode } from "../../count-code.ts";
import { staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { ownPath } from "../../kept.ts";
import { CodesPage, EnrolPage, NewCodesPage, RemovePage } from "./factor.tsx";

const ME = "/console/me";
const FACTOR = `${ME}/second-factor`;

/** Getting a second factor, other recovery codes for it, and taking it away. */
export const factorRoutes = [
  staffPage(FACTOR, (visit) => {
    if (visit.account.totpSecret !== null) return seeOther(ME);
    return enrolPage(visit);
  }),
  staffForm(FACTOR, enrol),
  staffPage(`${FACTOR}/remove`, (visit) => page(visit, <RemovePage visit={visit} />)),
  staffForm(`${FACTOR}/remove`, remove),
  staffPage(`${ME}/recovery-codes`, (visit) => page(visit, <NewCodesPage visit={visit} />)),
  staffForm(`${ME}/recovery-codes`, newCodes),
];

function enrolPage(visit: StaffVisit, { sealed, problem }: { sealed?: string; problem?: string } = {}) {
  const { db, by, now, view, query } = visit;
  const issuer = view.brand.name || "Gatehouse";
  const enrolment =
    sealed === undefined
      ? startEnrolment(db, by, { issuer }, { now })
      : continueEnrolment(db, by, { sealed, issuer }, { now });
  const onward = ownPath(query.get("then") ?? "");
  const status = problem === undefined ? 200 : 422;
  const props = { visit, enrolment, problem, onward };
  return page(visit, <EnrolPage {...props} />, { status });
}

async function enrol(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, sessionKey: key, view } = visit;
  const words = view.words.me;
  const sealed = textOf(input, "sealed", 1000);
  const code = textOf(input, "code", 20);
  const outcome = await attempt(visit, () =>
    countCode(visit, { recovery: false }, () => confirmEnrolment(db, by, { sealed, code, key }, { now })),
  );
  if (!(outcome instanceof DomainError)) {
    const onward = ownPath(textOf(input, "then", 1000)) || ME;
    return page(visit, <CodesPage visit={visit} codes={outcome} onward={onward} />);
  }
  switch (outcome.code) {
    case "unauthenticated":
      return enrolPage(visit, { sealed, problem: words.wrongCode });
    case "too_soon":
      return enrolPage(visit, { sealed, problem: words.tooMany(outcome.retryAfter ?? 1) });
    case "refused":
      return visit.account.totpSecret === null ? enrolPage(visit, { problem: words.tooOld }) : seeOther(ME);
    default:
      throw outcome;
  }
}

async function remove(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, account, view } = visit;
  const words = view.words.me;
  const typed = textOf(input, "code", 40);
  const recovery = !/^[\d\s]*$/.test(typed);
  const proof: FactorProof = recovery ? { recoveryCode: typed } : { code: typed };
  const outcome = await attempt(visit, () =>
    countCode(visit, { recovery }, () => removeSecondFactor(db, by, { staffId: account.id, proof }, { now })),
  );
  if (!(outcome instanceof DomainError))
    return said(visit, { kind: "good", title: words.removed, text: words.removedText }, ME);
  return page(visit, <RemovePage visit={visit} problem={problemOf(visit, outcome)} />, { status: 422 });
}

async function newCodes(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now } = visit;
  const code = textOf(input, "code", 20);
  const outcome = await attempt(visit, () =>
    countCode(visit, { recovery: false }, () => renewRecoveryCodes(db, by, { code }, { now })),
  );
  if (!(outcome instanceof DomainError))
    return page(visit, <CodesPage visit={visit} codes={outcome} onward={ME} />);
  return page(visit, <NewCodesPage visit={visit} problem={problemOf(visit, outcome)} />, { status: 422 });
}

function problemOf({ view: { words } }: StaffVisit, outcome: DomainError): string {
  const { code, retryAfter = 1, message } = outcome;
  if (code === "too_soon") return words.me.tooMany(retryAfter);
  return code === "unauthenticated" ? words.signIn.wrongCode : message;
}
