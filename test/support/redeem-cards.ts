import type { Db } from "../../db/open.ts";
import { createCardBatch } from "../../src/domain/service/cards/batches.ts";
import { CodeKeys } from "../../src/domain/goods/codes/codes.ts";
import type { Input } from "../../src/domain/core/fields/fields.ts";
import { codesOf, type MadeCard } from "./card-codes.ts";
import { cli } from "./people.ts";
import { NOW } from "./store.ts";

/** A batch of ISP 1, refills of 10.00 by default, with codes and ids. */
export function cardsOf(db: Db, input: Input = {}, { now = NOW } = {}): MadeCard[] {
  const { batch } = createCardBatch(
    db,
    cli,
    { isp_id: 1, kind: "refill", quantity: 1, price: "10.00", ...input },
    { now },
  );
  return codesOf(db, batch.id);
}

export function cardOf(db: Db, input: Input = {}, world: { now?: number } = {}): string {
  const [card] = cardsOf(db, input, world);
  if (!card) throw new Error("no card was made");
  return card.code;
}

/** Gives the card of a new batch a code that a table of calls can name. */
export function knownCard(db: Db, code: string, input: Input = {}): void {
  const [card] = cardsOf(db, input);
  db.$client
    .query("UPDATE cards SET code_key = ?, code_sealed = ? WHERE id = ?")
    .run(new CodeKeys(db.vault).of(code), db.vault.seal(code), card?.id ?? 0);
}
