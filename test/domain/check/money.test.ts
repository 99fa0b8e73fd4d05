import { expect, test } from "bun:test";
import type { Database } from "bun:sqlite";
import type { Db } from "../../../db/open.ts";
import { activate } from "../../../src/domain/activation/activate.ts";
import { credit } from "../../../src/domain/billing/credit.ts";
import { checkMoney } from "../../../src/domain/check/money.ts";
import { aPackage, by, loadIsp, newSubscriber } from "../../support/isp.ts";
import { NOW, templateStore } from "../../support/store.ts";

/**
 * Subscriber 1 was sold invoice 1, prepaid, with a commission of 4.00; subscriber 2 the postpaid invoices 2 and 3, of which 5.00
 * and 20.00 are open.
 */
const books = templateStore(async (db) => {
  const seller = { salesperson_id: 2 };
  await loadIsp(db, {
    packages: [
      aPackage(2, { price: "20.00", reseller_price: "15.00", billing_type: "postpaid" }),
      aPackage(3, { price: "22.00", reseller_price: "18.00" }),
    ],
    subscribers: [newSubscriber(1, seller), newSubscriber(2, { ...seller, balance: "15.00" })],
  });
  const sell = (subscriberId: number, packageId: number, now: number) =>
    activate(db, by, { subscriberId, packageId }, { now });
  sell(1, 3, NOW);
  sell(2, 2, NOW);
  sell(2, 2, NOW + 200);
  credit(db, by, { subscriberId: 1, amount: 100 }, { now: NOW + 300 });
});

const errors = (db: Db) =>
  checkMoney(db).flatMap(({ severity, subject, message }) =>
    severity === "error" ? [`${subject}: ${message}`] : [],
  );

test("sound books have nothing to report", async () => {
  using store = await books();
  expect(errors(store.db)).toEqual([]);
});

const unlocked = "DROP TRIGGER ledger_entries_no_update; DROP TRIGGER ledger_entries_no_delete; ";
const faults: [name: string, damage: string, found: string][] = [
  [
    "a balance that is not the sum of its entries",
    `${unlocked} UPDATE ledger_entries SET balance_after = balance_after + 1 WHERE kind = 'adjustment'`,
    "ledger: 1 balances are not the sum",
  ],
  [
    "an entry that is gone",
    `${unlocked} DELETE FROM ledger_entries WHERE kind = 'opening' AND subscriber_id = 1`,
    "ledger: 2 balances are not the sum",
  ],
  [
    "an invoice that was never charged",
    "INSERT INTO invoices (isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at, paid_at) SELECT isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at, created_at FROM invoices WHERE id = 1",
    "invoices: 1 are not charged once and by their amount in the ledger, the first is invoice 4",
  ],
  [
    "an invoice of another amount than was charged",
    "UPDATE invoices SET amount = amount + 1 WHERE id = 1",
    "invoices: 1 are not charged once and by their amount in the ledger, the first is invoice 1",
  ],
  [
    "an invoice of another subscriber than was charged",
    "UPDATE invoices SET subscriber_id = 2 WHERE id = 1",
    "invoices: 1 are not charged once",
  ],
  [
    "an invoice that is charged twice",
    "INSERT INTO ledger_entries (isp_id, subscriber_id, amount, balance_after, kind, invoice_id, created_at) SELECT isp_id, subscriber_id, amount, 5700, kind, invoice_id, created_at FROM ledger_entries WHERE kind = 'activation' AND invoice_id = 1",
    "invoices: 1 are not charged once",
  ],
  [
    "a charge without an invoice",
    "INSERT INTO ledger_entries (isp_id, subscriber_id, amount, balance_after, kind, created_at) VALUES (1, 1, -100, 7800, 'activation', 1)",
    "invoices: 1 activations are charged without one",
  ],
  [
    "too little that is open",
    "UPDATE invoices SET open = open - 1 WHERE id = 2",
    "open invoices: of 1 of 3 invoices another amount is still to pay",
  ],
  [
    "something open of an invoice that the wallet has covered",
    "UPDATE invoices SET open = 1, paid_at = NULL WHERE id = 1",
    "open invoices: of 1 of 3 invoices",
  ],
  [
    "what is open on the wrong invoices",
    "UPDATE invoices SET open = CASE id WHEN 2 THEN 2000 ELSE 500 END WHERE id IN (2, 3)",
    "open invoices: of 2 of 3 invoices",
  ],
  [
    "an open invoice that is marked as paid",
    "UPDATE invoices SET paid_at = 1, commission = 0 WHERE id = 3",
    "open invoices: of 1 of 3 invoices",
  ],
  [
    "a settled invoice that is not",
    "UPDATE invoices SET paid_at = NULL, commission_at_sale = 1 WHERE id = 1",
    "open invoices: of 1 of 3 invoices",
  ],
  [
    "commission for what is not settled",
    "INSERT INTO ledger_entries (isp_id, staff_id, amount, balance_after, kind, invoice_id, created_at) VALUES (1, 2, 500, 900, 'commission', 2, 1)",
    "commissions: of 1 invoices another commission is booked than is due, the first is invoice 2",
  ],
  [
    "commission that was booked twice",
    "INSERT INTO ledger_entries (isp_id, staff_id, amount, balance_after, kind, invoice_id, created_at) VALUES (1, 2, 400, 800, 'commission', 1, 1)",
    "commissions: of 1 invoices another commission is booked than is due, the first is invoice 1",
  ],
  [
    "commission that was not booked",
    "UPDATE invoices SET commission = 500 WHERE id = 1",
    "commissions: of 1 invoices",
  ],
  [
    "commission that another one got than the seller",
    "UPDATE invoices SET seller_id = 1 WHERE id = 1",
    "commissions: of 1 invoices",
  ],
  [
    "commission for no invoice",
    "INSERT INTO ledger_entries (isp_id, staff_id, amount, balance_after, kind, created_at) VALUES (1, 2, 100, 500, 'commission', 1)",
    "commissions: of 1 invoices",
  ],
];
const alone = (client: Database, sql: string) => client.run(`PRAGMA foreign_keys = OFF; ${sql}`);

test.each(faults)("%s is found", async (_name, damage, found) => {
  using store = await books();
  alone(store.db.$client, damage);
  expect(errors(store.db)).toContainEqual(expect.stringContaining(found));
});
