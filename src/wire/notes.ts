import { Type } from "@sinclair/typebox";
import type { Notes } from "../domain/goods/subscribers/notes.ts";
import { declareRecord } from "./record.ts";

const note = declareRecord<Notes["staffNotes"][number]>()({
  id: { kind: "whole", example: 3 },
  note: { kind: "words", example: "Called about the speed" },
  added_by: { kind: "whole", example: 1 },
  added_by_name: { kind: "words", example: "Ada" },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
});

export const {
  schema: notesSchema,
  example: exampleNotes,
  toJson: notesToJson,
} = declareRecord<Notes>()({
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  global_note: { kind: "words", example: "Prefers calls in the evening" },
  staff_notes: {
    shape: Type.Array(note.schema),
    of: ({ staffNotes }) => staffNotes.map(note.toJson),
    example: [note.example],
  },
});
