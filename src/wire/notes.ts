import { type Static, Type } from "@sinclair/typebox";
import type { Notes } from "../domain/goods/subscribers/notes.ts";
import { formatTime } from "../domain/core/time/time.ts";

export const notesSchema = Type.Object({
  user_id: Type.Integer(),
  global_note: Type.String(),
  staff_notes: Type.Array(
    Type.Object({
      id: Type.Integer(),
      note: Type.String(),
      added_by: Type.Integer(),
      added_by_name: Type.String(),
      created_at: Type.String(),
    }),
  ),
});

export const exampleNotes = {
  user_id: 42,
  global_note: "Prefers calls in the evening",
  staff_notes: [
    {
      id: 3,
      note: "Called about the speed",
      added_by: 1,
      added_by_name: "Ada",
      created_at: "2030-01-15 12:00:00",
    },
  ],
};

export function shownNotes({ subscriberId, globalNote, staffNotes }: Notes): Static<typeof notesSchema> {
  return {
    user_id: subscriberId,
    global_note: globalNote,
    staff_notes: staffNotes.map(({ id, note, addedBy, addedByName, createdAt }) => ({
      id,
      note,
      added_by: addedBy,
      added_by_name: addedByName,
      created_at: formatTime(createdAt),
    })),
  };
}
