import { type Db, write } from "../../../db/open.ts";
import { isLocked, sqliteCode } from "../../../db/sqlite-error.ts";
import type { AccountingBooks, QuotaCrossed } from "../sessions/accounting.ts";
import type { Seconds } from "../time.ts";
import { type Homecoming, type ToldJournal, unpackReport } from "./journal.ts";

/** What the books answer a box with: up to where of its journal they have committed. */
export interface Committed {
  readonly journal: number;
  readonly crossed: readonly QuotaCrossed[];
}

interface Box {
  readonly id: number;
  readonly journal: number;
}

export interface HomeNeeds {
  readonly books: AccountingBooks;
  readonly now: Seconds;
  /** What else a box tells, within the transaction. */
  readonly take: (row: Homecoming) => void;
  /** A row that the books refuse: it is counted as taken, for it would be refused again, and nothing behind it would come. */
  readonly refused: (row: Homecoming, error: unknown) => void;
}

/**
 * Books what a box tells, in the order of its journal, in one transaction with how far it is: each once, however often it comes. A box
 * that begins after more than these books have, which have been restored, is asked again from where they are. Throws what the store throws; then nothing was booked.
 */
export function takeHome(
  db: Db,
  { box, after, rows }: { box: string } & ToldJournal,
  { books, now, take, refused }: HomeNeeds,
): Committed | undefined {
  return write(db, ({ $client }) => {
    const known = $client
      .query<Box, [string]>("SELECT id, journal FROM access_boxes WHERE name = ? AND removed_at IS NULL")
      .get(box);
    if (!known) return undefined;
    if (after > known.journal) return { journal: known.journal, crossed: [] }; // these books were restored
    const crossed: QuotaCrossed[] = [];
    let { journal } = known;
    for (const row of rows) {
      if (row.number <= journal) continue;
      try {
        write(db, () => {
          if (row.kind !== "accounting") return take(row);
          // its moments by our clock: it came so many seconds ago
          const later = now - row.age - row.at;
          const booked = books.book(unpackReport(row.body, { later, viaBox: known.id }));
          if (booked !== undefined && booked !== "crowded") crossed.push(booked);
        });
      } catch (error) {
        if (isOfTheStore(error)) throw error;
        refused(row, error);
      }
      journal = row.number;
    }
    $client
      .query<unknown, [number, number, number]>(
        "UPDATE access_boxes SET journal = ?, heard_at = ? WHERE id = ?",
      )
      .run(journal, now, known.id);
    return { journal, crossed };
  });
}

/** A fault of the disk or the lock: it concerns all of them, and the box sends them again. */
function isOfTheStore(error: unknown): boolean {
  const code = sqliteCode(error);
  return (
    isLocked(error) ||
    (code !== "" && !code.startsWith("SQLITE_CONSTRAINT") && !code.startsWith("SQLITE_MISMATCH"))
  );
}
