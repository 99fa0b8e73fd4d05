import type { Db } from "../../../../db/open.ts";
import { type Noun, nouns } from "../../../../db/record-changes.ts";
import { DomainError } from "../errors/errors.ts";
import { phrase } from "../errors/phrase.ts";

/*
 * What a copy has still to read: records in the order in which they were changed last. A cursor says up to where, by (number, id), and of
 * which books: those that came back from a backup number anew.
 */

export interface Position {
  readonly after?: string | null | undefined;
  readonly limit: number;
}

export interface Changed<R> {
  readonly records: R[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

interface Place {
  readonly number: number;
  readonly id: number;
}

const BEGINNING: Place = { number: -1, id: 0 };
/** What is others' that a page goes through at the most, in pages. */
const MOST_PAGES = 10;

/** The next of a log up to `limit` that are the caller's, of `next`, which finds at most so many after one; `last`: where to go on. */
export function readOn<At, Found extends At, R>(
  first: At,
  limit: number,
  {
    next,
    visible,
  }: { next: (after: At, most: number) => Found[]; visible: (found: Found[]) => readonly R[] },
): { records: R[]; last: At; hasMore: boolean } {
  let last = first;
  let hasMore = true;
  const records: R[] = [];
  for (let page = 0; hasMore && records.length < limit && page < MOST_PAGES; page++) {
    const wanted = limit - records.length;
    const found = next(last, wanted + 1);
    hasMore = found.length > wanted;
    const rows = found.slice(0, wanted);
    records.push(...visible(rows));
    last = rows.at(-1) ?? last;
  }
  return { records, last, hasMore };
}

const ofNoun = (noun: Noun) =>
  `SELECT number, id FROM record_changes WHERE noun = ${nouns[noun]} AND (number, id) > (?, ?) ORDER BY number, id LIMIT ? + 0`;

const queries = {
  subscriber: ofNoun("subscriber"),
  payment: ofNoun("payment"),
  invoice: ofNoun("invoice"),
  session: `SELECT change AS number, id FROM sessions INDEXED BY sessions_changed
    WHERE stopped_at IS NOT NULL AND (change, id) > (?, ?) ORDER BY change, id LIMIT ? + 0`,
};

/**
 * The next records after a cursor, those that `visible` returns of the ids; nothing or "" begins. A page may have fewer than `limit`, where
 * most of what changed is not the caller's: `hasMore` says whether to go on. Throws `invalid` for a cursor of other books or another noun.
 */
export function changedRecords<R>(
  db: Db,
  noun: keyof typeof queries,
  { after, limit }: Position,
  { visible, idOf }: { visible: (ids: readonly number[]) => readonly R[]; idOf: (record: R) => number },
): Changed<R> {
  const next = db.$client.query<Place, [number, number, number]>(queries[noun]);
  const read = db.$client.transaction(() => {
    const books = `${noun}-${readBooksName(db)}`;
    const { records, last, hasMore } = readOn(parseCursor(after ?? "", books), limit, {
      next: ({ number, id }, most) => next.all(number, id, most),
      visible: (places) => {
        const byId = new Map(visible(places.map(({ id }) => id)).map((record) => [idOf(record), record]));
        return places.flatMap(({ id }) => byId.get(id) ?? []);
      },
    });
    return { records, cursor: `${books}-${last.number}-${last.id}`, hasMore };
  });
  return read();
}

/** A copy of these books follows no others: each restore and each promotion begins others. */
function readBooksName(db: Db): string {
  const books = db.$client
    .query<{ name: string }, []>(
      "SELECT g.value || '-' || s.epoch AS name FROM generations g, access_state s WHERE g.name = 'books'",
    )
    .get();
  return books?.name ?? "";
}

function parseCursor(cursor: string, books: string): Place {
  if (cursor === "") return BEGINNING;
  const [, number, id] = cursor.startsWith(`${books}-`)
    ? (/^-(-?\d{1,15})-(\d{1,15})$/.exec(cursor.slice(books.length)) ?? [])
    : [];
  if (number === undefined)
    throw new DomainError("invalid", phrase`the cursor is none of these books, or of another list`, {
      code: "cursor_unknown",
      fields: {
        after: [phrase`is no cursor of this list; begin without it, and put what comes over the copy`],
      },
    });
  return { number: Number(number), id: Number(id) };
}
