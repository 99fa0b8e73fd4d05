import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import { noteText } from "../../../../../domain/goods/subscribers/fields.ts";
import { addNote } from "../../../../../domain/goods/subscribers/notes.ts";
import { form } from "../../../parts/form.tsx";
import { readPageContext } from "../context.ts";
import { formAbout } from "./form.tsx";

export const noteRoutes = form({
  path: "/console/subscribers/:id/note",
  permit: "addNote",
  of: readPageContext,
  content: ({ view }, context) => {
    const { add: submit, note: label, noteHelp: help, noteTitle: title } = view.words.subscriber.forms;
    return {
      ...formAbout(context),
      title,
      submit,
      fields: [{ name: "note", as: "lines", label, help, rows: 5, max: 10_000 }],
    };
  },
  once: (id: number) => id,
  save: ({ db, by, now }, { head }, { note: text = "" }) => {
    const note = text === "" ? undefined : noteText.read(text);
    if (note !== undefined) return addNote(db, by, { subscriberId: head.subscriber.id, note }, { now });
    throw new DomainError("invalid", noteText.message, { fields: { note: [noteText.message] } });
  },
  done: ({ view: { words } }) => words.subscriber.said.noteAdded,
});
