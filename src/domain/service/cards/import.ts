import { selectColumns } from "../../../../db/columns.ts";
import { insert } from "../../../../db/insert.ts";
import type { Tx } from "../../../../db/open.ts";
import { cardBatches, packages } from "../../../../db/schema.ts";
import { cardTerms } from "../../goods/packages/package-terms.ts";
import { audit } from "../../core/audit/audit.ts";
import { actingColumns } from "../../money/billing/ledger.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { DurationUnit, Seconds } from "../../core/time/time.ts";
import { CLEAR_SYMBOLS, CodeKeys, drawCode } from "../../goods/codes/codes.ts";
import { batchView, storedBatch } from "./batches.ts";
import { countVoid } from "./days.ts";
import type { Card, CardBatch } from "./standing.ts";

/** Imported codes that form a batch; they do not follow our forms. */
export interface ImportedBatch {
  readonly ispId: number;
  readonly kind: CardBatch["kind"];
  readonly packageId: number | null;
  readonly price: number;
  readonly note: string | null;
  /** The source system. */
  readonly origin: string;
  /** Last day for first use; null: unlimited. */
  readonly endsAt: Seconds | null;
  /** Validity of an access card from first use; null: its package's period. */
  readonly validity: { readonly count: number; readonly unit: DurationUnit } | null;
  /** Time online of an access card; null: unlimited. */
  readonly uptimeSeconds: number | null;
}

/** A code as stored: lookup key and sealed text. */
export interface ImportedCode {
  readonly key: Buffer;
  readonly sealed: Buffer;
}

/** Writes a batch with its imported codes in order, and returns the card ids. A duplicate code is a database error. */
export function importCards(
  tx: Tx,
  by: Actor,
  batch: ImportedBatch,
  { codes, now }: { codes: readonly ImportedCode[]; now: Seconds },
): number[] {
  const { ispId, origin } = batch;
  const { actingStaffId, actor } = actingColumns(by);
  const id = insert(tx, cardBatches, {
    ...importedColumns(tx, batch),
    quantity: codes.length,
    createdAt: now,
    createdBy: actingStaffId,
    actor,
  });
  const add = tx.$client.query<{ id: number }, [number, number, Buffer, Buffer]>(
    "INSERT INTO cards (batch_id, serial, code_key, code_sealed) VALUES (?, ?, ?, ?) RETURNING id",
  );
  const ids = codes.map(({ key, sealed }, index) => add.get(id, index + 1, key, sealed)?.id ?? 0);
  audit(tx, by, now, {
    action: "card_batch.create",
    entity: "card_batch",
    entityId: id,
    ispId,
    after: { ...batchView(storedBatch(tx, id)), origin },
  });
  return ids;
}

function importedColumns(tx: Tx, batch: ImportedBatch) {
  const { ispId, kind, packageId, price, note, origin, endsAt } = batch;
  const terms = packageId !== null && kind === "access" ? findTerms(tx, packageId, batch) : {};
  return { ispId, kind, packageId, price, note, origin, sellBy: endsAt, useBy: endsAt, ...terms };
}

function findTerms(tx: Tx, packageId: number, { validity, uptimeSeconds }: ImportedBatch) {
  const sold = tx.$client
    .query<typeof packages.$inferSelect, [number]>(
      `SELECT ${selectColumns(packages, "p")} FROM packages p WHERE p.id = ?`,
    )
    .get(packageId);
  if (!sold) throw new Error(`there is no package ${packageId}`);
  const { count: duration, unit: durationUnit } = validity ?? {
    count: sold.duration,
    unit: sold.durationUnit,
  };
  return { ...cardTerms(sold), duration, durationUnit, uptimeSeconds };
}

/** Voids a card if unsold and unused; returns whether it was. */
export function voidUnused(
  tx: Tx,
  id: number,
  { staffId, reason, now }: { staffId: number | null; reason: string; now: Seconds },
): boolean {
  const card = cardIn(tx, id, "new");
  if (!card) return false;
  tx.$client
    .query<unknown, [Seconds, number | null, string, number]>(
      "UPDATE cards SET state = 'void', voided_at = ?, voided_by = ?, void_reason = ? WHERE id = ?",
    )
    .run(now, staffId, reason, id);
  countVoid(tx, card, now);
  return true;
}

/**
 * Revives a voided card if its batch equals what would be made now; otherwise it stays void and releases its code for a new
 * card. Returns whether it was revived.
 */
export function importAgain(tx: Tx, id: number, batch: ImportedBatch): boolean {
  const stored = tx.$client
    .query<CardBatch, [number]>(
      `SELECT ${selectColumns(cardBatches, "b")} FROM card_batches b JOIN cards c ON c.batch_id = b.id WHERE c.id = ?`,
    )
    .get(id);
  const columns = Object.entries(importedColumns(tx, batch));
  const isSame = stored && columns.every(([name, value]) => Reflect.get(stored, name) === value);
  if (isSame) reviveCard(tx, id);
  else giveCodeUp(tx, id);
  return isSame === true;
}

/** Replaces its code by one that nobody knows. */
function giveCodeUp({ $client, vault }: Tx, id: number): void {
  const code = drawCode({ prefix: "", length: 24, alphabet: CLEAR_SYMBOLS });
  $client
    .query<unknown, [Buffer, Buffer, number]>("UPDATE cards SET code_key = ?, code_sealed = ? WHERE id = ?")
    .run(new CodeKeys(vault).of(code), vault.seal(code), id);
}

/** Undoes the voiding of an unused card, also in that day's sums. */
export function reviveCard(tx: Tx, id: number): void {
  const card = cardIn(tx, id, "void");
  if (!card || card.soldAt !== null || card.firstUsedAt !== null) return;
  tx.$client
    .query<unknown, [number]>(
      "UPDATE cards SET state = 'new', voided_at = NULL, voided_by = NULL, void_reason = NULL WHERE id = ?",
    )
    .run(id);
  if (card.voidedAt !== null) countVoid(tx, card, card.voidedAt, -1);
  tx.$client
    .query<unknown, [number]>(
      "UPDATE card_batches SET voided_at = NULL WHERE voided_at IS NOT NULL AND id = ?",
    )
    .run(card.batchId);
}

type Stored = Pick<Card, "batchId" | "soldAt" | "soldBy" | "firstUsedAt" | "voidedAt">;

function cardIn({ $client }: Tx, id: number, state: Card["state"]): Stored | null {
  return $client
    .query<Stored, [number, Card["state"]]>(
      `SELECT batch_id AS batchId, sold_at AS soldAt, sold_by AS soldBy, first_used_at AS firstUsedAt, voided_at AS voidedAt
       FROM cards WHERE id = ? AND state = ?`,
    )
    .get(id, state);
}
