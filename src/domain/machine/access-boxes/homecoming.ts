import { type Db, write } from "../../../../db/open.ts";
import { isLocked, sqliteCode } from "../../../../db/sqlite-error.ts";
import type { AccountingBooks, AccountingReport, QuotaCrossed } from "../../service/accounting/accounting.ts";
import type { Seconds } from "../../core/time/time.ts";
import { NotOwn } from "../../service/accounting/authority.ts";
import type { NodeAuthorities, NodeAuthority, ReportingNode } from "./box-authority.ts";
import type { Homecoming, JournalBatch } from "./journal.ts";
import { NoRow, unpackReport } from "./journal-rows.ts";

/** What the books answer a box with: up to where of its journal they have committed. */
export interface Committed {
  readonly journal: number;
  readonly crossed: readonly QuotaCrossed[];
  /** What of it was not booked, as it is not the box's to tell. */
  readonly refusals: Refusals | undefined;
}

type Box = ReportingNode & { readonly journal: number };

/** Rows of a box that were not booked, because they are of what is not its own, or no rows at all, and what the first of them was. */
export interface Refusals {
  count: number;
  what: string;
}

/** Takes what a box tells beside accounting; parts of it that are not its own go to `refuse`. Throws NotOwn and NoRow. */
export type OtherKinds = (row: Homecoming, authority: NodeAuthority, refuse: (error: Error) => void) => void;

export interface HomeNeeds {
  readonly books: AccountingBooks;
  readonly authorities: NodeAuthorities;
  readonly now: Seconds;
  /** What else a box tells, within the transaction. */
  readonly take: OtherKinds;
  /** Whether others have waited for long enough: what is left the box tells again. */
  readonly isLong?: () => boolean;
  /** A row that the books refuse: it is counted as taken, for it would be refused again, and nothing behind it would come. */
  readonly refused: (row: Homecoming, error: unknown) => void;
}

/**
 * Books what a box tells as far as it is its own to tell, in the order of its journal, in one transaction with how far it is: each once, however often it comes. A box
 * that begins after more than these books have, which have been restored, is asked again from where they are. Throws what the store throws; then nothing was booked.
 */
export function takeHome(
  db: Db,
  { box: node, after, rows }: { box: string } & JournalBatch,
  { books: primary, authorities, now, take, refused, isLong = () => false }: HomeNeeds,
): Committed | undefined {
  return write(db, ({ $client }) => {
    const known = $client
      .query<Box, [string]>(
        "SELECT id, name, scope, journal, created_at AS createdAt FROM access_boxes WHERE name = ? AND removed_at IS NULL",
      )
      .get(node);
    if (!known) return undefined;
    // these books were restored
    if (after > known.journal) return { journal: known.journal, crossed: [], refusals: undefined };
    const crossed: QuotaCrossed[] = [];
    const authority = authorities.of(known, now);
    const refusals: Refusals = { count: 0, what: "" };
    const refuse = ({ message }: Error) => {
      if (refusals.count++ === 0) refusals.what = message;
    };
    let { journal } = known;
    for (const row of rows) {
      if (row.number <= journal) continue;
      if (journal > known.journal && isLong()) break;
      try {
        authority.ofRow(row);
        write(db, () => {
          if (row.kind !== "accounting") return take(row, authority, refuse);
          const report = heldAgainst(unpackReport(row.body, { row, now, viaBox: known.id }), authority);
          const booked = primary.book(report, authority);
          if (booked !== undefined && booked !== "crowded") crossed.push(booked);
        });
      } catch (error) {
        if (isOfTheStore(error)) throw error;
        if (error instanceof NotOwn || error instanceof NoRow) refuse(error);
        else refused(row, error);
      }
      journal = row.number;
    }
    $client
      .query<unknown, [number, number, number]>(
        "UPDATE access_boxes SET journal = ?, heard_at = ? WHERE id = ?",
      )
      .run(journal, now, known.id);
    if (refusals.count > 0) noteRefusals(db, known.id, refusals, now);
    return { journal, crossed, refusals: refusals.count > 0 ? refusals : undefined };
  });
}

/** A report by the router that it came by, as the books have it. Throws NotOwn. */
function heldAgainst(accounting: AccountingReport, authority: NodeAuthority): AccountingReport {
  if (accounting.kind === "restart") {
    authority.routerOf(null, accounting.restart.nasAddress);
    return accounting;
  }
  const { report } = accounting;
  report.nasId = authority.routerOf(report.nasId, report.nasAddress);
  return accounting;
}

/** Keeps for who looks that a box told of what is not its own: how often, when last, and what it was. */
function noteRefusals({ $client }: Db, id: number, { count, what }: Refusals, now: Seconds): void {
  $client
    .query<unknown, [number, Seconds, string, number]>(
      "UPDATE access_boxes SET refused = refused + ?, refused_at = ?, refused_what = ? WHERE id = ?",
    )
    .run(count, now, what, id);
}

/** A fault of the disk or the lock: it concerns all of them, and the box sends them again. */
function isOfTheStore(error: unknown): boolean {
  const code = sqliteCode(error);
  return (
    isLocked(error) ||
    (code !== "" && !code.startsWith("SQLITE_CONSTRAINT") && !code.startsWith("SQLITE_MISMATCH"))
  );
}
