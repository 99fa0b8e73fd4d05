import { type Db, type Tx, writePatiently } from "../../../../db/open.ts";
import { voidUnused } from "../../service/cards/import.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Cards voided in a transaction, for routers wait. */
const STEP = 1000;

interface VoidedCards {
  readonly voided: number;
  readonly stayed: readonly { readonly username: string; readonly reason: "card" }[];
}

/** The void reason of an undone import. */
const undoneReason = (moveId: number | string) => `move ${moveId} was undone`;

/** Whether card `c` was voided by an undo, so neither sold nor used. */
export const isUndoneSql = `(c.state = 'void' AND c.void_reason GLOB '${undoneReason("[0-9]*")}')`;

export function hasCards({ $client }: Db, moveId: number): boolean {
  return (
    $client.query("SELECT 1 FROM moved_rows WHERE move_id = ? AND kind = 'voucher' LIMIT 1").get(moveId) !==
    null
  );
}

/** Voids imported cards that nobody sold or used; others are reported. A later run can bring them again. */
export async function voidCards(
  db: Db,
  { staffId, moveId, now }: { staffId: number | null; moveId: number; now: Seconds },
): Promise<VoidedCards> {
  const cards = db.$client
    .query<{ id: number; batchId: number }, [number]>(
      `SELECT c.id, c.batch_id AS batchId FROM moved_rows m JOIN cards c ON c.id = m.row_id
       WHERE m.move_id = ? AND m.kind = 'voucher' ORDER BY c.id`,
    )
    .all(moveId);
  const stayed: VoidedCards["stayed"][number][] = [];
  const reason = undoneReason(moveId);
  for (let first = 0; first < cards.length; first += STEP) {
    const step = cards.slice(first, first + STEP);
    const used = await writePatiently(db, (tx) => {
      const forget = tx.$client.query("DELETE FROM moved_rows WHERE kind = 'voucher' AND row_id = ?");
      return step.filter(({ id }) => {
        const isVoid = voidUnused(tx, id, { staffId, reason, now });
        if (isVoid) forget.run(id);
        return !isVoid;
      });
    });
    stayed.push(...used.map(({ id }) => ({ username: cardNumber(id), reason: "card" as const })));
  }
  const batches = new Set(cards.map(({ batchId }) => batchId));
  await writePatiently(db, (tx) => {
    for (const id of batches) closeVoid(tx, id, now);
  });
  return { voided: cards.length - stayed.length, stayed };
}

/** Voids a batch without valid cards. */
function closeVoid({ $client }: Tx, batchId: number, now: Seconds): void {
  $client
    .query<unknown, [Seconds, number]>(
      `UPDATE card_batches SET voided_at = ? WHERE id = ? AND voided_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM cards c WHERE c.batch_id = card_batches.id AND c.state <> 'void')`,
    )
    .run(now, batchId);
}
