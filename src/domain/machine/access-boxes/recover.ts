import { bookColumns } from "../../../../db/book-keys.ts";
import { bookTables } from "../../../../db/book-tables.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import {
  type BookBatch,
  keepLineage,
  lastChange,
  type Lineage,
  readLineage,
  type RowImage,
} from "./book-changes.ts";
import { leapNumbers } from "./leap.ts";
import { type LeftOut, putBack } from "./put-back.ts";
import { auditPromotion } from "./promote.ts";
import { markAll } from "./publishing.ts";
import { isHigher, type Pair } from "./seal.ts";
import { accessState } from "./state.ts";

export interface Recovery {
  readonly batches: readonly BookBatch[];
  readonly images: readonly RowImage[];
  /** Changes missing in the stream: lost, or older than it. */
  readonly gaps: readonly { readonly after: number; readonly before: number }[];
  readonly lineage: Lineage;
}

export function recoveredTo(db: Db): Pair {
  return { epoch: epochBefore(db), number: lastChange(db) };
}

/**
 * Changes of the stream after this store, without those of superseded primaries. Throws `refused` for a newer program's stream,
 * which could only be applied in part.
 */
export function readRecovery(db: Db, stream: readonly BookBatch[]): Recovery {
  const mine = recoveredTo(db);
  const newest = stream.reduce((epoch, batch) => Math.max(epoch, batch.epoch), mine.epoch);
  const lineage = stream.findLast(({ epoch }) => epoch === newest)?.lineage ?? readLineage(db);
  const ends = new Map(lineage);
  const isPart = ({ epoch, number }: BookBatch) => epoch === newest || number <= (ends.get(epoch) ?? 0);
  const batches = stream
    .filter((batch) => isPart(batch) && isHigher(batch, mine))
    .toSorted((a, b) => a.epoch - b.epoch || a.number - b.number);
  const last = batches.at(-1)?.number ?? mine.number;
  requireKnown(batches);
  const images = new Map<string, RowImage>();
  for (const batch of batches)
    for (const image of batch.images) images.set(`${image.table} ${JSON.stringify(image.key)}`, image);
  return {
    batches,
    images: [...images.values()],
    gaps: findGaps(mine.number, batches),
    lineage: [...lineage.filter(([epoch]) => epoch !== newest), [newest, last]],
  };
}

function requireKnown(batches: readonly BookBatch[]): void {
  const known = new Map(bookTables.map(({ name }) => [name, new Set(bookColumns(name))]));
  for (const { images } of batches)
    for (const { table, row } of images) {
      const columns = known.get(table);
      if (columns && Object.keys(row ?? {}).every((column) => columns.has(column))) continue;
      throw new DomainError(
        "refused",
        phrase`a newer gatehouse wrote what was done since the backup; install that version, and run recover again`,
      );
    }
}

/** The epoch of the backup, before its promotion. */
function epochBefore(db: Db): number {
  const { highest } = accessState(db);
  return highest;
}

function findGaps(number: number, batches: readonly BookBatch[]): Recovery["gaps"] {
  let upTo = number;
  const gaps = [];
  for (const batch of batches) {
    if (batch.after > upTo) gaps.push({ after: upTo, before: batch.after });
    upTo = batch.number;
  }
  return gaps;
}

/** Throws `refused` where no recovery waits, or this store was not promoted. */
export function requireRecoverable(db: Db): void {
  const { pending, epoch, highest } = accessState(db);
  if (pending === null)
    throw new DomainError(
      "refused",
      phrase`nothing waits to be recovered here: no backup has been put in place`,
    );
  if (epoch <= highest)
    throw new DomainError(
      "refused",
      phrase`nobody has said yet that these books count; run first: gatehouse box promote`,
    );
}

/**
 * Applies the stream in one transaction and ends the waiting: rows keep their ids, numbers and dates. With gaps, numbers
 * advance by 1,000. Returns what does not fit. Throws `refused`.
 */
export function recoverPrimary(
  db: Db,
  by: Actor,
  recovery: Recovery,
  { now }: { now: Seconds },
): { readonly rows: number; readonly left: readonly LeftOut[] } {
  permit(by, "recoverPrimary");
  requireApplianceAdmin(db, by);
  return write(db, (tx) => {
    requireRecoverable(tx);
    tx.$client.run("UPDATE access_state SET marking = 0"); // the stream has it already
    const { rows, left } = putBack(tx, recovery.images);
    const last = recovery.batches.at(-1)?.number ?? 0;
    continueChanges(tx, Math.max(last, lastChange(tx)));
    keepLineage(tx, recovery.lineage);
    goOn(tx);
    if (recovery.gaps.length > 0) leapNumbers(tx, now); // of what is not there nobody knows the numbers
    auditPromotion(tx, by, { from: epochBefore(tx), now });
    audit(tx, by, now, {
      action: "box.recover",
      entity: "box",
      entityId: 0,
      ispId: null,
      after: { rows, left: left.length, gaps: recovery.gaps.length },
    });
    return { rows, left };
  });
}

/** Goes on from the backup alone, with numbers and ids 1,000 later; later changes are given up. Throws `refused`. */
export function declineRecovery(db: Db, by: Actor, { now }: { now: Seconds }): void {
  permit(by, "declineRecovery");
  requireApplianceAdmin(db, by);
  write(db, (tx) => {
    requireRecoverable(tx);
    const { $client } = tx;
    $client.run("UPDATE access_state SET marking = 1"); // the stream is told of the numbers that follow
    keepLineage(tx, [...readLineage(tx), [epochBefore(tx), lastChange(tx)]]);
    leapNumbers(tx, now);
    goOn(tx);
    auditPromotion(tx, by, { from: epochBefore(tx), now });
    audit(tx, by, now, {
      action: "box.recover",
      entity: "box",
      entityId: 0,
      ispId: null,
      after: { declined: true },
    });
  });
}

function goOn(tx: Tx): void {
  tx.$client.run("UPDATE access_state SET pending = NULL, marking = 1, bucket = NULL");
  markAll(tx);
}

/** Numbers of changes follow those of the stream. */
function continueChanges({ $client }: Tx, number: number): void {
  $client.run("DELETE FROM book_changes");
  const raised = $client
    .query<unknown, [number]>("UPDATE sqlite_sequence SET seq = ? WHERE name = 'book_changes'")
    .run(number);
  if (raised.changes === 0)
    $client
      .query<unknown, [number]>("INSERT INTO sqlite_sequence (name, seq) VALUES ('book_changes', ?)")
      .run(number);
  $client.query<unknown, [number]>("UPDATE access_state SET booked = ?").run(number);
}
