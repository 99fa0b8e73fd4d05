import { told } from "../../attempt.ts";
import type { Change } from "../../../../domain/goods/router-setup/plan.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Icon } from "../../../pages/icons.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Steps } from "./test-card.tsx";
import { type SetupRun, WAITS } from "./setup-runs.ts";
import { routerHref } from "../../parts/hrefs.ts";

interface Props {
  visit: StaffVisit;
  run: SetupRun;
  name: string;
}

/** Loads itself again during the set-up. */
export function SetupRunParts(props: Props) {
  const { visit, run } = props;
  const { kind } = run.phase;
  const isUnderWay = kind === "running" || kind === "proving";
  const here = routerHref(run.nasId, "/api-setup");
  const live = isUnderWay && { "hx-get": here, "hx-trigger": "every 1s", "hx-swap": "outerMorph" };
  return (
    <div id="api-setup" class="stack" {...live} hx-target="this" aria-live="polite">
      {kind === "asked" && <Confirmation {...props} />}
      {isUnderWay && <UnderWay {...props} />}
      {run.phase.kind === "ended" && <Ended {...props} {...run.phase} />}
      {run.phase.kind === "refused" && (
        <>
          <Verdict
            tone="bad"
            icon="alert"
            label={visit.view.words.routerSetup.proof}
            title={visit.view.words.routerSetup.notReached}
            text={told(visit.view, run.phase.reason)}
          />
          <Leave {...props}>{visit.view.words.routerSetup.toRouter}</Leave>
        </>
      )}
    </div>
  );
}

function Confirmation(props: Props) {
  const { visit, run, name } = props;
  const { routerSetup: words } = visit.view.words;
  const { version, changes, left } = run.difference;
  const of = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind);
  const lists = [
    { title: words.added, changes: of("add") },
    { title: words.changed, changes: of("set") },
    { title: words.removed, changes: of("remove") },
  ].filter((list) => list.changes.length > 0);
  const isRemoval = run.mode === "remove";
  const kept = visit.view.words.routerSetup.leftInWords(left);
  return (
    <>
      {run.phase.kind === "asked" && run.phase.isOther && (
        <Note kind="wait">
          {words.other}. {words.otherText}
        </Note>
      )}
      <p>
        {words.difference(name, version)}.{" "}
        <strong>
          {changes.length === 0
            ? words.nothing
            : words.counts(of("add").length, of("set").length, of("remove").length)}
          .
        </strong>{" "}
        {changes.length === 0 && (isRemoval ? words.nothingLeft : words.nothingText)}
      </p>
      {lists.map((list) => (
        <Card title={list.title}>
          <ul class="setup-changes">
            {list.changes.map((change) => (
              <li>
                <strong>{visit.view.words.routerSetup.changePlace(change)}</strong>{" "}
                <span class="hint mono">{change.menu}</span>
                <p>{visit.view.words.routerSetup.changeValues(change)}</p>
              </li>
            ))}
          </ul>
        </Card>
      ))}
      {kept.length > 0 && (
        <Card title={words.left}>
          <ul class="setup-changes">
            {kept.map((sentence) => (
              <li>
                <p>{sentence}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <p class="calm">
        <Icon name="shield" />
        <span>
          <strong>{words.nobody}</strong> {words.nobodyText} {words.kept(WAITS)}
        </span>
      </p>
      <div class="actions">
        <form class="action" method="post" action={routerHref(run.nasId, "/api-setup/yes")}>
          <FormToken value={visit.formToken} />
          <Button kind={isRemoval ? "danger" : "solid"} size="large">
            {yesWords(words, changes.length, isRemoval)}
          </Button>
        </form>
        <Leave {...props}>{words.no}</Leave>
      </div>
    </>
  );
}

function yesWords(
  words: { yes: string; yesRemove: string; prove: string },
  count: number,
  isRemoval: boolean,
): string {
  if (isRemoval) return words.yesRemove;
  return count === 0 ? words.prove : words.yes;
}

function UnderWay({ visit, run: { phase, nasId, difference } }: Props) {
  const { routerSetup: words } = visit.view.words;
  const all = phase.kind === "running" ? phase.all : difference.changes.length;
  const done = phase.kind === "running" ? phase.done : all;
  return (
    <Card title={phase.kind === "running" ? words.running : words.proving}>
      <progress class="progress" max={Math.max(all, 1)} value={done} aria-label={words.running} />
      <p>{words.progress(done, all)}</p>
      <a href={routerHref(nasId, "/api-setup")}>{words.again}</a>
    </Card>
  );
}

type EndedPhase = Extract<SetupRun["phase"], { kind: "ended" }>;

function Ended(props: Props & EndedPhase) {
  const { visit, run, name, outcome, proof, connections } = props;
  const { routerSetup: words } = visit.view.words;
  const isRemoval = run.mode === "remove";
  const isDone = outcome.kind === "done";
  const isProven = proof.every(({ status }) => status !== "failed");
  const [title, text] = isDone
    ? doneWords(visit, { name, isRemoval, isProven })
    : [
        words[outcome.kind],
        visit.view.words.routerSetup.failureInWords(outcome, (reason) => told(visit.view, reason)).join(" "),
      ];
  const tone = isProven ? "good" : "warn";
  return (
    <>
      <Verdict
        tone={isDone ? tone : "bad"}
        icon={isDone && isProven ? "check" : "alert"}
        label={words.difference(name, run.difference.version)}
        title={title}
        text={text}
        actions={
          <Leave {...props} isSolid>
            {words.toRouter}
          </Leave>
        }
      />
      {connections && <p>{words.connections(connections)}</p>}
      {proof.length > 0 && (
        <Card title={words.proof}>
          <Steps visit={visit} of="proof" steps={proof} words={words} />
        </Card>
      )}
    </>
  );
}

function doneWords(
  { view }: StaffVisit,
  { name, isRemoval, isProven }: { name: string; isRemoval: boolean; isProven: boolean },
): [title: string, text: string] {
  const { routerSetup: words } = view.words;
  if (isRemoval) return [words.doneRemoved(name), words.doneRemovedText];
  return [isProven ? words.done(name) : words.doneUnproven(name), words.doneText];
}

/** Forgets the set-up and its login. */
function Leave({ visit, run, isSolid, children }: Props & { isSolid?: boolean; children?: unknown }) {
  return (
    <form class="action" method="post" action={routerHref(run.nasId, "/api-setup/no")}>
      <FormToken value={visit.formToken} />
      <Button size="large" kind={isSolid ? "solid" : "outline"}>
        {String(children)}
      </Button>
    </form>
  );
}
