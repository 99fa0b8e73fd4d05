import { sharing } from "../../../../domain/machine/imports/may-import.ts";
import type { MoveReport } from "../../../../domain/machine/imports/report.ts";
import type { Run } from "../../../../domain/machine/imports/runs/run.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Check } from "../../../pages/parts/field.tsx";
import type { StaffVisit } from "../../guard.ts";
import { runPath } from "./addresses.ts";

/** The form of choices, sent with the import too. */
export const CHOICES = "choices";

interface ChoicesProps {
  visit: StaffVisit;
  run: Run;
  report: MoveReport;
}

export function Choices({ visit, run, report }: ChoicesProps) {
  const { words: all } = visit.view;
  const words = all.importing.choices;
  const { shareNumbers = false, autoRenew = false } = run.options ?? {};
  const { isOn, may } = sharing(visit.db, visit.by);
  const shared = report.told.find(({ kind }) => kind === "shared")?.count ?? 0;
  return (
    <Card title={words.title}>
      <form id={CHOICES} method="post" action={`${runPath(run.id)}/move`} class="stack">
        <FormToken value={visit.formToken} />
        <Check name="auto_renew" label={words.autoRenew} checked={autoRenew} />
        <p class="hint">{words.autoRenewHelp}</p>
        {may && !isOn && (
          <>
            <Check name="share_numbers" label={words.shareNumbers} checked={shareNumbers} />
            <p class="hint">{words.shareNumbersHelp}</p>
          </>
        )}
        {!may && !isOn && shared > 0 && <p class="hint">{words.mayNotShare(shared)}</p>}
        <div class="actions">
          <Button name="then" value="try">
            {words.submit}
          </Button>
        </div>
      </form>
    </Card>
  );
}
