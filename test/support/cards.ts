import type { Db } from "../../db/open.ts";
import { createCardBatch } from "../../src/domain/cards/batches.ts";
import { cardOfNumber } from "../../src/domain/cards/codes.ts";
import type { Card, CardBatch } from "../../src/domain/cards/standing.ts";
import type { Input } from "../../src/domain/fields.ts";
import { by } from "./isp.ts";
import { NOW } from "./store.ts";

/** A card of a test, with its code in clear text. */
export interface TestCard {
  readonly id: number;
  readonly code: string;
}

/** A batch of access cards of ISP 1 that last an hour from their first use, one device at a time, unless said otherwise. */
export function someCards(
  db: Db,
  input: Input = {},
  now = NOW - 3600,
): { batch: CardBatch; cards: TestCard[] } {
  const hour = {
    ...{ isp_id: 1, kind: "access", package_id: 1, quantity: 1, price: "1.00" },
    ...{ duration: 1, duration_unit: "hour" },
  };
  const { batch, first } = createCardBatch(db, by, { ...hour, ...input }, { now });
  const cards = db.$client
    .query<{ id: number; sealed: Uint8Array }, [number, number]>(
      "SELECT id, code_sealed AS sealed FROM cards WHERE batch_id = ? AND id >= ? ORDER BY id",
    )
    .all(batch.id, cardOfNumber(first) ?? 0)
    .map(({ id, sealed }) => ({ id, code: db.vault.openText(sealed) }));
  return { batch, cards };
}

/** A batch of one card. */
export function aCard(db: Db, input: Input = {}, now?: number): TestCard {
  const [card] = someCards(db, input, now).cards;
  if (!card) throw new Error("a batch without cards");
  return card;
}

/** What stands of a card in the store. */
export function storedCard(db: Db, id: number): Card {
  const card = db.query.cards.findFirst({ where: (cards, { eq }) => eq(cards.id, id) }).sync();
  if (!card) throw new Error(`there is no card ${id}`);
  return card;
}

/** Every place of a store, its tables and its files, where a text stands in clear. */
export function placesOf(db: Db, text: string): string[] {
  const tables = db.$client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  return tables.flatMap(({ name }) => {
    const rows = db.$client.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all();
    return rows.flatMap((row) =>
      Object.entries(row)
        .filter(([, value]) => isIn(value, text))
        .map(([column]) => `${name}.${column}`),
    );
  });
}

function isIn(value: unknown, text: string): boolean {
  const bytes = value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);
  return bytes.toLowerCase().includes(text.toLowerCase());
}
