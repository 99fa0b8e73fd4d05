import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { addNote } from "../../../../../domain/goods/subscribers/notes.ts";
import { noteText } from "../../../../../domain/goods/subscribers/fields.ts";
import { TextArea } from "../../../../pages/parts/field.tsx";
import { said } from "../../../answers.tsx";
import { staffForm, staffPage } from "../../../guard.ts";
import { type Shown, shownOf } from "../shown.ts";
import { formDrawer, textOf } from "./form.tsx";

const PATH = "/console/subscribers/:id/note";

function form(shown: Shown, { note = "", fault }: { note?: string; fault?: string } = {}): Response {
  const { forms } = shown.visit.view.words.subscriber;
  return formDrawer({
    ...{
      shown,
      to: "note",
      title: forms.noteTitle,
      submit: forms.add,
      status: fault === undefined ? 200 : 422,
    },
    children: (
      <TextArea
        name="note"
        label={forms.note}
        help={forms.noteHelp}
        value={note}
        fault={fault}
        rows={5}
        maxLength={10_000}
      />
    ),
  });
}

export const noteRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "addNote");
    return form(shownOf(visit));
  }),
  staffForm(PATH, (visit, input) => {
    const shown = shownOf(visit);
    const typed = textOf(input["note"]);
    const note = noteText.read(typed);
    if (note === undefined || typed === "") return form(shown, { note: typed, fault: noteText.message });
    addNote(visit.db, visit.by, { subscriberId: shown.head.subscriber.id, note }, { now: visit.now });
    return said(visit, { kind: "good", title: visit.view.words.subscriber.said.noteAdded }, shown.base);
  }),
];
