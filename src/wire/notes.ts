import { type Static, Type } from "@sinclair/typebox";
import type { Notes } from "../domain/subscribers/notes.ts";

export const notesSchema = Type.Object({
  user_id: Type.Integer(),
  global_note: Type.String(),
  staff_notes: Type.Array(Type.Object({ id: Type.Integer(), note: Type.String(), added_by: Type.Integer() })),
});

export const exampleNotes = {
  user_id: 42,
  global_note: "Prefers calls in the evening",
  staff_notes: [{ id: 3, note: "Called about the speed", added_by: 1 }],
};

export function shownNotes({ subscriberId, globalNote, staffNotes }: Notes): Static<typeof notesSchema> {
  return {
    user_id: subscriberId,
    global_note: globalNote,
    staff_notes: staffNotes.map(({ id, note, addedBy }) => ({ id, note, added_by: addedBy })),
  };
}
