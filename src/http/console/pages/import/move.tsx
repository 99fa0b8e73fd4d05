import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase, verbatim } from "../../../../domain/core/errors/phrase.ts";
import { moveById, type MoveRecord } from "../../../../domain/machine/imports/moves.ts";
import type { NoticeKind } from "../../../../domain/machine/imports/notices.ts";
import { stayingReasons, type Undone, undoMove } from "../../../../domain/machine/imports/undo.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { list, PLAIN } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { movePath, newPath } from "./addresses.ts";
import { IMPORT } from "../../parts/hrefs.ts";
import { sourceName } from "./home.tsx";
import { NoticesCard } from "./notices.tsx";
import { BatchesCard, Counts, PackagesCard } from "./tried.tsx";

interface MoveProps {
  visit: StaffVisit;
  move: MoveRecord;
  kind: NoticeKind | undefined;
}

export function MovePage({ visit, move, kind }: MoveProps) {
  const { format, words: all, now } = visit.view;
  const words = all.importing.move;
  const { id, report, source, actor, startedAt, files } = move;
  const counts = Object.fromEntries(report.told.map((one) => [one.kind, one.count]));
  const group = report.told.find((one) => one.kind === kind);
  return (
    <SettingsFrame
      visit={visit}
      current="import"
      title={words.title(String(id))}
      actions={<Button href={newPath(source)}>{all.importing.moved.againLink}</Button>}
    >
      <p class="lead">
        {words.lead(sourceName(visit, source), actor, format.timeNear(startedAt, now))} (
        {files.join(visit.view.words.list.comma)})
      </p>
      <Counts visit={visit} report={report} href={movePath(id)} />
      <NoticesCard
        visit={visit}
        href={movePath(id)}
        counts={counts}
        kind={kind}
        rows={group?.rows ?? []}
        isShort
      />
      <div id="people">
        <PackagesCard visit={visit} report={report} />
        <BatchesCard visit={visit} report={report} />
      </div>
      <Undo visit={visit} move={move} />
    </SettingsFrame>
  );
}

function Undo({ visit, move: { id, undoneAt } }: Pick<MoveProps, "visit" | "move">) {
  const { format, words: all, now } = visit.view;
  const words = all.importing.move;
  return (
    <Card title={words.undo}>
      {undoneAt !== null ? (
        <p>{words.undoneAt(format.timeNear(undoneAt, now))}</p>
      ) : (
        <>
          <p>{words.undoLead}</p>
          <div class="card-foot">
            <Button href={`${movePath(id)}/undo`} kind="danger" drawer>
              {words.undoSubmit}
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}

export function UndonePage({ visit, move, undone }: { visit: StaffVisit; move: MoveRecord; undone: Undone }) {
  const { words: all } = visit.view;
  const words = all.importing.move;
  const { archived, voided, stayed } = undone;
  return (
    <SettingsFrame visit={visit} current="import" title={words.title(String(move.id))}>
      <Verdict
        tone={stayed.length === 0 ? "good" : "warn"}
        icon="history"
        label={words.undo}
        title={words.undoneTitle(archived)}
        text={[
          stayed.length === 0 ? words.nobodyStays : words.stays(stayed.length),
          ...(voided > 0 ? [words.voided(voided)] : []),
        ].join(visit.view.words.list.semicolon)}
        actions={
          <Button href={IMPORT} kind="solid">
            {words.back}
          </Button>
        }
      />
      {stayed.length > 0 && (
        <Card title={words.stays(stayed.length)}>
          <Staying visit={visit} rows={stayed.slice(0, LISTED)} />
        </Card>
      )}
    </SettingsFrame>
  );
}

const LISTED = 1000;

export const Staying = list<Undone["stayed"][number]>(({ view }) => {
  const words = view.words.importing.move;
  return {
    name: words.why,
    kind: PLAIN,
    columns: [
      { title: words.username, narrow: "lead", cell: ({ username }) => username },
      { title: words.why, cell: ({ reason }) => stayingReasons[reason] },
    ],
    empty: words.nobodyStays,
  };
});

/** Asks for the number of subscribers that go, so that nobody does it by mistake. */
export const undoForm = form({
  path: `${IMPORT}/moves/:id/undo`,
  permit: "undoMove",
  of: readMove,
  content: ({ view }, { id, report }) => {
    const { undo: title, undoConfirm, undoLead, undoSubmit } = view.words.importing.move;
    return {
      title,
      back: movePath(id),
      submit: undoSubmit,
      danger: true,
      answersPage: true,
      text: <p>{undoLead}</p>,
      fields: [
        {
          name: "confirm",
          label: undoConfirm(String(report.counts.subscribers.new)),
          required: true,
          attributes: { inputmode: "numeric" },
        },
      ],
    };
  },
  save: ({ db, by, now, view }, { id, report }, { confirm }) => {
    if (confirm === String(report.counts.subscribers.new)) return undoMove(db, by, id, { now });
    const wrong = verbatim(view.words.importing.move.undoWrong);
    throw new DomainError("invalid", wrong, { fields: { confirm: [wrong] } });
  },
  done: (visit, undone, move) => page(visit, <UndonePage visit={visit} move={move} undone={undone} />),
});

/** Throws `not_found`. */
export function readMove({ db, by, params }: StaffVisit): MoveRecord {
  const text = params["id"] ?? "";
  if (/^[1-9]\d{0,14}$/.test(text)) return moveById(db, by, Number(text));
  throw new DomainError("not_found", phrase`there is no move ${text}`);
}
