import { all, equal, type Value } from "../../../../db/condition.ts";
import { selectColumns } from "../../../../db/columns.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { cardBatches } from "../../../../db/schema.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault } from "../../core/fields/fields.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { batchesSeen, noBatch, noCard, requireOwnBranch } from "./reach.ts";
import type { Card, CardBatch } from "./standing.ts";

export interface PrintedCard {
  readonly id: number;
  /** C-000123. */
  readonly number: string;
  readonly serial: number;
  /** Normalised: capitals, no dashes. */
  readonly code: string;
  readonly state: Card["state"];
}

export interface Printing {
  readonly batch: CardBatch;
  readonly cards: readonly PrintedCard[];
  /** Void cards left out of the range. */
  readonly leftOut: number;
}

interface Range {
  readonly batchId: number;
  /** Serials of the first and last, inclusive. */
  readonly from: number;
  readonly to: number;
  /** The medium, for the audit trail. */
  readonly as?: "sheet" | "file";
}

interface Row {
  readonly id: number;
  readonly serial: number;
  readonly state: Card["state"];
  readonly sealed: Uint8Array;
}

const rows = "SELECT c.id, c.serial, c.state, c.code_sealed AS sealed FROM cards c";

/** Printed number of a card: batch and serial. */
export function printedNumber({ id }: Pick<CardBatch, "id">, serial: number): string {
  return `${printedBatch({ id })}-${String(serial).padStart(3, "0")}`;
}

/** Printed number of a batch: 0117. */
export function printedBatch({ id }: Pick<CardBatch, "id">): string {
  return String(id).padStart(4, "0");
}

/** A batch to print, without opening codes. Throws `not_found`, and `forbidden` to a branch for cards of the whole ISP. */
export function printableBatch(db: Db, by: Actor, { batchId }: { batchId: number }): CardBatch {
  permit(by, "printableBatch");
  return batchWithin(db, by, batchId);
}

/**
 * Codes of a range for printing, without void cards; recorded in the audit trail. Throws `not_found`, and `invalid` for a range
 * outside the batch.
 */
export function printCards(
  db: Db,
  by: Actor,
  { batchId, from, to, as = "sheet" }: Range,
  { now }: { now: Seconds },
): Printing {
  permit(by, "printCards");
  return write(db, (tx) => {
    const batch = batchWithin(tx, by, batchId);
    requireRange(batch, from, to);
    const found = tx.$client
      .query<Row, [number, number, number]>(
        `${rows} WHERE c.batch_id = ? AND c.serial BETWEEN ? AND ? AND c.state <> 'void' ORDER BY c.serial`,
      )
      .all(batchId, from, to);
    audit(tx, by, now, {
      action: "card_batch.print",
      entity: "card_batch",
      entityId: batchId,
      ispId: batch.ispId,
      after: { from, to, cards: found.length, on: as },
    });
    const cards = found.map((row) => opened(tx, row));
    return { batch, cards, leftOut: to - from + 1 - cards.length };
  });
}

/** The code of one lost card for reprinting; recorded in the audit trail. Throws `not_found`, and `refused` for a void one. */
export function reprintCard(
  db: Db,
  by: Actor,
  { id }: { id: number },
  { now }: { now: Seconds },
): { batch: CardBatch; card: PrintedCard } {
  permit(by, "reprintCard");
  return write(db, (tx) => {
    const found = tx.$client
      .query<Row & { batchId: number }, [number]>(
        "SELECT c.id, c.serial, c.state, c.code_sealed AS sealed, c.batch_id AS batchId FROM cards c WHERE c.id = ?",
      )
      .get(id);
    const batch = found && batchIn(tx, by.scope, found.batchId);
    if (!found || !batch) throw noCard(id);
    requireOwnBranch(by, batch);
    if (found.state === "void")
      throw new DomainError(
        "refused",
        phrase`card ${cardNumber(id)} is void and opens nothing; print another one of batch ${printedBatch(batch)}`,
        { code: "card_void" },
      );
    audit(tx, by, now, {
      action: "card.reprint",
      entity: "card",
      entityId: id,
      ispId: batch.ispId,
      after: { number: cardNumber(id), paper: printedNumber(batch, found.serial) },
    });
    return { batch, card: opened(tx, found) };
  });
}

function opened({ vault }: Tx, { sealed, ...row }: Row): PrintedCard {
  const { id, serial, state } = row;
  return { id, serial, state, number: cardNumber(id), code: vault.openText(sealed) };
}

function batchWithin(db: Pick<Db, "$client">, by: Actor, id: number): CardBatch {
  const batch = batchIn(db, by.scope, id);
  if (!batch) throw noBatch(id);
  requireOwnBranch(by, batch);
  return batch;
}

function batchIn({ $client }: Pick<Db, "$client">, scope: Scope, id: number): CardBatch | undefined {
  const { text, values } = all(equal("b.id", id), batchesSeen(scope));
  return (
    $client
      .query<CardBatch, Value[]>(
        `SELECT ${selectColumns(cardBatches, "b")} FROM card_batches b WHERE ${text}`,
      )
      .get(...values) ?? undefined
  );
}

function requireRange({ id, quantity }: CardBatch, from: number, to: number): void {
  const faults: Faults = {};
  if (!Number.isSafeInteger(from) || from < 1 || from > quantity)
    addFault(faults, "from", phrase`must be from 1 to ${quantity}, which batch ${id} has`);
  if (!Number.isSafeInteger(to) || to < from || to > quantity)
    addFault(faults, "to", phrase`must be from ${Math.max(1, Math.min(from || 1, quantity))} to ${quantity}`);
  rejectFaults(faults);
}
