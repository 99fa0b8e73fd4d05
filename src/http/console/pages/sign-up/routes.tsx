import { randomUUID } from "node:crypto";
import { checkSignUp } from "../../../../domain/desk/sign-up/check.ts";
import { proposedPassword } from "../../../../domain/desk/sign-up/propose.ts";
import { signUp, signUpFields } from "../../../../domain/desk/sign-up/sign-up.ts";
import { usualSalesperson } from "../../../../domain/people/staff/salesperson.ts";
import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { type Input, namesOf } from "../../../../domain/core/fields/fields.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { textOf } from "../../../pages/text-of.ts";
import { page, part } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { ispOfForm, withinForm } from "../../isp-field.tsx";
import { sharedPortOf, sureOf, takenPortOf, unusualOf } from "../../unusual.tsx";
import { Said } from "./check.tsx";
import { SignedUpPage } from "./done.tsx";
import { type Refused, SignUpPage } from "./form.tsx";

const PATH = "/console/sign-up";
/** Characters of a field at the most. */
const LONGEST = 1000;

type Typed = Readonly<Record<string, string>>;

/** A new customer: the form, what is said of it while it is filled in, and what became of it. */
export const signUpRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "signUp");
    return form(visit, { typed: initially(visit), formKey: randomUUID() });
  }),
  staffForm(`${PATH}/check`, (visit, input) => {
    const check = checkSignUp(visit.db, visit.by, filled(typedOf(input)), { now: visit.now });
    return part(visit, <Said visit={visit} check={check} />);
  }),
  staffForm(PATH, async (visit, input) => {
    const { db, by, now } = visit;
    const typed = typedOf(input);
    const key = textOf(input, "key", 100);
    const meant = { sure: sureOf(input), sharedPort: sharedPortOf(input) };
    const done = await attempt(visit, async () =>
      signUp(db, by, { input: filled(typed), key, ...meant }, { now }),
    );
    if (!(done instanceof DomainError))
      return page(visit, <SignedUpPage visit={visit} typed={typed} done={done} />);
    if (!["invalid", "refused", "conflict"].includes(done.code)) throw done;
    const fields = done.fields ?? {};
    // a form that was sent already, and changed since, is another one
    const isSpent = done.code === "conflict" && done.fields === undefined;
    const problem = done.code === "invalid" ? visit.view.words.signUp.refusedFaults : done.message;
    const refused = { fields, problem, unusual: unusualOf(done), shared: takenPortOf(done), meant };
    return form(visit, { typed, formKey: isSpent ? randomUUID() : key, refused });
  }),
];

interface FormState {
  readonly typed: Typed;
  readonly formKey: string;
  readonly refused?: Refused;
}

function form(visit: StaffVisit, { typed, formKey, refused }: FormState): Response {
  const { db, by, now } = visit;
  const ispId = ispOfForm(visit, typed["isp_id"]);
  const element = (
    <SignUpPage
      visit={visit}
      typed={typed}
      formKey={formKey}
      ispId={ispId}
      choices={listChoices(db, withinForm(visit, ispId))}
      check={checkSignUp(db, by, filled(typed), { now })}
      refused={refused}
    />
  );
  return page(visit, element, { status: refused ? 422 : 200 });
}

/** What nobody has to choose where there is one alone, and what is proposed. */
function initially(visit: StaffVisit): Typed {
  const { db, by } = visit;
  const ispId = ispOfForm(visit, visit.query.get("isp_id"));
  const { nas, packages } = listChoices(db, withinForm(visit, ispId));
  const only = (rows: readonly { id: number }[]) => (rows.length === 1 ? String(rows[0]?.id) : "");
  return {
    isp_id: String(ispId ?? ""),
    password: proposedPassword(),
    connection_type_id: "1",
    nas_id: only(nas),
    salesperson_id: String((ispId && usualSalesperson(db, by, ispId)) ?? ""),
    package_id: only(packages.filter(({ status }) => status === 1)),
    method: "cash",
    activate: "1",
  };
}

function typedOf(input: Input): Typed {
  const typed: Record<string, string> = {};
  for (const name of namesOf(signUpFields)) typed[name] = textOf(input, name, LONGEST);
  return typed;
}

/** What was filled in; a way of paying means nothing without an amount. */
function filled(typed: Typed): Typed {
  const kept = Object.entries(typed).filter(([name, value]) => {
    const isOfPayment = name === "method" || name === "reference";
    return value.trim() !== "" && !(isOfPayment && !typed["amount"]);
  });
  return Object.fromEntries(kept);
}
