import { expect, test } from "bun:test";
import { getTableName } from "drizzle-orm";
import { areas, branches, cities, isps, packages, subareas } from "../../../../db/schema.ts";
import { columnsReferring } from "../../../../src/domain/core/references/uses.ts";
import { undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

interface Key {
  table: string;
  from: string;
  on_delete: string;
}

test.each([isps, branches, cities, areas, subareas, packages])(
  "what refers to a row is what the store holds it by",
  (table) => {
    using store = temporaryStore();
    const name = getTableName(table);
    const tables = store.db.$client
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all();
    const held = tables.flatMap((one) =>
      store.db.$client
        .query<Key, []>(`PRAGMA foreign_key_list('${one.name}')`)
        .all()
        .filter((key) => key.table === name && key.on_delete === "NO ACTION")
        .map(({ from: column }) => ({ table: one.name, column })),
    );
    const inOrder = (keys: { table: string; column: string }[]) =>
      keys.map(({ table, column }) => `${table}.${column}`).sort();
    expect(held.length).toBeGreaterThan(0);
    expect(inOrder(columnsReferring(table))).toEqual(inOrder(held));
  },
);
