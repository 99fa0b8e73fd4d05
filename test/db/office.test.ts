import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrate } from "../../db/migrate.ts";
import { migrations } from "../../db/migrations.ts";
import { storeAfter } from "../support/older-store.ts";

const at = migrations.findIndex(({ tag }) => tag.endsWith("office"));

/** UTC seconds of a time. */
const utc = (time: string) => Date.parse(`${time}Z`) / 1000;

/** A store as the version before left it: two ISPs, a reseller, and books of two years, the last of them around New Year. */
function oldStore(before = at): Database {
  const client = storeAfter(before);
  client.run(`
    INSERT INTO isps VALUES (1, 'Northlink'), (2, 'Southlink');
    INSERT INTO branches (id, isp_id, name) VALUES (11, 1, 'Centre');
    INSERT INTO areas (id, isp_id, name) VALUES (5, 1, 'East');
    INSERT INTO staff (id, isp_id, branch_id, name, username, username_key, password_hash, profile_type, created_at, updated_at)
      VALUES (1, 1, NULL, 'Ada', 'ada', 'ada', 'x', 1, 1, 1), (2, 1, 11, 'Rex', 'rex', 'rex', 'x', 3, 1, 1);
    INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at)
      VALUES (1, 1, 'Home', 100, 'postpaid', 1, 'month', 1), (2, 2, 'South', 100, 'prepaid', 1, 'month', 1);
    INSERT INTO subscribers (id, isp_id, branch_id, area_id, name, username, username_key, password_sealed, package_id, connection_type_id, salesperson_id, nic_number, mobile_number, created_at, updated_at)
      VALUES (1, 1, 11, 5, 'Sam', 'sam', 'sam', x'00', 1, 1, 2, 'N', '+1 (20) 33-44', 1, 1), (2, 1, NULL, NULL, 'Zoë', 'zoe', 'zoe', x'00', 1, 1, NULL, 'N2', 'M2', 1, 1),
             (3, 2, NULL, NULL, 'Kim', 'kim', 'kim', x'00', 2, 1, NULL, 'N3', 'M3', 1, 1)`);
  return client;
}

const invoice = (
  client: Database,
  [id, isp, subscriber, created, paid]: [number, number, number, number, number | null],
) =>
  client
    .query(
      `INSERT INTO invoices (id, isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at, paid_at, open, seller_id)
       VALUES (?1, ?2, ?3, ?2, 'P', 100, 'USD', ?4, ?4 + 2678400, ?4, ?5, iif(?5 IS NULL, 100, 0), iif(?3 = 1, 2, NULL))`,
    )
    .run(id, isp, subscriber, created, paid);

function entry(
  client: Database,
  {
    subscriber = null,
    staff = null,
    amount,
    balance,
    kind,
    invoiceId = null,
    time,
  }: {
    subscriber?: number | null;
    staff?: number | null;
    amount: number;
    balance: number;
    kind: string;
    invoiceId?: number | null;
    time: number;
  },
): void {
  client
    .query(
      `INSERT INTO ledger_entries (isp_id, subscriber_id, staff_id, amount, balance_after, kind, invoice_id, acting_staff_id, created_at)
       VALUES (iif(? = 3, 2, 1), ?, ?, ?, ?, ?, ?, 1, ?)`,
    )
    .run(subscriber, subscriber, staff, amount, balance, kind, invoiceId, time);
}

const NEW_YEAR = utc("2029-12-31T20:00:00"); // in Karachi, five hours ahead, it is 2030

/** Sam owes the newest of three invoices and half of an old debt; Kim of the other ISP owes nothing. */
function fillBooks(client: Database): void {
  invoice(client, [3, 1, 1, utc("2028-03-01T00:00:00"), 5]);
  invoice(client, [7, 2, 3, utc("2028-04-01T00:00:00"), 5]);
  invoice(client, [8, 1, 1, NEW_YEAR - 86_400, 5]);
  invoice(client, [9, 1, 1, NEW_YEAR, null]);
  invoice(client, [10, 1, 2, utc("2029-06-01T00:00:00"), 5]); // a clock that was set back
  const sam = { subscriber: 1 };
  entry(client, { ...sam, amount: 50, balance: 50, kind: "opening", time: utc("2028-02-01T00:00:00") });
  entry(client, {
    ...sam,
    amount: -100,
    balance: -50,
    kind: "activation",
    invoiceId: 3,
    time: utc("2028-03-01T00:00:00"),
  });
  entry(client, {
    subscriber: 3,
    amount: -100,
    balance: 0,
    kind: "activation",
    invoiceId: 7,
    time: utc("2028-04-01T00:00:00"),
  });
  entry(client, { ...sam, amount: 150, balance: 100, kind: "credit", time: NEW_YEAR - 90_000 });
  entry(client, {
    ...sam,
    amount: -100,
    balance: 0,
    kind: "activation",
    invoiceId: 8,
    time: NEW_YEAR - 86_400,
  });
  entry(client, { ...sam, amount: -100, balance: -100, kind: "activation", invoiceId: 9, time: NEW_YEAR });
  entry(client, { staff: 2, amount: 30, balance: 30, kind: "commission", invoiceId: 9, time: NEW_YEAR });
  entry(client, { subscriber: 2, amount: -70, balance: -70, kind: "opening", time: NEW_YEAR });
}

/** What a query answers of a store with these books, migrated where the server's clock is in a zone. */
function migrated(zone: string, fill = fillBooks): Database {
  const was = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    const client = oldStore();
    fill(client);
    migrate(client, { now: 2 });
    return client;
  } finally {
    if (was === undefined) delete process.env["TZ"];
    else process.env["TZ"] = was;
  }
}

test.each([
  [
    "UTC",
    ["I-2028-000001", "I-2028-000001", "I-2029-000001", "I-2029-000002", "I-2029-000003"],
    2029,
    3,
    20291231,
  ],
  [
    "Asia/Karachi",
    ["I-2028-000001", "I-2028-000001", "I-2029-000001", "I-2030-000001", "I-2030-000002"],
    2030,
    2,
    20300101,
  ],
])(
  "invoices are numbered by ISP and year of server time, which never goes back: %s",
  (zone, numbers, year, last, day) => {
    const client = migrated(zone);
    expect(client.query("SELECT number FROM invoices ORDER BY id").values().flat()).toEqual(numbers);
    expect(
      client.query("SELECT isp_id, series, year, letter, last FROM counters ORDER BY isp_id").values(),
    ).toEqual([
      [1, "I", year, "", last],
      [2, "I", 2028, "", 1],
    ]);
    expect(
      client.query("SELECT DISTINCT day FROM ledger_entries WHERE created_at = ?").values(NEW_YEAR),
    ).toEqual([[day]]);
  },
);

test("entries and invoices have the places of their invoice or account, and each stays what it was", () => {
  const before = oldStore();
  fillBooks(before);
  const client = migrated("UTC");
  for (const table of ["invoices", "ledger_entries"]) {
    const columns = before
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table);
    const all = `SELECT ${columns.map(({ name }) => name).join(", ")} FROM ${table} ORDER BY id`;
    expect(client.query(all).values()).toEqual(before.query(all).values());
  }
  const places = "branch_id, area_id, package_id, seller_id";
  expect(client.query(`SELECT id, ${places} FROM ledger_entries ORDER BY id`).values()).toEqual([
    [1, 11, 5, 1, 2],
    [2, 11, 5, 1, 2],
    [3, null, null, 2, null],
    [4, 11, 5, 1, 2],
    [5, 11, 5, 1, 2],
    [6, 11, 5, 1, 2],
    [7, 11, 5, 1, 2],
    [8, null, null, 1, null],
  ]);
  expect(
    client.query("SELECT id, branch_id, area_id FROM invoices WHERE subscriber_id = 1").values(),
  ).toEqual([
    [3, 11, 5],
    [8, 11, 5],
    [9, 11, 5],
  ]);
  expect(client.query("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(
    client
      .query(
        "INSERT INTO ledger_entries (subscriber_id, amount, balance_after, kind, created_at) VALUES (1, 0, -100, 'adjustment', 1) RETURNING id",
      )
      .values(),
  ).toEqual([[9]]);
});

test("sums are those of the ledger, wallets its newest balances, and go on with the next entry", () => {
  const client = migrated("Asia/Karachi");
  const same = () => {
    const dims =
      "coalesce(branch_id, 0), coalesce(area_id, 0), coalesce(package_id, 0), coalesce(seller_id, 0), coalesce(acting_staff_id, 0), iif(subscriber_id IS NULL, 'staff', 'subscriber'), kind";
    for (const [table, column, period] of [
      ["ledger_days", "day", "day"],
      ["ledger_months", "month", "day / 100"],
    ])
      expect(
        client
          .query(
            `SELECT ${column}, isp_id, branch_id, area_id, package_id, seller_id, staff_id, account, kind, entries, amount FROM ${table} ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
          )
          .values(),
      ).toEqual(
        client
          .query(
            `SELECT ${period}, isp_id, ${dims}, count(*), sum(amount) FROM ledger_entries GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
          )
          .values(),
      );
    expect(client.query("SELECT * FROM wallets ORDER BY 1").values()).toEqual(
      client
        .query(
          "SELECT subscriber_id, balance_after FROM ledger_entries WHERE id IN (SELECT max(id) FROM ledger_entries WHERE subscriber_id IS NOT NULL GROUP BY subscriber_id) ORDER BY 1",
        )
        .values(),
    );
  };
  same();
  client.run(
    "INSERT INTO ledger_entries (isp_id, subscriber_id, amount, balance_after, kind, created_at, day) VALUES (1, 1, 40, -60, 'adjustment', 1, 20300102)",
  );
  same();
});

test("debts without an invoice are written down, invoices know what follows them, and search finds them all", () => {
  const client = migrated("UTC");
  expect(client.query("SELECT * FROM open_charges").values()).toEqual([[2, 8, 70]]);
  expect(client.query("SELECT id, followed_at FROM invoices ORDER BY id").values()).toEqual([
    [3, NEW_YEAR - 86_400],
    [7, null],
    [8, NEW_YEAR],
    [9, null],
    [10, null],
  ]);
  const find = (words: string) =>
    client.query("SELECT rowid FROM subscriber_search WHERE subscriber_search MATCH ?").values(words).flat();
  expect([find('"203344"'), find('"zoe"'), find('"kim"')]).toEqual([[1], [2], [3]]);
  const flags = new Set(client.query("SELECT name FROM permission_flags").values().flat());
  for (const flag of ["payment_take", "report_view", "closing_manage", "subscriber_plant"])
    expect(flags).toContain(flag);
});

test.each(migrations.slice(1, at + 1).map(({ tag }, index) => [tag, index + 1] as const))(
  "a store of before %s migrates to the present",
  (_tag, before) => {
    const client = before < 7 ? storeAfter(before) : oldStore(before);
    client.run(
      "INSERT OR IGNORE INTO isps VALUES (1, 'Northlink'); INSERT OR IGNORE INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at) VALUES (1, 1, 'P', 1, 'prepaid', 1, 'day', 1); INSERT OR IGNORE INTO subscribers (id, isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, nic_number, mobile_number, created_at, updated_at) VALUES (1, 1, 'Sam', 'sam', 'sam', x'00', 1, 1, 'N', 'M', 1, 1)",
    );
    client.run(
      "INSERT INTO invoices (isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at) VALUES (1, 1, 1, 'P', 30, 'USD', 1, 2, 1)",
    );
    client.run(
      "INSERT INTO ledger_entries (isp_id, subscriber_id, amount, balance_after, kind, invoice_id, created_at) VALUES (1, 1, -30, -30, 'activation', 1, 1)",
    );
    migrate(client, { now: 2 });
    expect(client.query("SELECT number, amount FROM invoices").values()).toEqual([["I-1970-000001", 30]]);
    expect(client.query("SELECT amount, entries, package_id FROM ledger_days").values()).toEqual([
      [-30, 1, 1],
    ]);
    const balance = client.query("SELECT balance FROM wallets WHERE subscriber_id = 1").values();
    expect(balance).toEqual([[-30]]);
    expect(client.query("PRAGMA foreign_key_check").all()).toEqual([]);
  },
);
