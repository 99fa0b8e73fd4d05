import type { Child } from "hono/jsx";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { SetupFacts } from "../../../../domain/machine/setup/facts.ts";
import type { SetupState, SetupStep } from "../../../../domain/machine/setup/setup.ts";
import { BrandMark } from "../../../pages/brand.tsx";
import { Document, FormToken } from "../../../pages/document.tsx";
import { Icon } from "../../../pages/icons.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { consoleScript, consoleStyle, htmxScript, startScript, startSheet } from "../../assets.ts";
import { IMPORT } from "../../parts/hrefs.ts";
import type { StaffVisit } from "../../guard.ts";
import type { FirstRouter } from "./router-step.tsx";
import { StepFields } from "./fields.tsx";
import { summarize } from "./summaries.ts";

export interface StartProps {
  visit: StaffVisit;
  states: readonly SetupState[];
  facts: SetupFacts;
  step: SetupStep | undefined;
  values: Input;
  faults: FieldErrors;
  problem: string | undefined;
  router: FirstRouter | undefined;
}

export function StartPage(props: StartProps) {
  const { visit, states, step } = props;
  const { view } = visit;
  const words = view.words.start;
  const settled = states.filter(({ state }) => state !== "open").length;
  return (
    <Document
      lang={view.words.tag}
      dir={view.words.dir}
      brand={view.brand}
      title={words.title}
      kind="console start"
      styles={[consoleStyle.path, startSheet.path]}
      scripts={[htmxScript.path, consoleScript.path, startScript.path]}
      head={<meta name="htmx-config" content='{"includeIndicatorCSS":false}' />}
    >
      <main id="content">
        <header>
          <BrandMark brand={{ ...view.brand, name: "" }} />
          <div>
            <h1>{words.title}</h1>
            <p class="hint">{settled === states.length ? words.finished : words.lead}</p>
          </div>
          <div>
            <span class="hint">{words.progress(settled, states.length)}</span>
            <progress
              value={settled}
              max={states.length}
              aria-label={words.progress(settled, states.length)}
            />
          </div>
        </header>
        <ol class="card flush">
          {states.map((state, index) => (
            <li
              class={state.step === step ? "current" : state.state}
              {...(state.step === step && { "aria-current": "step" as const })}
            >
              <span aria-hidden="true">
                {state.state === "done" && state.step !== step ? <Icon name="check" /> : index + 1}
              </span>
              {state.step === step ? (
                <Open {...props} step={state.step} />
              ) : (
                <Closed {...props} state={state} />
              )}
            </li>
          ))}
        </ol>
        <footer class="row ends">
          {props.facts.isp && <a href={IMPORT}>{words.bringAlong}</a>}
          <a href="/console">{words.toConsole}</a>
        </footer>
      </main>
    </Document>
  );
}

function Open({ step, ...props }: StartProps & { step: SetupStep }) {
  const { visit, problem, facts } = props;
  const words = visit.view.words.start;
  const { title, text } = words[step];
  return (
    <div class="start-body">
      <h2>{title}</h2>
      <p class="hint">{text}</p>
      <Form visit={visit} step={step} hasOwn={step === "router" && Boolean(facts.router)}>
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <StepFields {...props} step={step} />
      </Form>
    </div>
  );
}

interface FormProps {
  visit: StaffVisit;
  step: SetupStep;
  /** It has forms of its own. */
  hasOwn: boolean;
  children: Child;
}

function Form({ visit, step, hasOwn, children }: FormProps) {
  if (hasOwn) return <div class="stack">{children}</div>;
  const words = visit.view.words.start;
  return (
    <form method="post" action={`/console/start/${step}`} class="stack">
      <FormToken value={visit.formToken} />
      {children}
      <div class="actions">
        <Button kind="solid">{words[step].submit}</Button>
        <button class="button quiet" name="skip" value="yes" formnovalidate>
          {words.skip}
        </button>
      </div>
    </form>
  );
}

function Closed({ visit, facts, state: { step, state } }: StartProps & { state: SetupState }) {
  const words = visit.view.words.start;
  const { title, text } = words[step];
  const summary = state === "done" ? summarize(visit, facts, step) : undefined;
  return (
    <div class="start-body closed">
      <div>
        <h2>{title}</h2>
        <p class="hint">{state === "skipped" ? words.skipped : (summary ?? text)}</p>
      </div>
      {state === "open" ? (
        <form method="post" action={`/console/start/${step}`}>
          <FormToken value={visit.formToken} />
          <button
            class="button quiet small"
            name="skip"
            value="yes"
            aria-label={`${words.skipShort}${visit.view.words.list.colon}${title}`}
          >
            {words.skipShort}
          </button>
        </form>
      ) : (
        <a
          href={`/console/start?step=${step}`}
          aria-label={`${words.change}${visit.view.words.list.colon}${title}`}
        >
          {words.change}
        </a>
      )}
    </div>
  );
}
