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
import { readTextField } from "../../../pages/text-of.ts";
import { page } from "../../answers.tsx";
import { countCode } from "../../count-code.ts";
import { staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { ownPath } from "../../kept.ts";
import type { FormField } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { proven } from "../../parts/proof.ts";
import { CodesPage, EnrolPage } from "./factor.tsx";

const ME = "/console/me";
const FACTOR = `${ME}/second-factor`;

function codeField(label: string): FormField {
  const attributes = { autocomplete: "one-time-code", autocapitalize: "none", spellcheck: "false" };
  return { name: "code", label, max: 20, required: true, kind: "code", attributes };
}

const withCode = <T,>(visit: StaffVisit, recovery: boolean, work: () => T): Promise<T> =>
  proven(visit, { field: "code", wrong: visit.view.words.signIn.wrongCode }, () =>
    countCode(visit, { recovery }, work),
  );

const removal = form({
  path: `${FACTOR}/remove`,
  of: () => undefined,
  content: ({ view: { words } }) => ({
    title: words.me.removeTitle,
    back: ME,
    submit: words.me.remove,
    danger: true,
    text: <p>{words.me.removeLead}</p>,
    fields: [codeField(words.me.codeOrRecovery)],
  }),
  save: (visit, _, { code = "" }) => {
    const { db, by, now, account } = visit;
    const recovery = !/^[\d\s]*$/.test(code);
    const proof: FactorProof = recovery ? { recoveryCode: code } : { code };
    return withCode(visit, recovery, () =>
      removeSecondFactor(db, by, { staffId: account.id, proof }, { now }),
    );
  },
  done: ({ view: { words } }) => ({ title: words.me.removed, text: words.me.removedText }),
});

const newCodes = form({
  path: `${ME}/recovery-codes`,
  of: () => undefined,
  content: ({ view: { words } }) => ({
    title: words.me.newCodes,
    back: ME,
    submit: words.me.confirmNew,
    answersPage: true,
    text: <p>{words.me.newCodesLead}</p>,
    fields: [codeField(words.me.codeOf)],
  }),
  save: (visit, _, { code = "" }) =>
    withCode(visit, false, () => renewRecoveryCodes(visit.db, visit.by, { code }, { now: visit.now })),
  done: (visit, codes) => page(visit, <CodesPage visit={visit} codes={codes} onward={ME} />),
});

/** Setting up, renewing codes of, and removing a second factor. */
export const factorRoutes = [
  staffPage(FACTOR, (visit) => {
    if (visit.account.totpSecret !== null) return seeOther(ME);
    return enrolPage(visit);
  }),
  staffForm(FACTOR, enrol),
  ...removal,
  ...newCodes,
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
  const sealed = readTextField(input, "sealed", 1000);
  const code = readTextField(input, "code", 20);
  const outcome = await attempt(visit, () =>
    countCode(visit, { recovery: false }, () => confirmEnrolment(db, by, { sealed, code, key }, { now })),
  );
  if (!(outcome instanceof DomainError)) {
    const onward = ownPath(readTextField(input, "then", 1000)) || ME;
    return page(visit, <CodesPage visit={visit} codes={outcome} onward={onward} />);
  }
  switch (outcome.kind) {
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
