import type { Run } from "../../../../domain/machine/imports/runs/run.ts";
import type { RunProgress } from "../../../../domain/machine/imports/runs/runs.ts";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { newPath, runPath } from "./addresses.ts";
import { sourceName } from "./home.tsx";

interface RunProps {
  visit: StaffVisit;
  run: Run;
}

export function WorkingPage({ visit, run, progress }: RunProps & { progress: RunProgress | undefined }) {
  const { format, words: all } = visit.view;
  const words = all.importing.run;
  const here = runPath(run.id);
  const { step = "reading", bytes = 0, total = 1 } = progress ?? {};
  const share = step === "reading" ? Math.min(1, bytes / Math.max(1, total)) : 1;
  const { moving, looking, reading, waiting } = words;
  const titles: Partial<Record<Run["state"], string>> = { moving, looking, waiting };
  const title = titles[run.state] ?? reading;
  return (
    <SettingsFrame visit={visit} current="import" title={words.title(sourceName(visit, run.source))}>
      <div
        id="run"
        class="stack"
        hx-get={here}
        hx-trigger="every 1s"
        hx-select="#content"
        hx-target="#content"
        hx-swap="outerMorph"
      >
        <Card
          title={title}
          lead={words.step[step] ?? words.otherStep(step)}
          aside={<a href={here}>{words.refresh}</a>}
          kind="stack near"
        >
          <div aria-live="polite">
            <ShareBar
              share={share}
              label={words.progress(format.bytes(Math.min(bytes, total)), format.bytes(total))}
            />
            <p class="hint">{words.progress(format.bytes(Math.min(bytes, total)), format.bytes(total))}</p>
          </div>
          <p>{run.state === "moving" ? words.allOrNothing : words.nothingYet}</p>
          <div class="actions">
            <PlainAction visit={visit} action={`${here}/stop`} label={words.stop} />
          </div>
        </Card>
      </div>
    </SettingsFrame>
  );
}

/** A stopped import: why, and what to do. */
export function EndedPage({ visit, run }: RunProps) {
  const words = visit.view.words.importing.run;
  const { failed, interrupted, stopped, waiting } = words;
  const titles: Partial<Record<Run["state"], string>> = { interrupted, stopped, waiting };
  return (
    <SettingsFrame
      visit={visit}
      current="import"
      title={words.title(sourceName(visit, run.source))}
      actions={<Discard visit={visit} run={run} />}
    >
      <Verdict
        tone={run.state === "failed" ? "bad" : "warn"}
        icon="alert"
        label={words.title(sourceName(visit, run.source))}
        title={titles[run.state] ?? failed}
        text={run.problem ?? words.nothingYet}
        actions={
          <>
            <form method="post" action={`${runPath(run.id)}/again`}>
              <input type="hidden" name="form_token" value={visit.formToken} />
              <Button kind="solid" icon="renew">
                {words.again}
              </Button>
            </form>
            <Button href={newPath(run.source)}>{words.other}</Button>
          </>
        }
      />
    </SettingsFrame>
  );
}

export function Discard({ visit, run }: RunProps) {
  const { discard } = visit.view.words.importing.run;
  return <PlainAction visit={visit} action={`${runPath(run.id)}/discard`} label={discard} />;
}

/** A button that leads to another page. */
function PlainAction({ visit, action, label }: { visit: StaffVisit; action: string; label: string }) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="form_token" value={visit.formToken} />
      <Button>{label}</Button>
    </form>
  );
}
