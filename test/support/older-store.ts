import { Database } from "bun:sqlite";
import { migrate } from "../../db/migrate.ts";
import { type Migration, migrations } from "../../db/migrations.ts";

const stores = new Map<number | "now", Uint8Array>();

/** A store in memory after the first `count` migrations, without this program's triggers; copied for equal counts. */
export const storeAfter = (count: number): Database =>
  copied(count, () => migrated(migrations.slice(0, count)));

/** One in memory as this program makes it, copied too: all migrations take a third of a second of a core. */
export const storeOfNow = (): Database => copied("now", () => migrated(migrations));

function copied(of: number | "now", make: () => Uint8Array): Database {
  const bytes = stores.get(of) ?? make();
  stores.set(of, bytes);
  const client = Database.deserialize(bytes, { strict: true });
  client.run("PRAGMA foreign_keys = ON"); // as migrate leaves it
  return client;
}

function migrated(list: readonly Migration[]): Uint8Array {
  using client = new Database(":memory:", { strict: true });
  migrate(client, { list, now: 1 });
  return client.serialize();
}
