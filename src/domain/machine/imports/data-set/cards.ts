import type { Db, Tx } from "../../../../../db/open.ts";
import { cardNumber, CodeKeys } from "../../../goods/codes/codes.ts";
import { countMoves, type Moved, type Moves } from "../../../service/cards/days.ts";
import { hideCodesInBooks } from "../../../service/cards/hide-codes.ts";
import type { Card } from "../../../service/cards/standing.ts";
import { endOfCard } from "../../../service/cards/first-use.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import {
  addFault,
  type Input,
  fieldNames,
  readFields,
  viewValue,
  type Values,
} from "../../../core/fields/fields.ts";
import { localDay, type Seconds } from "../../../core/time/time.ts";
import { cardFields, cardStateFields } from "./card-fields.ts";
import type { BatchOfCards } from "./card-batches.ts";
import type { StoredRow } from "./change-log.ts";
import { type Row, readRows } from "./rows.ts";
import { StagedRows, type Staging } from "./staging.ts";
import type { Kept } from "./stamps.ts";

export type CardValues = Values<typeof cardFields>;
export type CardRow = Row<CardValues>;

const states = fieldNames(cardStateFields);

type ExportedCard = { id: number; batch_id: number; serial: number } & Record<string, unknown>;

type Stored = { id: number; batch_id: number; serial: number; code: Uint8Array } & StoredRow;

/** Fields of unused cards are left out, for there are many. */
export function exportCards(db: Db, { secrets }: { secrets: boolean }): ExportedCard[] {
  const cards: ExportedCard[] = [];
  using statement = db.$client.prepare<Stored, []>(
    `SELECT id, batch_id, serial, code_sealed AS code, ${states.join(", ")} FROM cards ORDER BY id`,
  );
  for (const { id, batch_id, serial, code, ...row } of statement.iterate()) {
    const card: ExportedCard = { id, batch_id, serial };
    if (secrets) card["code"] = db.vault.openText(code);
    for (const name of states) {
      const value = row[name] ?? null;
      if (value === null || value === cardStateFields[name].empty) continue;
      card[name] = viewValue(cardStateFields[name], value);
    }
    cards.push(card);
  }
  return cards;
}

export function readCards({ $client }: Db, file: Input, faults: Faults): CardRow[] {
  const find = $client.query<{ found: number }, [number]>("SELECT 1 AS found FROM cards WHERE id = ?");
  return readRows(
    file["cards"],
    "/cards",
    {
      names: new Set(Object.keys(cardFields)),
      read: (row, found, { known }) => {
        const required = ["batch_id", "serial"] as const;
        const values = readFields(cardFields, row, found, { required, partial: known });
        if (!known && !row["code"])
          addFault(
            found,
            "code",
            phrase`is required of a new card; an export has codes with --secrets alone`,
          );
        return values;
      },
    },
    { has: (id) => find.get(id) !== null },
    faults,
  );
}

/** Cards that are there already: they keep their state, and differing ones are reported. */
export function keptCards({ $client }: Db, rows: readonly CardRow[]): Kept[] {
  const find = $client.query<StoredRow, [number]>(`SELECT ${states.join(", ")} FROM cards WHERE id = ?`);
  return rows.flatMap(({ id, known, values }): Kept[] => {
    const stored = known ? find.get(id) : null;
    if (!stored) return [];
    const moved = states.filter((name) => values[name] !== undefined && values[name] !== stored[name]);
    if (moved.length === 0) return [];
    const text = (name: (typeof states)[number], value: StoredRow[string] | undefined) =>
      value === null || value === undefined ? null : String(viewValue(cardStateFields[name], value));
    const fields = moved.map((name) => [
      name,
      { file: text(name, values[name]), store: text(name, stored[name]) },
    ]);
    return [{ section: "cards", id, name: cardNumber(id), fields: Object.fromEntries(fields) }];
  });
}

/** Seals new cards with this appliance's keys; known ones stay. */
export function stageCards(
  staging: Staging,
  rows: readonly CardRow[],
  findBatch: (id: number) => BatchOfCards | undefined,
) {
  const staged = new StagedRows(staging, "cards");
  const moves = new Map<
    string,
    Moved & { readonly at: Seconds; readonly what: keyof Moves; count: number }
  >();
  const { vault } = staging.db;
  const keys = new CodeKeys(vault);
  for (const { id, known, values } of rows) {
    if (known) continue;
    const { code, ...columns } = values;
    for (const [what, at] of listMoves(columns)) {
      const { batch_id: batchId = 0, sold_by: soldBy = null } = columns;
      const key = [batchId, soldBy, localDay(at), what].join(" ");
      const known = moves.get(key) ?? { batchId: batchId ?? 0, soldBy, at, what, count: 0 };
      moves.set(key, known);
      known.count++;
    }
    staged.put(id, undefined, {
      ...columns,
      ends_at: columns.ends_at ?? cardEnd(columns, findBatch(columns.batch_id ?? 0)),
      code_key: keys.of(code ?? ""),
      code_sealed: vault.seal(code ?? ""),
    });
  }
  const write = (tx: Tx) => {
    staged.write(tx);
    for (const { at, what, count, ...whose } of moves.values()) countMoves(tx, whose, at, { [what]: count });
    if (rows.some(({ known }) => !known)) hideCodesInBooks(tx);
  };
  return { rows: staged, write };
}

/** State changes for the daily sums. */
function listMoves(values: Omit<CardValues, "code">): [what: keyof Moves, at: Seconds][] {
  const { sold_at: soldAt, first_used_at: usedAt, voided_at: voidedAt } = values;
  const sold = soldAt ?? usedAt;
  const moves: [keyof Moves, Seconds | null | undefined][] = [
    ["sold", sold],
    ["used", usedAt],
    ["void", voidedAt],
    ["returned", soldAt && !usedAt ? voidedAt : null],
  ];
  return moves.flatMap(([what, at]) => (at ? [[what, at] as const] : []));
}

/** A card in use without an end has its batch's. */
function cardEnd(
  { first_used_at: at }: Omit<CardValues, "code">,
  batch: BatchOfCards | undefined,
): Card["endsAt"] {
  return at && batch?.kind === "access" ? endOfCard(batch, at) : null;
}
