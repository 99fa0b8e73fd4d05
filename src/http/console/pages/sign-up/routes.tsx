import { randomUUID } from "node:crypto";
import { checkSignUp } from "../../../../domain/desk/sign-up/check.ts";
import { proposedPassword } from "../../../../domain/desk/sign-up/propose.ts";
import { signUp, signUpFields } from "../../../../domain/desk/sign-up/sign-up.ts";
import { usualSalesperson } from "../../../../domain/people/staff/salesperson.ts";
import { type Choices, listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { fieldNames, type Input } from "../../../../domain/core/fields/fields.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { readTextField } from "../../../pages/text-of.ts";
import { page, part } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { chooseIsp, withinForm } from "../../isp-field.tsx";
import { asPortInUse, asUnusualAmount, readSharedPort, readSure } from "../../unusual.tsx";
import { Phrases, proposedAmount } from "./check.tsx";
import { SignedUpPage } from "./done.tsx";
import { type Refused, SignUpPage } from "./form.tsx";

const PATH = "/console/sign-up";
const LONGEST = 1000;

type Values = Readonly<Record<string, string>>;

/** Sign-up: form, checks while typing, result. */
export const signUpRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "signUp");
    const ispId = chooseIsp(visit, visit.query.get("isp_id"));
    const choices = listChoices(visit.db, withinForm(visit, ispId));
    return form(visit, { values: initially(visit, ispId, choices), formKey: randomUUID(), choices });
  }),
  staffForm(`${PATH}/check`, (visit, input) => {
    const check = checkSignUp(visit.db, visit.by, filled(readValues(input)), { now: visit.now });
    return part(visit, <Phrases visit={visit} check={check} />);
  }),
  staffForm(PATH, async (visit, input) => {
    const { db, by, now } = visit;
    const values = readValues(input);
    const key = readTextField(input, "key", 100);
    const meant = { sure: readSure(input), sharedPort: readSharedPort(input) };
    const done = await attempt(visit, async () =>
      signUp(db, by, { input: filled(values), key, ...meant }, { now }),
    );
    if (!(done instanceof DomainError))
      return page(visit, <SignedUpPage visit={visit} values={values} done={done} />);
    if (!["invalid", "refused", "conflict"].includes(done.kind)) throw done;
    const fields = done.fields ?? {};
    // a form that was sent before, and changed since, is a new one
    const isSpent = done.kind === "conflict" && done.fields === undefined;
    const problem = done.kind === "invalid" ? visit.view.words.signUp.refusedFaults : done.message;
    const refused = { fields, problem, unusual: asUnusualAmount(done), shared: asPortInUse(done), meant };
    return form(visit, { values, formKey: isSpent ? randomUUID() : key, refused });
  }),
];

interface FormState {
  readonly values: Values;
  readonly formKey: string;
  readonly refused?: Refused;
  readonly choices?: Choices;
}

function form(visit: StaffVisit, { values, formKey, refused, choices }: FormState): Response {
  const { db, by, now } = visit;
  const ispId = chooseIsp(visit, values["isp_id"]);
  const check = checkSignUp(db, by, filled(values), { now });
  const element = (
    <SignUpPage
      visit={visit}
      values={refused ? values : { ...values, amount: proposedAmount(check.sale) }}
      formKey={formKey}
      ispId={ispId}
      choices={choices ?? listChoices(db, withinForm(visit, ispId))}
      check={check}
      refused={refused}
    />
  );
  return page(visit, element, { status: refused ? 422 : 200 });
}

/** Single choices and proposals. */
function initially(
  { db, by }: StaffVisit,
  ispId: number | null | undefined,
  { nas, packages }: Choices,
): Values {
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

function readValues(input: Input): Values {
  const values: Record<string, string> = {};
  for (const name of fieldNames(signUpFields)) values[name] = readTextField(input, name, LONGEST);
  return values;
}

function filled(values: Values): Values {
  const kept = Object.entries(values).filter(([name, value]) => {
    const isPaymentField = name === "method" || name === "reference";
    return value.trim() !== "" && !(isPaymentField && !values["amount"]);
  });
  return Object.fromEntries(kept);
}
