import type { SQLQueryBindings, Statement } from "bun:sqlite";
import type { Tx } from "../../../../../db/open.ts";
import type { Seconds } from "../../../core/time/time.ts";
import type { Staging } from "./staging.ts";
import type { Note } from "./subscriber-fields.ts";

export class NoteStaging {
  readonly #notes: { table: string; insert: Statement };
  readonly #replaced: { table: string; insert: Statement };
  readonly #find: Statement<Note, SQLQueryBindings[]>;

  constructor(staging: Staging) {
    this.#notes = staging.inserter("notes", ["subscriber_id", "note", "added_by"]);
    this.#replaced = staging.inserter("replaced_notes", ["id INTEGER PRIMARY KEY"]);
    this.#find = staging.prepare(
      "SELECT note, added_by FROM staff_notes WHERE subscriber_id = ? ORDER BY id",
    );
  }

  /** Replaces a subscriber's notes unless equal, so that unchanged ones keep ids and times. Returns both counts where they differ. */
  put(
    { id, known }: { id: number; known: boolean },
    notes: readonly Note[],
  ): { before: number; after: number } | undefined {
    const stored = known ? this.#find.all(id) : [];
    if (Bun.deepEquals(stored, notes)) return undefined;
    if (stored.length > 0) this.#replaced.insert.run(id);
    for (const { note, added_by } of notes) this.#notes.insert.run(id, note, added_by);
    return { before: stored.length, after: notes.length };
  }

  write({ $client }: Tx, now: Seconds): void {
    $client.run(`DELETE FROM staff_notes WHERE subscriber_id IN (SELECT id FROM ${this.#replaced.table})`);
    $client
      .query(
        `INSERT INTO staff_notes (subscriber_id, note, added_by, created_at)
         SELECT subscriber_id, note, added_by, ? FROM ${this.#notes.table} ORDER BY rowid`,
      )
      .run(now);
  }
}
