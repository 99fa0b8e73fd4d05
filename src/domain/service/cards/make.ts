import type { Tx } from "../../../../db/open.ts";
import { fold } from "../../core/fields/text.ts";
import { CodeKeys, drawCode, printedCode } from "../../goods/codes/codes.ts";
import type { CardBatch } from "./standing.ts";

/** Codes drawn for one card before its form is considered full; it has a hundred million for each. */
const DRAWS = 100;

/** Writes a new batch's cards with codes unused as card or username. Returns the first and last id. `most`: of a batch that is undone. */
export function makeCards(tx: Tx, batch: CardBatch, most = Infinity): { first: number; last: number } {
  const { id, quantity, prefix, length, alphabet } = batch;
  if (length === null || alphabet === null) throw new Error(`batch ${id} has no form of codes`);
  const keys = new CodeKeys(tx.vault);
  const isName = tx.$client.query<{ found: number }, [string, string]>(
    "SELECT 1 AS found FROM subscribers WHERE username_key IN (?, ?)",
  );
  const add = tx.$client.query<{ id: number }, [number, number, Buffer, Buffer]>(
    "INSERT INTO cards (batch_id, serial, code_key, code_sealed) VALUES (?, ?, ?, ?) ON CONFLICT (code_key) DO NOTHING RETURNING id",
  );
  const ids: number[] = [];
  for (let serial = 1; serial <= Math.min(quantity, most); serial++) {
    let made: { id: number } | null = null;
    for (let draws = 0; made === null; draws++) {
      if (draws === DRAWS) throw new Error(`no free code was found for batch ${id}`);
      const code = drawCode({ prefix, length, alphabet });
      if (isName.get(fold(code), fold(printedCode(code)))) continue;
      made = add.get(id, serial, keys.of(code), tx.vault.seal(code));
    }
    ids.push(made.id);
  }
  return { first: ids[0] ?? 0, last: ids.at(-1) ?? 0 };
}
