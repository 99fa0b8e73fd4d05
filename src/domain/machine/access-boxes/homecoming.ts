import { type Db, write } from "../../../../db/open.ts";
import { isLocked, sqliteCode } from "../../../../db/sqlite-error.ts";
import type {
  AccountingWriter,
  AccountingReport,
  QuotaCrossed,
} from "../../service/accounting/accounting.ts";
import type { Seconds } from "../../core/time/time.ts";
import { NotOwn } from "../../service/accounting/authority.ts";
import type { NodeAuthorities, NodeAuthority, ReportingNode } from "./box-authority.ts";
import type { Homecoming, JournalBatch } from "./journal.ts";
import { NoRow, unpackReport } from "./journal-rows.ts";

export interface Committed {
  readonly journal: number;
  readonly crossed: readonly QuotaCrossed[];
  /** What was refused as foreign. */
  readonly refusals: Refusals | undefined;
}

type Box = ReportingNode & { readonly journal: number };

/** Rows refused as foreign or malformed, and the first of them. */
export interface Refusals {
  count: number;
  what: string;
}

/** Stores kinds beside accounting; foreign parts go to `refuse`. Throws NotOwn and NoRow. */
export type OtherKinds = (row: Homecoming, authority: NodeAuthority, refuse: (error: Error) => void) => void;

export interface HomeNeeds {
  readonly accounting: AccountingWriter;
  readonly authorities: NodeAuthorities;
  readonly now: Seconds;
  /** Called in the transaction. */
  readonly take: OtherKinds;
  /** Whether others have waited long enough; the box sends the rest again. */
  readonly isLong?: () => boolean;
  /** A refused row counts as taken: it would be refused again and block those behind it. */
  readonly refused: (row: Homecoming, error: unknown) => void;
}

/**
 * Books a box's journal in order, each row once however often it comes, in one transaction with its position. Where this store
 * was restored to before the journal's beginning, the box is asked again from there. Throws what the store throws; then nothing
 * was booked.
 */
export function takeHome(
  db: Db,
  { box: node, after, rows }: { box: string } & JournalBatch,
  { accounting, authorities, now, take, refused, isLong = () => false }: HomeNeeds,
): Committed | undefined {
  return write(db, ({ $client }) => {
    const known = $client
      .query<Box, [string]>(
        "SELECT id, name, scope, journal, created_at AS createdAt FROM access_boxes WHERE name = ? AND removed_at IS NULL",
      )
      .get(node);
    if (!known) return undefined;
    // this store was restored
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
          const booked = accounting.book(report, authority);
          if (booked !== undefined && booked !== "crowded") crossed.push(booked);
        });
      } catch (error) {
        if (isStoreFault(error)) throw error;
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

/** The report with the router as the primary knows it. Throws NotOwn. */
function heldAgainst(accounting: AccountingReport, authority: NodeAuthority): AccountingReport {
  if (accounting.kind === "restart") {
    authority.requireRouter(null, accounting.restart.nasAddress);
    return accounting;
  }
  const { report } = accounting;
  report.nasId = authority.requireRouter(report.nasId, report.nasAddress);
  return accounting;
}

/** Keeps count, time and first example of refused rows. */
function noteRefusals({ $client }: Db, id: number, { count, what }: Refusals, now: Seconds): void {
  $client
    .query<unknown, [number, Seconds, string, number]>(
      "UPDATE access_boxes SET refused = refused + ?, refused_at = ?, refused_what = ? WHERE id = ?",
    )
    .run(count, now, what, id);
}

/** A fault of disk or lock concerns the whole batch, which the box sends again. */
function isStoreFault(error: unknown): boolean {
  const code = sqliteCode(error);
  return (
    isLocked(error) ||
    (code !== "" && !code.startsWith("SQLITE_CONSTRAINT") && !code.startsWith("SQLITE_MISMATCH"))
  );
}
