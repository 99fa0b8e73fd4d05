import { expect, test } from "bun:test";
import type { Database } from "bun:sqlite";
import type { Db } from "../../../../db/open.ts";
import { write } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { credit } from "../../../../src/domain/money/billing/credit.ts";
import { voidInvoice } from "../../../../src/domain/desk/void/void.ts";
import { refundPayment } from "../../../../src/domain/desk/payments/refund.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { adjustWallet } from "../../../../src/domain/money/wallets/adjust.ts";
import { checkMoney } from "../../../../src/domain/machine/check/money.ts";
import { aPackage, by, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { seller } from "../../../support/office.ts";
import { NOW, templateStore } from "../../../support/store.ts";

/**
 * Subscriber 1 was sold invoice 1, prepaid, with a commission of 4.00; subscriber 2 the postpaid invoices 2 and 3, of which 5.00
 * and 20.00 are open. Subscriber 3 has payment 1, which the Reseller took and which is reversed, payment 2, refund 3, the
 * invoice 4, which is void, and owes 3.00 without an invoice. Nothing was ever booked for subscriber 4.
 */
const books = templateStore(async (db) => {
  const sold = { salesperson_id: 2 };
  await loadIsp(db, {
    packages: [
      aPackage(2, { price: "20.00", reseller_price: "15.00", billing_type: "postpaid" }),
      aPackage(3, { price: "22.00", reseller_price: "18.00" }),
    ],
    subscribers: [
      newSubscriber(1, sold),
      newSubscriber(2, { ...sold, balance: "15.00" }),
      newSubscriber(3, { ...sold, balance: "0.00" }),
      newSubscriber(4, { balance: "0.00" }),
    ],
  });
  const sell = (subscriberId: number, packageId: number, now: number) =>
    activate(db, by, { subscriberId, packageId }, { now });
  sell(1, 3, NOW);
  sell(2, 2, NOW);
  sell(2, 2, NOW + 200);
  credit(db, by, { subscriberId: 1, amount: 100 }, { now: NOW + 300 });
  const later = { now: NOW + 400 };
  const cash = { method: "cash" };
  adjustWallet(db, by, { staffId: 2, amount: 500, reason: "advance" }, later);
  takePayment(db, seller, { ...cash, subscriberId: 3, amount: 500 }, later);
  reversePayment(db, by, { paymentId: 1, reason: "twice" }, later);
  takePayment(db, by, { ...cash, subscriberId: 3, amount: 2300 }, later);
  refundPayment(db, by, { ...cash, subscriberId: 3, amount: 100 }, later);
  sell(3, 3, NOW + 400);
  write(db, (tx) => voidInvoice(tx, by, { invoiceId: 4, reason: "slip", endService: false }, later));
  adjustWallet(db, by, { subscriberId: 3, amount: -2500, reason: "slip" }, later);
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
    `${unlocked} UPDATE ledger_entries SET balance_after = balance_after + 1 WHERE kind = 'adjustment' AND subscriber_id = 1`,
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
    "invoices: 1 are not charged once and by their amount in the ledger, the first is invoice 5",
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
    "open invoices: of 1 of 4 invoices another amount is still to pay",
  ],
  [
    "something open of an invoice that the wallet has covered",
    "UPDATE invoices SET open = 1, paid_at = NULL WHERE id = 1",
    "open invoices: of 1 of 4 invoices",
  ],
  [
    "what is open on the wrong invoices",
    "UPDATE invoices SET open = CASE id WHEN 2 THEN 2000 ELSE 500 END WHERE id IN (2, 3)",
    "open invoices: of 2 of 4 invoices",
  ],
  [
    "an open invoice that is marked as paid",
    "UPDATE invoices SET paid_at = 1, commission = 0 WHERE id = 3",
    "open invoices: of 1 of 4 invoices",
  ],
  [
    "a settled invoice that is not",
    "UPDATE invoices SET paid_at = NULL, commission_at_sale = 1 WHERE id = 1",
    "open invoices: of 1 of 4 invoices",
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
    "a debt without an invoice that is forgotten",
    "DELETE FROM open_charges",
    "open invoices: what is owed without an invoice is kept wrongly in 1 rows, the first of subscriber 3",
  ],
  [
    "a debt without an invoice that is paid",
    "INSERT INTO open_charges VALUES (1, 0, 100)",
    "open invoices: what is owed without an invoice is kept wrongly in 1 rows, the first of subscriber 1",
  ],
  [
    "an invoice that was credited without an entry",
    "UPDATE invoices SET credited = 100 WHERE id = 1",
    "credits: 1 invoices gave back something else than they say, the first is invoice 1",
  ],
  [
    "commission of what was credited",
    "UPDATE invoices SET credited = 1100 WHERE id = 1",
    "commissions: of 1 invoices another commission is booked than is due, the first is invoice 1",
  ],
  [
    "a void invoice that gave nothing back",
    "UPDATE invoices SET voided_at = 1 WHERE id = 1",
    "credits: 1 invoices gave back something else than they say, the first is invoice 1",
  ],
  [
    "a void entry of an invoice that stands",
    "UPDATE invoices SET voided_at = NULL WHERE id = 4",
    "credits: 1 invoices gave back something else",
  ],
  [
    "a credit note without its entry",
    "INSERT INTO credit_notes (isp_id, number, invoice_id, entry_id, amount, tax, created_at) VALUES (1, 'I-2030-000005', 1, 1, 100, 0, 1)",
    "credits: 1 invoices gave back something else than they say, the first is invoice 1",
  ],
  [
    "a payment of another amount than was booked",
    "UPDATE payments SET amount = amount + 1 WHERE id = 2",
    "payments: 1 are booked otherwise in the ledger than they say, the first is payment 2",
  ],
  [
    "a refund that is booked as a payment",
    "UPDATE payments SET kind = 'payment' WHERE id = 3",
    "payments: 1 are booked otherwise in the ledger than they say, the first is payment 3",
  ],
  [
    "a payment of another wallet than was booked",
    "UPDATE payments SET subscriber_id = 1 WHERE id = 2",
    "payments: 1 are booked otherwise",
  ],
  [
    "a reseller's payment without its other side",
    "UPDATE payments SET reseller_id = NULL WHERE id = 1",
    "payments: 1 are booked otherwise in the ledger than they say, the first is payment 1",
  ],
  [
    "a payment that stands and was taken back",
    "UPDATE payments SET reversed_at = NULL WHERE id = 1",
    "payments: 1 are booked otherwise",
  ],
  [
    "a payment that is reversed and was not taken back",
    "UPDATE payments SET reversed_at = 1 WHERE id = 2",
    "payments: 1 are booked otherwise",
  ],
  [
    "an entry of a payment that there is not",
    "INSERT INTO ledger_entries (isp_id, subscriber_id, amount, balance_after, kind, created_at) VALUES (1, 1, 100, 8000, 'payment', 1)",
    "payments: 1 are booked otherwise in the ledger than they say, the first is payment of no number",
  ],
  [
    "a gap in the numbers of receipts",
    "UPDATE payments SET number = 'R-2030-000009' WHERE id = 3",
    "numbers: 1 series of invoices and receipts have a gap or a number twice, the first is R-2030",
  ],
  [
    "a number that is given out twice",
    "INSERT INTO credit_notes (isp_id, number, invoice_id, entry_id, amount, tax, created_at) VALUES (1, 'I-2030-000004', 1, 1, 100, 0, 1)",
    "numbers: 1 series of invoices and receipts have a gap or a number twice, the first is I-2030",
  ],
  ["a counter that is behind", "UPDATE counters SET last = last - 1 WHERE series = 'I'", "numbers: 1 series"],
  ["a paper that is gone", "DELETE FROM payments", "numbers: 1 series"],
  ["a paper without a number", "UPDATE invoices SET number = NULL WHERE id = 4", "numbers: 2 series"],
  [
    "a wallet that holds something else than the ledger says",
    "UPDATE wallets SET balance = balance + 1 WHERE subscriber_id = 2",
    "wallets: 2 hold something else than the ledger says, the first of subscriber 2",
  ],
  [
    "a sum of a day that is not that of its entries",
    "UPDATE ledger_days SET amount = amount + 1 WHERE kind = 'refund'",
    "sums: ",
  ],
  [
    "a sum of a month that is not that of its days",
    "DELETE FROM ledger_months WHERE kind = 'refund'",
    "sums: 1 sums of reports are not those of the ledger, the first of 203001",
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
