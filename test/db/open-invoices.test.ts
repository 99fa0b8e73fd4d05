import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { migrate } from "../../db/migrate.ts";
import { migrations } from "../../db/migrations.ts";
import { checkMoney } from "../../src/domain/machine/check/money.ts";
import { storeAfter } from "../support/older-store.ts";
import { runs } from "../support/runs.ts";

const before = migrations.findIndex(({ tag }) => tag.endsWith("open_invoices"));

/** A store of the version before, with two subscribers, a reseller and nothing booked yet. */
function olderStore(): Database {
  const client = storeAfter(before);
  client.run(`
    INSERT INTO isps VALUES (1, 'Northlink');
    INSERT INTO staff (id, isp_id, name, username, username_key, password_hash, profile_type, created_at, updated_at)
      VALUES (2, 1, 'Rex', 'rex', 'rex', '', 3, 1, 1);
    INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at)
      VALUES (1, 1, 'Home', 2000, 'postpaid', 1, 'month', 1);
    INSERT INTO subscribers (id, isp_id, name, username, username_key, password_sealed, package_id, connection_type_id,
        nic_number, mobile_number, created_at, updated_at)
      SELECT value, 1, value, value, value, x'00', 1, 1, value, value, 1, 1 FROM json_each('[1, 2]');
  `);
  return client;
}

interface Booked {
  subscriber: number;
  what: "opening" | "credit" | "prepaid" | "postpaid";
  amount: number;
}

/** Books as the version before did: prepaid is paid at once, a credit marks the oldest as paid, commission comes with the sale. */
function bookAsBefore(client: Database, { subscriber, what, amount }: Booked, now: number): void {
  const entry = (
    owner: "subscriber_id" | "staff_id",
    id: number,
    kind: string,
    by: number,
    invoice?: number,
  ) =>
    client
      .query(
        `INSERT INTO ledger_entries (${owner}, amount, balance_after, kind, invoice_id, created_at)
         SELECT ?1, ?2, ?2 + ifnull((SELECT balance_after FROM ledger_entries WHERE ${owner} = ?1 ORDER BY id DESC LIMIT 1), 0), ?3, ?4, ?5`,
      )
      .run(id, by, kind, invoice ?? null, now);
  if (amount === 0 && (what === "opening" || what === "credit")) return;
  if (what === "opening") return void entry("subscriber_id", subscriber, what, amount);
  if (what === "credit") {
    entry("subscriber_id", subscriber, what, Math.abs(amount));
    const unpaid = client
      .query<{ id: number; amount: number }, [number]>(
        "SELECT id, amount FROM invoices WHERE subscriber_id = ? AND paid_at IS NULL ORDER BY id",
      )
      .all(subscriber);
    let left = unpaid.reduce((sum, invoice) => sum + invoice.amount, 0);
    for (const invoice of unpaid) {
      left -= invoice.amount;
      if (left < Math.max(0, -balanceOf(client, subscriber))) return;
      client.query("UPDATE invoices SET paid_at = ? WHERE id = ?").run(now, invoice.id);
    }
    return;
  }
  const price = Math.abs(amount);
  if (what === "prepaid" && balanceOf(client, subscriber) < price) return;
  const { lastInsertRowid } = client
    .query(
      `INSERT INTO invoices (isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at, paid_at)
       VALUES (1, ?, 1, 'Home', ?, 'USD', 1, 2, ?, ?)`,
    )
    .run(subscriber, price, now, what === "prepaid" ? now : null);
  const invoice = Number(lastInsertRowid);
  entry("subscriber_id", subscriber, "activation", -price, invoice);
  if (price > 1000) entry("staff_id", 2, "commission", price - 1000, invoice);
}

function balanceOf(client: Database, subscriber: number): number {
  return (
    client
      .query<{ balance: number }, [number]>(
        "SELECT balance_after AS balance FROM ledger_entries WHERE subscriber_id = ? ORDER BY id DESC LIMIT 1",
      )
      .get(subscriber)?.balance ?? 0
  );
}

/**
 * The invoices as they are now; `covered` is when the money that came in first reached all that was charged up to each. One
 * over nothing is covered as it is.
 */
function booksOf(client: Database, subscriber: number) {
  const entries = client
    .query<{ amount: number; invoice: number | null; at: number }, [number]>(
      "SELECT amount, invoice_id AS invoice, created_at AS at FROM ledger_entries WHERE subscriber_id = ? ORDER BY id",
    )
    .all(subscriber);
  return entries.flatMap(({ amount, invoice }, index) => {
    if (invoice === null) return [];
    const due = entries.slice(0, index + 1).reduce((sum, one) => sum + Math.max(0, -one.amount), 0);
    const covered = entries.findIndex(
      (_, last) =>
        last >= index &&
        (amount === 0 ||
          entries.slice(0, last + 1).reduce((sum, one) => sum + Math.max(0, one.amount), 0) >= due),
    );
    const paid = entries.reduce((sum, one) => sum + Math.max(0, one.amount), 0);
    return [
      {
        id: invoice,
        open: Math.min(Math.max(0, -amount), Math.max(0, due - paid)),
        covered: entries[covered]?.at ?? null,
      },
    ];
  });
}

const booked = fc.record<Booked>({
  subscriber: fc.constantFrom(1, 2),
  what: fc.constantFrom("opening", "credit", "prepaid", "postpaid"),
  amount: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: -3000, max: 3000 }) }, fc.constant(0)),
});

/** An invoice that is owed, a free one, and money for the first. */
const freeOnes: Booked[] = [
  { subscriber: 1, what: "postpaid", amount: 500 },
  { subscriber: 1, what: "postpaid", amount: 0 },
  { subscriber: 1, what: "opening", amount: 500 },
];

test("books of the version before get what is open, settle what the wallet had covered, and keep their commissions", () => {
  fc.assert(
    fc.property(fc.array(booked, { maxLength: 40 }), (steps) => {
      using client = olderStore();
      for (const [index, step] of steps.entries()) bookAsBefore(client, step, 1000 + index);
      type Old = { id: number; paidAt: number | null };
      const paid = client.query<Old, []>("SELECT id, paid_at AS paidAt FROM invoices").all();
      const were = new Map(paid.map(({ id, paidAt }) => [id, paidAt]));
      const entries = client.query(
        "SELECT id, subscriber_id, staff_id, amount, balance_after, kind, invoice_id, created_at FROM ledger_entries ORDER BY id",
      );
      const ledger = entries.all();
      migrate(client, { now: 5000 });
      expect(entries.all()).toEqual(ledger);
      expect(client.query("SELECT id, open, paid_at AS paidAt FROM invoices ORDER BY id").all()).toEqual(
        [1, 2]
          .flatMap((subscriber) => booksOf(client, subscriber))
          .toSorted((a, b) => a.id - b.id)
          .map(({ id, open, covered }) => ({
            id,
            open,
            paidAt: open > 0 ? null : (were.get(id) ?? covered),
          })),
      );
      const errors = checkMoney({ $client: client }).filter(({ severity }) => severity === "error");
      expect(errors).toEqual([]);
    }),
    { ...runs(3, 60), examples: [[freeOnes]] },
  );
});

test("a service of the version before renews by the day and the hour at which it ends", () => {
  using client = olderStore();
  client.run(
    "INSERT INTO services (subscriber_id, package_id, password_sealed, nt_hash_sealed, expires_at) VALUES (1, 1, x'00', x'00', 5)",
  );
  migrate(client, { now: 5000 });
  expect(client.query("SELECT expires_at, anchor_day, anchor_time FROM services").all()).toEqual([
    { expires_at: 5, anchor_day: null, anchor_time: null },
  ]);
});
