import type { TestStep } from "../../../../domain/goods/nas/test.ts";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { flash } from "../../answers.tsx";
import { told } from "../../attempt.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { StaffVisit } from "../../guard.ts";
import { readTextField } from "../../../pages/text-of.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import { Command, Terminal } from "../../parts/terminal.tsx";
import type { RouterProps } from "./router.tsx";
import { askNow } from "./setup.tsx";
import { readRouterId } from "./state.ts";
import { routerHref } from "../../parts/hrefs.ts";

const icons: Readonly<Record<TestStep["status"], IconName>> = {
  ok: "check",
  failed: "close",
  skipped: "forward",
};
const tones = { ok: "done", failed: "wrong", skipped: "left" } as const;

export function TestCard({ visit, state: { nasId, address }, seen }: RouterProps) {
  const { view, now } = visit;
  const { test: words } = view.words.routers;
  const test = visit.needs.routerTests.of(nasId);
  const refusal = test?.refusal ?? null;
  const action = routerHref(nasId, "/test");
  return (
    <Card title={words.title} lead={words.lead}>
      {test === undefined && <p>{words.none}</p>}
      {test?.steps === null && <p>{words.under}</p>}
      {refusal !== null && <p class="bad-text">{refusal}</p>}
      <Steps visit={visit} of="remedy" steps={test?.steps ?? []} words={words} />
      <form
        class="actions router-test"
        method="post"
        action={action}
        hx-post={action}
        hx-target="#toasts"
        hx-swap="beforeend"
      >
        <FormToken value={visit.formToken} />
        {address.includes("/") && (
          <Field name="address" label={words.address} attributes={{ maxlength: 45, spellcheck: "false" }} />
        )}
        <Button icon="renew" asking={view.words.frame.asking(seen.router.name)}>
          {test ? words.again : words.ask}
        </Button>
        {test && <span class="hint">{words.at(view.format.timeNear(test.at, now))}</span>}
      </form>
    </Card>
  );
}

interface StepsProps<Check extends string> {
  visit: StaffVisit;
  /** Tells the terminals of a page apart. */
  of: string;
  steps: readonly (Omit<TestStep, "check"> & { readonly check: Check })[];
  words: {
    readonly checks: Readonly<Record<Check, string>>;
    readonly states: Readonly<Record<TestStep["status"], string>>;
  };
}

/** What was tried at a router, one step after the other, with what mends it. */
export function Steps<Check extends string>({ visit, of, steps, words }: StepsProps<Check>) {
  if (steps.length === 0) return null;
  return (
    <ol class="arrived">
      {steps.map(({ check, status, detail, remedy }) => (
        <li class={tones[status]}>
          <span class={`arrived-mark ${tones[status]}`}>
            <Icon name={icons[status]} />
          </span>
          <div class="arrived-body">
            <h3>
              {words.checks[check]}
              <span class="unseen"> ({words.states[status]})</span>
            </h3>
            <p>{told(visit.view, detail)}</p>
            {remedy !== null && (
              <Terminal id={`${of}-${check}`} label={words.checks[check]} visit={visit}>
                <Command text={remedy} />
              </Terminal>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

export async function testRouter(visit: StaffVisit, input: Input): Promise<Response> {
  const nasId = readRouterId(visit);
  const { router } = nasWithSources(visit.db, visit.by, nasId);
  const address = readTextField(input, "address", 45).trim();
  await askNow(visit, nasId, address === "" ? undefined : address);
  const { test: words } = visit.view.words.routers;
  const test = visit.needs.routerTests.of(nasId);
  const back = routerHref(nasId);
  if (!test || test.steps === null) return flash(visit, { kind: "wait", title: words.under }, back);
  if (test.refusal !== null)
    return flash(visit, { kind: "bad", title: words.notAsked, text: test.refusal }, back);
  const failed = test.steps.filter(({ status }) => status === "failed");
  if (failed.length === 0) return flash(visit, { kind: "good", title: words.good(router.name) }, back);
  const checks = failed.map(({ check }) => words.checks[check]).join(visit.view.words.list.comma);
  return flash(
    visit,
    {
      kind: "bad",
      title: words.bad(router.name, checks),
      text: failed.map(({ detail }) => told(visit.view, detail)).join(visit.view.words.list.semicolon),
    },
    back,
  );
}
