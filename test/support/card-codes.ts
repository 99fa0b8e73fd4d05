import { eq } from "drizzle-orm";
import { cards } from "../../db/schema.ts";
import type { Db } from "../../db/open.ts";
import { createCardBatch } from "../../src/domain/service/cards/batches.ts";
import type { Card } from "../../src/domain/service/cards/standing.ts";
import type { Input } from "../../src/domain/core/fields/fields.ts";
import { by } from "./isp.ts";
import { NOW } from "./store.ts";

export interface MadeCard {
  readonly id: number;
  /** Normal: capitals without dashes. */
  readonly code: string;
}

/** Makes a batch of access cards of ISP 1, an hour each by the clock unless said otherwise, and opens their codes. */
export function makeBatch(db: Db, input: Input = {}, now = NOW): MadeCard[] {
  const { batch } = createCardBatch(
    db,
    by,
    {
      isp_id: 1,
      kind: "access",
      package_id: 1,
      quantity: 1,
      price: "1.00",
      duration: 1,
      duration_unit: "hour",
      ...input,
    },
    { now },
  );
  return codesOf(db, batch.id);
}

export function codesOf(db: Db, batchId: number): MadeCard[] {
  return db.$client
    .query<{ id: number; sealed: Uint8Array }, [number]>(
      "SELECT id, code_sealed AS sealed FROM cards WHERE batch_id = ? ORDER BY id",
    )
    .all(batchId)
    .map(({ id, sealed }) => ({ id, code: db.vault.openText(sealed) }));
}

export function makeCard(db: Db, input: Input = {}, now = NOW): MadeCard {
  const [card] = makeBatch(db, { ...input, quantity: 1 }, now);
  if (!card) throw new Error("a batch without a card");
  return card;
}

export function cardRow(db: Db, id: number): Record<string, unknown> {
  const row = db.$client
    .query<Record<string, unknown>, [number]>(
      "SELECT state, first_used_at, ends_at, locked_mac, used_seconds, used_octets FROM cards WHERE id = ?",
    )
    .get(id);
  if (!row) throw new Error(`there is no card ${id}`);
  return row;
}

export function storedCard(db: Db, id: number): Card {
  const card = db.select().from(cards).where(eq(cards.id, id)).get();
  if (!card) throw new Error(`there is no card ${id}`);
  return card;
}

/** Every table and file of a store that contains a text in clear. */
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
