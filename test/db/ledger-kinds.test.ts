import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrate } from "../../db/migrate.ts";
import { migrations } from "../../db/migrations.ts";
import { entryKinds } from "../../db/schema.ts";

/** Those that were there when the ledger had four kinds. */
const before = migrations.slice(0, 2);

/** A store as 0001 left it, with `entries` of the wallets of one subscriber and one staff account. */
function oldStore(entries: number): Database {
  const client = new Database(":memory:", { strict: true });
  migrate(client, { list: before, now: 1 });
  client.run(`
    INSERT INTO isps VALUES (1, 'Northlink');
    INSERT INTO staff (id, isp_id, name, username, username_key, password_hash, profile_type, created_at, updated_at)
      VALUES (1, 1, 'Ada', 'ada', 'ada', 'x', 1, 1, 1);
    INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at)
      VALUES (1, 1, 'Home', 100, 'prepaid', 1, 'month', 1);
    INSERT INTO subscribers (id, isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, nic_number, mobile_number, created_at, updated_at)
      VALUES (1, 1, 'Sam', 'sam', 'sam', x'00', 1, 1, 'N', 'M', 1, 1);
    INSERT INTO invoices (id, isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at)
      VALUES (1, 1, 1, 1, 'Home', 100, 'USD', 1, 2, 1);
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${entries})
      INSERT INTO ledger_entries (id, isp_id, subscriber_id, staff_id, amount, balance_after, kind, invoice_id, acting_staff_id, created_at)
      SELECT n * 3, 1, iif(n % 2, 1, NULL), iif(n % 2, NULL, 1), 5, n * 5,
             CASE n % 4 WHEN 0 THEN 'opening' WHEN 1 THEN 'credit' WHEN 2 THEN 'activation' ELSE 'commission' END,
             iif(n % 5, NULL, 1), iif(n % 7, NULL, 1), n FROM numbers`);
  return client;
}

const described = (client: Database) =>
  client
    .query(
      "SELECT type, name FROM sqlite_schema WHERE tbl_name = 'ledger_entries' AND type <> 'table' ORDER BY type, name",
    )
    .values();

test("50,000 entries keep their ids and everything in them, and take seconds, not hours", () => {
  const client = oldStore(50_000);
  const columns =
    "id, isp_id, subscriber_id, staff_id, amount, balance_after, kind, invoice_id, acting_staff_id, created_at";
  const hash = () => {
    const hasher = new Bun.CryptoHasher("sha1");
    for (const row of client.query(`SELECT ${columns} FROM ledger_entries ORDER BY id`).iterate())
      hasher.update(JSON.stringify(row));
    return hasher.digest("hex");
  };
  const was = hash();
  const schema = described(client);
  const started = performance.now();
  migrate(client, { now: 1 });
  expect(performance.now() - started).toBeLessThan(120_000); // half a second; what is done for each entry again takes many minutes
  expect(hash()).toBe(was);
  expect(client.query("SELECT count(*) FROM ledger_entries WHERE actor IS NOT NULL").values()).toEqual([[0]]);
  expect(described(client)).toEqual(expect.arrayContaining(schema));
  expect(client.query("PRAGMA foreign_key_check").all()).toEqual([]);
});

test("the ledger takes every kind of the office and no other, goes on with its ids and stays append-only", () => {
  const client = oldStore(4);
  migrate(client, { now: 1 });
  const add = client.prepare(
    "INSERT INTO ledger_entries (subscriber_id, amount, balance_after, kind, created_at) VALUES (1, 0, 0, ?, 1) RETURNING id",
  );
  expect(entryKinds.map((kind) => add.values(kind))).toEqual(entryKinds.map((_, index) => [[13 + index]]));
  expect(() => add.values("gift")).toThrow("CHECK constraint failed: ledger_entries_kind");
  expect(() => client.run("UPDATE ledger_entries SET amount = 1")).toThrow("append-only");
  expect(() => client.run("DELETE FROM ledger_entries")).toThrow("append-only");
});
