import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { setupFacts } from "../../../../domain/machine/setup/facts.ts";
import {
  isSetupOpen,
  settleSetupStep,
  setupState,
  setupStepNames,
  type SetupStep,
} from "../../../../domain/machine/setup/setup.ts";
import { attempt } from "../../attempt.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { page, part } from "../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { StartPage } from "./start.tsx";
import { firstRouter, RouterStep } from "./router-step.tsx";
import { doStep } from "./steps.ts";

const START = "/console/start";

interface FormState {
  /** The first open step by default. */
  step?: SetupStep | undefined;
  values?: Input;
  faults?: FieldErrors;
  problem?: string | undefined;
}

/** Seven steps, each of which may be skipped. */
export const startRoutes = [
  staffPage(START, (visit) => startPage(visit, { step: stepNamed(visit.query.get("step")) })),
  staffPage(`${START}/heard`, async (visit) => {
    const { router } = setupFacts(visit.db, visit.by);
    if (!visit.isPart || !router) return seeOther(START);
    return part(visit, <RouterStep visit={visit} router={await firstRouter(visit, router.id)} />);
  }),
  staffForm(`${START}/:step`, take),
];

function stepNamed(name: string | null | undefined): SetupStep | undefined {
  return setupStepNames.find((step) => step === name);
}

async function startPage(visit: StaffVisit, state: FormState = {}): Promise<Response> {
  const { db, by } = visit;
  const states = setupState(db, by);
  const step = state.step ?? states.find(({ state }) => state === "open")?.step;
  const status = state.faults || state.problem !== undefined ? 422 : 200;
  const facts = setupFacts(db, by);
  const router = step === "router" && facts.router ? await firstRouter(visit, facts.router.id) : undefined;
  const props = { faults: {}, values: {}, problem: undefined, ...state, router, step };
  return page(visit, <StartPage visit={visit} states={states} facts={facts} {...props} />, { status });
}

async function take(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, params } = visit;
  const step = stepNamed(params["step"]);
  if (!step) throw new DomainError("not_found", phrase`there is no step ${params["step"]}`);
  if (readTextField(input, "skip", 3) !== "") {
    settleSetupStep(db, by, { step, state: "skipped" }, { now });
    return seeOther(isSetupOpen(db, by) ? START : "/console");
  }
  const outcome = await attempt(visit, () => doStep(visit, step, input));
  if (outcome instanceof DomainError) {
    if (!["invalid", "refused", "unauthenticated", "conflict", "too_soon"].includes(outcome.kind))
      throw outcome;
    const { fields, message } = outcome;
    return startPage(visit, { step, values: input, ...(fields ? { faults: fields } : { problem: message }) });
  }
  settleSetupStep(db, by, { step, state: "done" }, { now });
  if (outcome.routerId !== undefined) return startPage(visit, { step: "router" });
  return seeOther(START);
}
