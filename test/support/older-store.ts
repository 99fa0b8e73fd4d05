import { Database } from "bun:sqlite";
import { migrate } from "../../db/migrate.ts";
import { type Migration, migrations } from "../../db/migrations.ts";

const stores = new Map<number, Uint8Array>();

/** A store in memory after the first `count` migrations, without this program's triggers; copied for equal counts. */
export function storeAfter(count: number): Database {
  const bytes = stores.get(count) ?? migrated(migrations.slice(0, count));
  stores.set(count, bytes);
  const client = Database.deserialize(bytes, { strict: true });
  client.run("PRAGMA foreign_keys = ON"); // as migrate leaves it
  return client;
}

function migrated(list: readonly Migration[]): Uint8Array {
  using client = new Database(":memory:", { strict: true });
  migrate(client, { list, now: 1 });
  return client.serialize();
}
