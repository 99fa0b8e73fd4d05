import type { Db, Tx } from "../../../../db/open.ts";
import type { AccountingReport, BookedReport } from "../../service/accounting/accounting.ts";
import type { Clock, Seconds } from "../../core/time/time.ts";

/** Seconds that delivered rows are kept; undelivered ones stay without a limit. */
const KEPT = 14 * 86_400;
const KEPT_BYTES = 2e9;

/** Boot id and monotonic milliseconds. */
export interface Elapsed {
  readonly boot: string;
  readonly uptime: () => number;
}

/** A row of a box's journal. `body` is JSON. */
export interface JournalRow {
  readonly number: number;
  readonly kind: "accounting" | "decided" | "dropped" | "seen";
  readonly at: Seconds;
  readonly boot: string;
  readonly uptime: number;
  readonly body: string;
}

/** A row as sent, with its age in seconds, which no wrong clock changes. */
export interface Homecoming {
  readonly number: number;
  /** A kind of a later version is possible. */
  readonly kind: string;
  readonly at: Seconds;
  readonly age: Seconds;
  readonly body: string;
}

/** Rows after a number; forgotten ones leave no gap. */
export interface JournalBatch {
  readonly after: number;
  readonly rows: readonly Homecoming[];
  /** Base64 of the signed head of the highest known epoch. */
  readonly proof?: string | undefined;
}

export class Journal {
  readonly #insert;
  readonly #elapsed: Elapsed;
  readonly #clock: Clock;

  constructor({ $client }: Db, { elapsed, clock }: { elapsed: Elapsed; clock: Clock }) {
    this.#elapsed = elapsed;
    this.#clock = clock;
    this.#insert = $client.query<
      unknown,
      [string, number, string, number, number | null, number | null, number, number, string]
    >(
      `INSERT INTO journal (kind, at, boot, uptime, subscriber_id, card_id, octets, seconds, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** In the transaction that books it. */
  accounted({ accounting, owner, octets, seconds }: BookedReport): void {
    const { boot, uptime } = this.#elapsed;
    const { subscriberId, cardId } = owner;
    this.#insert.run(
      ...(["accounting", this.#clock(), boot, Math.round(uptime())] as const),
      ...([subscriberId, cardId, octets, seconds, packReport(accounting)] as const),
    );
  }

  /** Returns its number. */
  add(kind: Exclude<JournalRow["kind"], "accounting">, body: unknown): number {
    const { boot, uptime } = this.#elapsed;
    const { lastInsertRowid } = this.#insert.run(
      ...([kind, this.#clock(), boot, Math.round(uptime()), null, null, 0, 0, JSON.stringify(body)] as const),
    );
    return Number(lastInsertRowid);
  }
}

const NUMBERS_A_SECOND = 1000;

/** Starts a new journal beyond the numbers of an earlier one of this box: the primary would take equal numbers for known rows and lose them. */
export function beginJournal({ $client }: Tx, now: Seconds): void {
  const begun = $client
    .query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'journal'")
    .get();
  const begin = Math.max(begun?.seq ?? 0, now * NUMBERS_A_SECOND);
  $client.run("DELETE FROM sqlite_sequence WHERE name = 'journal'");
  $client
    .query<unknown, [number]>("INSERT INTO sqlite_sequence (name, seq) VALUES ('journal', ?)")
    .run(begin);
}

/** Undelivered rows, the oldest first, as many as fit into `bytes`. */
export function homecomings(
  { $client }: Db,
  {
    after,
    limit,
    bytes,
    elapsed,
    now,
  }: { after: number; limit: number; bytes: number; elapsed: Elapsed; now: Seconds },
): Homecoming[] {
  const rows = $client
    .query<JournalRow, [number, number]>(
      "SELECT number, kind, at, boot, uptime, body FROM journal WHERE number > ? ORDER BY number LIMIT ? + 0",
    )
    .all(after, limit);
  const going: Homecoming[] = [];
  let size = 0;
  for (const { number, kind, at, boot, uptime, body } of rows) {
    size += body.length + 60;
    if (size > bytes && going.length > 0) break;
    // another boot leaves only the wall clock
    const age = boot === elapsed.boot ? Math.max(0, elapsed.uptime() - uptime) / 1000 : Math.max(0, now - at);
    going.push({ number, kind, at, age: Math.round(age), body });
  }
  return going;
}

/** Deletes up to `limit` delivered rows older than 14 days, or beyond `bytes`; returns how many. */
export function forgetJournal(
  { $client }: Db,
  { home, now, limit, bytes = KEPT_BYTES }: { home: number; now: Seconds; limit: number; bytes?: number },
): number {
  const { changes } = $client
    .query<unknown, [number, number, number]>(
      `DELETE FROM journal WHERE number IN (
         SELECT number FROM journal WHERE number <= ? AND at < ? ORDER BY number LIMIT ? + 0)`,
    )
    .run(home, now - KEPT, limit);
  if (changes > 0) return changes;
  // estimated from the newest rows, because adding up 2 GB takes seconds
  const size = $client
    .query<{ bytes: number | null }, []>(
      `SELECT ((SELECT max(number) FROM journal) - (SELECT min(number) FROM journal) + 1) * avg(length(body)) AS bytes
       FROM (SELECT body FROM journal ORDER BY number DESC LIMIT 1000)`,
    )
    .get();
  if ((size?.bytes ?? 0) <= bytes) return 0;
  return $client
    .query<unknown, [number, number]>(
      "DELETE FROM journal WHERE number IN (SELECT number FROM journal WHERE number <= ? ORDER BY number LIMIT ? + 0)",
    )
    .run(home, limit).changes;
}

/** Bytes of a Class are base64. */
function packReport(accounting: AccountingReport): string {
  if (accounting.kind === "restart") return JSON.stringify(accounting);
  const { report } = accounting;
  return JSON.stringify({
    ...accounting,
    report: { ...report, class: report.class?.toString("base64") ?? null },
  });
}
