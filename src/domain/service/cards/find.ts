import type { Db } from "../../../../db/open.ts";
import { all, type Value } from "../../../../db/condition.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { CodeKeys, normalCode, parseCardNumber } from "../../goods/codes/codes.ts";
import { type CardRecord, findCardRow } from "./list.ts";
import { batchesSeen, noCard } from "./reach.ts";
import { requireFewWrong, tellWrong } from "./wrong-codes.ts";

export interface CardName {
  readonly id?: number | null | undefined;
  readonly code?: string | null | undefined;
}

/** Finds a card by code, number, or batch and serial. Throws `not_found`, also outside the scope; `too_soon` after too many wrong ones. */
export function findCard(db: Db, by: Actor, code: string, { now }: { now: Seconds }): CardRecord {
  permit(by, "findCard");
  return findCardRow(db, by.scope, requireCardId(db, by, { code }, { now }), now);
}

/** Id of a card in scope. Throws as `findCard`, and `invalid` unless one is named. */
export function requireCardId(db: Db, by: Actor, { id, code }: CardName, { now }: { now: Seconds }): number {
  if (id && !code) {
    if (isSeen(db, by, id)) return id;
    throw noCard(id);
  }
  if (!code || id)
    throw new DomainError("invalid", phrase`name one card: its id, or code`, {
      fields: { id: [phrase`is required, or code in its place, and not both`] },
    });
  requireFewWrong(db, by, now);
  const found = idIn(db, code);
  if (found !== undefined && isSeen(db, by, found)) return found;
  tellWrong(db, by, now);
  throw new DomainError(
    "not_found",
    phrase`there is no such card; a code has letters and digits as printed, a number looks like C-000123 or 0117-001`,
    { code: "card_unknown" },
  );
}

/** Id of the card with a code, without scope. */
export function cardIdByCode({ $client, vault }: Db, text: string): number | undefined {
  const code = normalCode(text);
  if (code === "") return undefined;
  const found = $client
    .query<{ id: number }, [Buffer]>("SELECT id FROM cards WHERE code_key = ?")
    .get(new CodeKeys(vault).of(code));
  return found?.id;
}

/** Codes go first: one of digits may look like a printed number. */
function idIn(db: Db, code: string): number | undefined {
  const byCode = cardIdByCode(db, code);
  if (byCode !== undefined) return byCode;
  return cardIdByPrintedNumber(db, code) ?? parseCardNumber(code);
}

/** Id of the card with a printed number (0117-001), without scope. */
export function cardIdByPrintedNumber({ $client }: Db, code: string): number | undefined {
  const [, batch, serial] = /^\s*(\d{1,15})-(\d{1,5})\s*$/.exec(code) ?? [];
  if (batch === undefined) return undefined;
  const found = $client
    .query<{ id: number }, [number, number]>("SELECT id FROM cards WHERE batch_id = ? AND serial = ?")
    .get(Number(batch), Number(serial));
  return found?.id;
}

function isSeen({ $client }: Db, { scope }: Actor, id: number): boolean {
  const { text, values } = all({ text: "c.id = ?", values: [id] }, batchesSeen(scope));
  const sql = `SELECT 1 AS found FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE ${text}`;
  return $client.query<{ found: number }, Value[]>(sql).get(...values) !== null;
}
