import type { MoveRecord } from "../../../../domain/machine/moving/moves.ts";
import type { Telling } from "../../../../domain/machine/moving/told.ts";
import { stayingReasons, type Undone } from "../../../../domain/machine/moving/undo.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../settings/head.tsx";
import { IMPORT, movePath, newPath } from "./addresses.ts";
import { sourceName } from "./home.tsx";
import { ToldCard } from "./told.tsx";
import { BatchesCard, Counts, PackagesCard } from "./tried.tsx";

interface MoveProps {
  visit: StaffVisit;
  move: MoveRecord;
  kind: Telling | undefined;
  fault?: string;
}

/** A move that was made: its report as it was then, and its undoing. */
export function MovePage({ visit, move, kind, fault }: MoveProps) {
  const { format, words: all, now } = visit.view;
  const words = all.importing.move;
  const { id, report, source, actor, startedAt, files } = move;
  const counts = Object.fromEntries(report.told.map((one) => [one.kind, one.count]));
  const told = report.told.find((one) => one.kind === kind);
  return (
    <SettingsFrame
      visit={visit}
      current="import"
      title={words.title(String(id))}
      actions={<Button href={newPath(source)}>{all.importing.moved.againLink}</Button>}
    >
      <p class="lead">
        {words.lead(sourceName(visit, source), actor, format.timeNear(startedAt, now))} ({files.join(", ")})
      </p>
      <Counts visit={visit} report={report} href={movePath(id)} />
      <ToldCard
        visit={visit}
        href={movePath(id)}
        counts={counts}
        kind={kind}
        rows={told?.rows ?? []}
        page={1}
        isShort
      />
      <div id="people">
        <PackagesCard visit={visit} report={report} />
        <BatchesCard visit={visit} report={report} />
      </div>
      <Undo visit={visit} move={move} fault={fault} />
    </SettingsFrame>
  );
}

function Undo({ visit, move, fault }: Pick<MoveProps, "visit" | "move"> & { fault: string | undefined }) {
  const { format, words: all, now } = visit.view;
  const words = all.importing.move;
  const { id, undoneAt, report } = move;
  const made = report.counts.subscribers.new;
  if (undoneAt !== null)
    return (
      <Card title={words.undo}>
        <p>{words.undoneAt(format.timeNear(undoneAt, now))}</p>
      </Card>
    );
  return (
    <Card title={words.undo}>
      <p>{words.undoLead}</p>
      <form method="post" action={`${movePath(id)}/undo`} class="stack import-form">
        <FormToken value={visit.formToken} />
        <Field
          name="confirm"
          label={words.undoConfirm(String(made))}
          fault={fault}
          required
          attributes={{ autocomplete: "off", inputmode: "numeric" }}
        />
        <div class="actions">
          <Button kind="danger">{words.undoSubmit}</Button>
        </div>
      </form>
    </Card>
  );
}

/** What the undoing came to, and who stays. */
export function UndonePage({ visit, move, undone }: { visit: StaffVisit; move: MoveRecord; undone: Undone }) {
  const { format, words: all } = visit.view;
  const words = all.importing.move;
  const { archived, voided, stayed } = undone;
  return (
    <SettingsFrame visit={visit} current="import" title={words.title(String(move.id))}>
      <Verdict
        tone={stayed.length === 0 ? "good" : "warn"}
        icon="history"
        label={words.undo}
        title={words.undoneTitle(format.number(archived), archived === 1)}
        text={[
          stayed.length === 0
            ? words.nobodyStays
            : words.stays(format.number(stayed.length), stayed.length === 1),
          ...(voided > 0 ? [words.voided(format.number(voided), voided === 1)] : []),
        ].join("; ")}
        actions={
          <Button href={IMPORT} kind="solid">
            {words.back}
          </Button>
        }
      />
      {stayed.length > 0 && (
        <Card title={words.stays(format.number(stayed.length), stayed.length === 1)}>
          <Table caption={words.why} columns={[{ title: words.username }, { title: words.why }]}>
            {stayed.slice(0, SHOWN).map(({ username, reason }) => (
              <tr>
                <td>{username}</td>
                <td>{stayingReasons[reason]}</td>
              </tr>
            ))}
          </Table>
        </Card>
      )}
    </SettingsFrame>
  );
}

/** Of those who stay. */
const SHOWN = 1000;
