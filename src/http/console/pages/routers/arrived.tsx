import type { FirstWords } from "../../../../domain/goods/nas/first-words.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import type { StaffVisit } from "../../guard.ts";
import { LiveChip } from "../../live/parts.tsx";
import { Command, Terminal } from "../../parts/terminal.tsx";
import { type Finding, type FindingState, formatClockOrDay } from "./findings.ts";
import { routerHref } from "../../parts/hrefs.ts";
import { Strangers } from "./strangers.tsx";
import type { RouterTest } from "./tests.ts";

export interface ArrivedProps {
  visit: StaffVisit;
  words: FirstWords;
  findings: readonly Finding[];
  test: RouterTest | undefined;
  /** Whether the viewer may ask the router. */
  manages: boolean;
}

const icons: Readonly<Record<Exclude<FindingState, "waiting">, IconName>> = {
  done: "check",
  poor: "alert",
  wrong: "close",
  left: "forward",
};

/** Whether nothing is left to wait for. */
export const isSettled = (findings: readonly Finding[]) => findings.every(({ state }) => hasArrived(state));

export const hasArrived = (state: FindingState) => state !== "waiting" && state !== "wrong";

export function Arrived(props: ArrivedProps) {
  const { visit, findings } = props;
  const { arrived } = visit.view.words.routers;
  return (
    <>
      <header class="card-head">
        <h2>{arrived.title}</h2>
        <LiveChip live={arrived.listening} paused={arrived.paused} />
        <div class="card-aside">
          <time>{visit.view.format.clock(visit.now)}</time>
          <a href={visit.path}>{arrived.again}</a>
        </div>
      </header>
      <ol class="arrived" aria-live="polite">
        {findings.map((finding) => (
          <Row {...props} finding={finding} />
        ))}
      </ol>
    </>
  );
}

function Row({ finding, ...props }: ArrivedProps & { finding: Finding }) {
  const { visit, words } = props;
  const { step, state, title, text, at, command } = finding;
  const { arrived } = visit.view.words.routers;
  // waiting for a packet or an answer
  const turns = state === "waiting" && (step !== "coa" || props.test?.steps === null);
  const asksFor = step === "packet" && state === "waiting" && words.strangers.length > 0;
  return (
    <li class={state} id={`arrived-${step}`}>
      <span class={turns ? "arrived-mark waiting turns" : `arrived-mark ${state}`}>
        {state !== "waiting" && <Icon name={icons[state]} />}
      </span>
      <div class="arrived-body">
        <h3>
          {title}
          <span class="unseen"> ({arrived.states[state]})</span>
        </h3>
        <p>{text}</p>
        {command !== null && (
          <Terminal id={`mend-${step}`} label={title} visit={visit}>
            <Command text={command} />
          </Terminal>
        )}
        {asksFor && (
          <Strangers
            visit={visit}
            strangers={words.strangers}
            {...(props.manages && { nasId: words.router.id })}
          />
        )}
        {step === "coa" && props.manages && <AskForm {...props} state={state} />}
      </div>
      {at !== null && <time>{formatClockOrDay(visit.view, at, visit.now)}</time>}
    </li>
  );
}

/** Sends itself once a packet is understood, where there is a script. */
function AskForm({ visit, words, findings, test, state }: ArrivedProps & { state: FindingState }) {
  const { arrived } = visit.view.words.routers;
  const href = routerHref(words.router.id, "/ask");
  const isUnderstood = words.provenAt !== null && !words.isWrongNow;
  const isFirst = test === undefined || test.steps === null;
  if (state === "done" || (state === "left" && isFirst)) return null;
  const isSolid = state === "wrong" && !findings.some((one) => one.state === "wrong" && one.step !== "coa");
  return (
    <div class="actions">
      <form
        id={isFirst && isUnderstood ? "ask-first" : "ask-again"}
        class="action"
        method="post"
        action={href}
        hx-post={href}
        hx-trigger={isFirst && isUnderstood ? "load, submit" : "submit"}
        hx-target="#router-setup"
        hx-swap="outerMorph"
      >
        <FormToken value={visit.formToken} />
        <Button
          icon="renew"
          kind={isSolid ? "solid" : "outline"}
          disabled={test?.steps === null}
          asking={visit.view.words.frame.asking(words.router.name)}
        >
          {isFirst ? arrived.ask : arrived.askAgain}
        </Button>
      </form>
      {state === "wrong" && (
        <>
          <Action action={routerHref(words.router.id, "/leave")} formToken={visit.formToken}>
            {arrived.goOn}
          </Action>
          <span class="hint">{arrived.goOnHint}</span>
        </>
      )}
    </div>
  );
}
