import { type Db, type Tx, write } from "../../../../db/open.ts";
import { readTriggers, renewTriggers } from "../../../../db/triggers.ts";
import { type AccessRecord, readPublished } from "./record.ts";
import type { RecordSeal } from "./seal.ts";
import type { PairCounter } from "./state.ts";
import { replicatedSettings } from "./tables.ts";

export interface Mark {
  readonly key: string;
  readonly mark: number;
}

/** The message of a mark: the record, and a deletion where it stood before. */
export interface Publication {
  readonly mark: Mark;
  readonly puts: readonly { readonly subject: string; readonly bytes: Buffer; readonly isGone: boolean }[];
  readonly subject: string | undefined;
  readonly former: string | undefined;
}

const SOON = "SELECT key, mark FROM access_marks WHERE is_soon = 1 LIMIT ? + 0";
const ANY = "SELECT key, mark FROM access_marks LIMIT ? + 0";
/** Bounds of session keys. */
const OF_SESSIONS = { from: "o.", to: "o/" } as const;

/** Keys to publish; `isMinute` adds sessions and those of which only byte counts changed. */
export function takeMarks(
  { $client }: Db,
  { isMinute, limit }: { isMinute: boolean; limit: number },
): Mark[] {
  return $client.query<Mark, [number]>(isMinute ? ANY : SOON).all(limit);
}

/** Changed sessions after a key, in key order. */
export function takeSessionMarks(
  { $client }: Db,
  { after = OF_SESSIONS.from, limit }: { after: string | undefined; limit: number },
): Mark[] {
  return $client
    .query<Mark, [string, string, number]>(
      "SELECT key, mark FROM access_marks WHERE key > ? AND key < ? AND is_soon = 0 ORDER BY key LIMIT ? + 0",
    )
    .all(after, OF_SESSIONS.to, limit);
}

export function countMarks({ $client }: Db): number {
  const { from, to } = OF_SESSIONS;
  return (
    $client
      .query<{ waiting: number }, [string, string]>(
        `SELECT (SELECT count(*) FROM access_marks WHERE is_soon = 1)
           + (SELECT count(*) FROM access_marks WHERE key > ? AND key < ? AND is_soon = 0) AS waiting`,
      )
      .get(from, to)?.waiting ?? 0
  );
}

/** Sealed records of keys, each with a higher pair than before. Damaged ones go to `failed`. */
export function publications(
  db: Db,
  marks: readonly Mark[],
  {
    seal,
    pairs,
    failed,
  }: { seal: RecordSeal; pairs: PairCounter; failed: (key: string, error: unknown) => void },
): Publication[] {
  const known = db.$client.query<{ subject: string }, [string]>(
    "SELECT subject FROM access_keys WHERE key = ?",
  );
  const read = db.$client.transaction(() =>
    marks.map((mark) => {
      try {
        return { mark, published: readPublished(db, mark.key), former: known.get(mark.key)?.subject };
      } catch (error) {
        failed(mark.key, error);
        return { mark, published: undefined, former: undefined };
      }
    }),
  );
  return read().map(({ mark, published, former }) => {
    const puts = [];
    if (former !== undefined && former !== published?.subject)
      puts.push(sealed(former, undefined, seal, pairs));
    if (published) puts.push(sealed(published.subject, published.record, seal, pairs));
    return { mark, puts, subject: published?.subject, former };
  });
}

function sealed(subject: string, record: AccessRecord | undefined, seal: RecordSeal, pairs: PairCounter) {
  const isGone = record === undefined;
  const body = isGone ? "" : JSON.stringify(record);
  return { subject, isGone, bytes: seal.seal(subject, { ...pairs.next(), isGone }, body) };
}

/** Deletes marks that have not changed since. */
export function notePublished(db: Db, published: readonly Publication[]): void {
  write(db, ({ $client }) => {
    const unmark = $client.query<unknown, [string, number]>(
      "DELETE FROM access_marks WHERE key = ? AND mark = ?",
    );
    const stands = $client.query<unknown, [string, string]>(
      "INSERT INTO access_keys (key, subject) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET subject = excluded.subject",
    );
    const gone = $client.query<unknown, [string]>("DELETE FROM access_keys WHERE key = ?");
    const insert = $client.query<unknown, [string, string]>(
      "INSERT OR IGNORE INTO access_told VALUES (?, ?)",
    );
    for (const { mark, subject, former } of published) {
      if (former !== undefined && former !== subject) insert.run(mark.key, subjectPlace(former));
      if (subject === undefined) gone.run(mark.key);
      else stands.run(mark.key, subject);
      unmark.run(mark.key, mark.mark);
    }
  });
}

/** Marks all that boxes are told, for a new bucket or new keys. */
export function markAll({ $client }: Tx): void {
  const upsert = "ON CONFLICT (key) DO UPDATE SET mark = mark + 1, is_soon = 1";
  const marked = (select: string) => $client.run(`INSERT INTO access_marks ${select} ${upsert}`);
  marked("SELECT 'n.' || id, 1, 1 FROM nas WHERE true");
  marked("SELECT 's.' || id, 1, 1 FROM subscribers WHERE archived_at IS NULL");
  marked("SELECT 'b.' || id, 1, 1 FROM card_batches WHERE true");
  marked("SELECT 'c.' || id, 1, 1 FROM cards WHERE true");
  marked(
    "SELECT 'o.' || id, 1, 1 FROM sessions WHERE stopped_at IS NULL AND (subscriber_id IS NOT NULL OR card_id IS NOT NULL)",
  );
  // published, and deleted since
  marked("SELECT key, 1, 1 FROM access_keys WHERE true");
  const setting = $client.query<unknown, [string]>(`INSERT INTO access_marks VALUES (?, 1, 1) ${upsert}`);
  for (const key of replicatedSettings) setting.run(`g.${key}`);
}

/** Starts replication. Changes before it are a gap in the stream. */
export function beginMarking(tx: Tx): void {
  const { $client } = tx;
  const hole = $client
    .query<{ seq: number }, []>(
      "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'book_changes' AND seq > 0 RETURNING seq",
    )
    .get();
  if (hole) $client.query<unknown, [number]>("UPDATE access_state SET booked = ?").run(hole.seq);
  $client.run("UPDATE access_state SET marking = 1");
  renewTriggers($client, readTriggers($client));
  markAll(tx);
}

/** Stops replication after the last box. */
export function endMarking({ $client }: Tx): void {
  $client.run("UPDATE access_state SET marking = 0");
  for (const table of ["access_marks", "access_keys", "book_changes"]) $client.run(`DELETE FROM ${table}`);
  renewTriggers($client, readTriggers($client));
}

function subjectPlace(subject: string): string {
  return subject.split(".").slice(0, 2).join(".");
}

export function placeSubjects({ $client }: Db): string[] {
  return $client
    .query<{ subject: string }, []>(
      `SELECT '0.0' AS subject UNION ALL SELECT id || '.0' FROM isps UNION ALL SELECT isp_id || '.' || id FROM branches`,
    )
    .all()
    .map(({ subject }) => subject);
}

export function isPublished({ $client }: Db, key: string): boolean {
  return (
    $client.query<unknown, [string]>("SELECT 1 AS found FROM access_keys WHERE key = ?").get(key) !== null
  );
}
