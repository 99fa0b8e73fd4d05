import { SQLiteTable, sqliteTable as makeTable } from "drizzle-orm/sqlite-core";

/** A table as drizzle's, made when something of it is first asked for: there are 99 tables, and a thread asks for ten. */
export const sqliteTable = ((...definition: Parameters<typeof makeTable>) =>
  lazily(() => makeTable(...definition))) as typeof makeTable;

function lazily<T extends SQLiteTable>(make: () => T): T {
  let made: T | undefined;
  const table = () => (made ??= make());
  return new Proxy(Object.create(SQLiteTable.prototype) as T, {
    get: (_, key) => Reflect.get(table(), key),
    set: (_, key, value) => Reflect.set(table(), key, value),
    has: (_, key) => Reflect.has(table(), key),
    ownKeys: () => Reflect.ownKeys(table()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(table(), key),
  });
}
