import type { Tx } from "../../../db/open.ts";
import type { Seconds } from "../time.ts";
import type { Note } from "./subscriber-fields.ts";

/** Writes the staff's notes about subscribers. */
export class NoteWriter {
  readonly #tx: Tx;
  readonly #now: Seconds;

  constructor(tx: Tx, now: Seconds) {
    this.#tx = tx;
    this.#now = now;
  }

  /** Makes these the notes of a subscriber; the same notes again keep their ids and times. */
  replace({ id, known }: { id: number; known: boolean }, notes: readonly Note[]): void {
    const { $client } = this.#tx;
    if (known) {
      const stored = $client
        .query<Note, [number]>("SELECT note, added_by FROM staff_notes WHERE subscriber_id = ? ORDER BY id")
        .all(id);
      if (Bun.deepEquals(stored, notes)) return;
      $client.query("DELETE FROM staff_notes WHERE subscriber_id = ?").run(id);
    }
    const insert = $client.query(
      "INSERT INTO staff_notes (subscriber_id, note, added_by, created_at) VALUES (?, ?, ?, ?)",
    );
    for (const { note, added_by } of notes) insert.run(id, note, added_by, this.#now);
  }
}
