import { expect, test } from "bun:test";
import { packageSales } from "../../../../src/domain/around/reports/sales.ts";
import { aPackage, aSubscriber, DAY, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { boss, cashier } from "../../../support/office.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

test("who is served counts, whoever looks; what it earned is for who sees reports", async () => {
  using store = temporaryStore();
  const { db } = store;
  const expired = { current_expiration_date: "2030-01-01 00:00:00" };
  await loadIsp(db, {
    packages: [aPackage(2, { price: "20.00" })],
    subscribers: [
      ...[1, 2, 3, 4].map((id) => aSubscriber(id, { branch_id: 11 })),
      aSubscriber(5, expired),
      newSubscriber(6, { package_id: 2 }),
    ],
  });
  db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 2");
  db.$client.run(`UPDATE subscribers SET status = 0, archived_at = ${NOW} WHERE id = 3`);
  db.$client.run(`UPDATE services SET frozen_at = ${NOW} WHERE subscriber_id = 4`);
  const input = { amount: 2000, method: "cash", activates: true };
  takePayment(db, boss, { ...input, subscriberId: 6 }, { now: NOW - 40 * DAY });
  takePayment(db, boss, { ...input, subscriberId: 6 }, { now: NOW });
  const sales = [
    { packageId: 1, active: 1, thisMonth: 0, lastMonth: 0 },
    { packageId: 2, active: 1, thisMonth: 2000, lastMonth: 2000 },
  ];
  const text = (by: typeof boss) =>
    packageSales(db, by, { now: NOW }).sort((a, b) => a.packageId - b.packageId);
  expect(text(boss)).toEqual(sales);
  const branch = { ...boss, scope: { ...boss.scope, branchId: 11 } };
  expect(text(branch)).toMatchObject([{ packageId: 1, active: 1 }]);
  const viewer = { ...cashier, flags: new Set(["package_view"]) };
  expect(text(viewer)).toMatchObject([{ thisMonth: null }, { active: 1, lastMonth: null }]);
});
