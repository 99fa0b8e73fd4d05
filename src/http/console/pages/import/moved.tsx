import type { Found, NoticeRow } from "../../../../domain/machine/imports/runs/result.ts";
import type { Run } from "../../../../domain/machine/imports/runs/run.ts";
import type { NoticeKind } from "../../../../domain/machine/imports/notices.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { movePath, newPath, runPath } from "./addresses.ts";
import { sourceName } from "./home.tsx";
import { NoticesCard } from "./notices.tsx";
import { BatchesCard, Counts, refusedRows } from "./tried.tsx";

interface MovedProps {
  visit: StaffVisit;
  run: Run;
  found: Found;
  kind: NoticeKind | undefined;
  rows: readonly NoticeRow[];
  fault?: string;
}

export function MovedPage({ visit, run, found, kind, rows, fault }: MovedProps) {
  const { format, words: all } = visit.view;
  const words = all.importing.moved;
  const here = runPath(run.id);
  const { new: made, changed } = found.report.counts.subscribers;
  const refused = refusedRows(found.report);
  const canSee = may(visit.by, "subscriber_view");
  return (
    <SettingsFrame
      visit={visit}
      current="import"
      title={all.importing.run.title(sourceName(visit, run.source))}
    >
      <Verdict
        tone="good"
        icon="check"
        label={words.title}
        title={words.newOnes(made)}
        text={words.text(format.number(changed), refused)}
        actions={
          <>
            {canSee && (
              <Button href="/console/subscribers?sort=-created_at" kind="solid" icon="people">
                {words.people}
              </Button>
            )}
            {run.moveId !== null && <Button href={movePath(run.moveId)}>{words.report}</Button>}
            <Button href={newPath(run.source)}>{words.againLink}</Button>
          </>
        }
      />
      <Next visit={visit} run={run} found={found} />
      {run.passwords > 0 && <Passwords visit={visit} run={run} fault={fault} />}
      <Counts visit={visit} report={found.report} href={here} />
      <NoticesCard
        visit={visit}
        href={here}
        counts={found.counts}
        kind={kind}
        rows={rows}
        file={`${here}/told.csv`}
      />
      <BatchesCard visit={visit} report={found.report} />
    </SettingsFrame>
  );
}

const FEW = 5;

function Next({ visit, run, found: { report } }: Pick<MovedProps, "visit" | "run" | "found">) {
  const { words: all } = visit.view;
  const { next, steps, routersLink, packagesLink } = all.importing.moved;
  const lacksPrice = report.packages.some(({ price }) => price === null);
  return (
    <Card title={next}>
      <ol class="stack near listed">
        {run.passwords > 0 && <li>{steps.passwords(run.passwords)}</li>}
        {lacksPrice && (
          <li>
            {steps.prices} {may(visit.by, "package_view") && <a href="/console/packages">{packagesLink}</a>}
          </li>
        )}
        <li>{steps.again}</li>
        <li>
          {steps.routers} {may(visit.by, "nas_view") && <a href="/console/routers">{routersLink}</a>}
        </li>
        {report.afterwards.length > 0 && (
          <li>
            {steps.afterwards}
            <details open={report.afterwards.length <= FEW}>
              <summary>{steps.lines(report.afterwards.length)}</summary>
              <code class="import-code">{report.afterwards.join("\n")}</code>
            </details>
          </li>
        )}
      </ol>
    </Card>
  );
}

function Passwords({ visit, run, fault }: { visit: StaffVisit; run: Run; fault: string | undefined }) {
  const words = visit.view.words.importing.moved;
  return (
    <Card title={words.passwordList}>
      <p>{words.passwordLead}</p>
      <form method="post" action={`${runPath(run.id)}/passwords`} class="stack import-form">
        <FormToken value={visit.formToken} />
        <input type="hidden" name="username" autocomplete="username" value={visit.account.username} />
        <Field
          name="password"
          type="password"
          label={words.ownPassword}
          fault={fault}
          required
          attributes={{ autocomplete: "current-password", maxlength: 1000 }}
        />
        <div class="actions">
          <Button icon="download">{words.fetch}</Button>
        </div>
      </form>
    </Card>
  );
}
