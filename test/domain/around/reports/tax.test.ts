import { expect, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { voidInvoice } from "../../../../src/domain/desk/void/void.ts";
import { reportSales } from "../../../../src/domain/around/reports/money.ts";
import { reportTax } from "../../../../src/domain/around/reports/tax.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { credit } from "../../../../src/domain/money/billing/credit.ts";
import { by, DAY } from "../../../support/isp.ts";
import { NOW, templateStore } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

const tenants = templateStore(fillTenants);
const year = { from: NOW - 20 * DAY, to: NOW + 300 * DAY };
const later = NOW + 40 * DAY;

function taxed(db: Db, percent: number, now: number): void {
  changeSetting(db, by, { key: "tax_name", value: "VAT", ispId: 1 }, { now });
  changeSetting(db, by, { key: "tax_percent", value: percent, ispId: 1 }, { now });
}

const columns = ["month", "taxPercent", "invoices", "invoiced", "givenBack", "gross", "net", "tax"] as const;
type Row = Record<(typeof columns)[number], number>;
const rowsOf = (db: Db, range = year): Row[] =>
  reportTax(db, by, range).rows.map(
    (row) => Object.fromEntries(columns.map((name) => [name, row[name]])) as Row, // all of them
  );

test("the tax of a month is that of its invoices by their rate, and a void is a minus of its own month", async () => {
  using store = await tenants();
  const { db } = store;
  db.$client.run("UPDATE packages SET price = 2200, reseller_price = NULL WHERE isp_id = 1");
  credit(db, by, { subscriberId: 1, amount: 100_000 }, { now: NOW });
  taxed(db, 18, NOW);
  const { invoiceId } = activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW });
  taxed(db, 7.5, NOW);
  activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW + DAY });
  write(db, (tx) => voidInvoice(tx, by, { invoiceId, reason: "mistake", endService: false }, { now: later }));
  const none = { invoices: 0, invoiced: 0 };
  expect(rowsOf(db)).toEqual([
    {
      month: 203001,
      taxPercent: 1800,
      invoices: 1,
      invoiced: 2200,
      givenBack: 0,
      gross: 2200,
      net: 1864,
      tax: 336,
    },
    {
      month: 203001,
      taxPercent: 750,
      invoices: 1,
      invoiced: 2200,
      givenBack: 0,
      gross: 2200,
      net: 2047,
      tax: 153,
    },
    { month: 203002, taxPercent: 1800, ...none, givenBack: 2200, gross: -2200, net: -1864, tax: -336 },
  ]);
  const sold = reportSales(db, by, { ...year, by: ["month"] }).rows;
  for (const { month, net } of sold)
    expect(rowsOf(db).reduce((sum, row) => sum + (row.month === month ? row.gross : 0), 0)).toBe(net);
  expect(rowsOf(db, { from: NOW + DAY, to: NOW + DAY })).toHaveLength(1);
});

test("what was credited of an invoice is taken off once, though it becomes void after", async () => {
  using store = await tenants();
  const { db } = store;
  db.$client.run("UPDATE packages SET price = 2200, reseller_price = NULL WHERE id = 1");
  credit(db, by, { subscriberId: 1, amount: 100_000 }, { now: NOW });
  taxed(db, 18, NOW);
  const { invoiceId } = activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW });
  db.$client.run(
    `INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at)
     VALUES (70, 1, 'Small', 1100, 'prepaid', 30, 'day', 0)`,
  );
  const moved = { subscriberId: 1, packageId: 70, creditUnused: true };
  activate(db, by, moved, { now: NOW + 5 * DAY });
  write(db, (tx) => voidInvoice(tx, by, { invoiceId, reason: "mistake", endService: false }, { now: later }));
  const rows = rowsOf(db);
  const back = rows.reduce((sum, { givenBack }) => sum + givenBack, 0);
  expect(back).toBe(2200);
  expect(rows.reduce((sum, { tax }) => sum + tax, 0)).toBe(168); // that of the 11.00 alone
});
