import { expect, test } from "bun:test";
import { bookColumns, bookKey } from "../../db/book-keys.ts";
import { bookTables } from "../../db/book-tables.ts";
import { temporaryStore } from "../support/store.ts";

test("keys and columns of the books are those of the store", () => {
  using store = temporaryStore();
  const info = store.db.$client.query<{ name: string; type: string; pk: number }, [string]>(
    "SELECT name, type, pk FROM pragma_table_info(?)",
  );
  for (const { name: table } of bookTables) {
    const columns = info.all(table);
    const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
    expect(bookKey(table)).toEqual(
      key.map(({ name, type }) => ({ name, isBytes: type.toLowerCase() === "blob" })),
    );
    expect(bookKey(table)).not.toBeEmpty();
    expect(bookColumns(table).toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
  }
  expect(() => bookKey("nothing")).toThrow("the schema has no table nothing");
});
