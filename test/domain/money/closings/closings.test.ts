import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { closeTill } from "../../../../src/domain/money/closings/close.ts";
import { confirmClosing } from "../../../../src/domain/money/closings/confirm.ts";
import { listClosings } from "../../../../src/domain/money/closings/find.ts";
import { openTill } from "../../../../src/domain/money/closings/till.ts";
import { refundPayment } from "../../../../src/domain/desk/payments/refund.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { by } from "../../../support/isp.ts";
import { boss, cashier, office as copyOfOffice, seller } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const at = { now: NOW };
const take = (db: Db, who: Actor, amount: number, method = "cash") =>
  takePayment(db, who, { subscriberId: 1, amount, method }, at).payment.id;
const reverse = (db: Db, who: Actor, paymentId: number) =>
  reversePayment(db, who, { paymentId, reason: "slip" }, at);
const figure = (db: Db, who: Actor = cashier) => {
  const { taken, returned, expected } = openTill(db, who, {});
  return [taken, returned, expected];
};
const all = { before: Number.MAX_SAFE_INTEGER, limit: 10 };

test("the figure is cash taken, less cash handed back and what was reversed; others are listed", async () => {
  using store = await office();
  const { db } = store;
  take(db, cashier, 1000);
  take(db, cashier, 500, "bank");
  const mistake = take(db, cashier, 300);
  take(db, boss, 9000);
  take(db, by, 700); // the command line has no till
  takePayment(db, cashier, { staffId: 2, amount: 2000, method: "cash" }, at);
  take(db, seller, 100);
  refundPayment(db, cashier, { subscriberId: 1, amount: 200, method: "cash" }, at);
  reverse(db, boss, mistake);
  expect(openTill(db, cashier, {})).toEqual({
    staffId: 3,
    name: "Mia",
    ispId: 1,
    since: null,
    taken: 3300,
    returned: 500,
    expected: 2800,
    lines: [
      { method: "cash", payments: 4, taken: 3300, returned: 500 },
      { method: "bank", payments: 1, taken: 500, returned: 0 },
    ],
  });
  expect(() => openTill(db, cashier, { staffId: 1 })).toThrow("the permission closing_manage is missing");
  expect(openTill(db, boss, { staffId: 3 }).expected).toBe(2800);
  expect(() => openTill(db, boss, { staffId: 2 })).toThrow("Rex is a Reseller and has no till");
});

test("a close has what there was until then; what is reversed afterwards is in the taker's next one", async () => {
  using store = await office();
  const { db } = store;
  const [first] = [take(db, cashier, 1000), take(db, cashier, 500)];
  expect(() => closeTill(db, cashier, { counted: 1500, expected: 1000 }, at)).toThrow(
    "the till should hold 15.00 by now",
  );
  closeTill(db, cashier, { counted: 1450, expected: 1500, note: "a coin is missing" }, at);
  expect(figure(db)).toEqual([0, 0, 0]);
  expect(() => reverse(db, cashier, first)).toThrow("is in your day's close 1; ask somebody else");
  reverse(db, boss, first);
  expect(figure(db)).toEqual([0, 1000, -1000]);
  expect(figure(db, boss)).toEqual([0, 0, 0]);
  take(db, cashier, 1200);
  closeTill(db, cashier, { counted: 200 }, at);
  expect(listClosings(db, cashier, {}, all)).toMatchObject([
    { id: 2, taken: 1200, returned: 1000, expected: 200, counted: 200 },
    { id: 1, taken: 1500, returned: 0, expected: 1500, counted: 1450, note: "a coin is missing" },
  ]);
  expect(figure(db)).toEqual([0, 0, 0]);
});

test("somebody else confirms, unless there is one Admin only", async () => {
  using store = await office();
  const { db } = store;
  closeTill(db, cashier, { counted: 0 }, at);
  closeTill(db, boss, { counted: 0 }, at);
  const manager = { ...cashier, flags: new Set(["closing_own", "closing_manage"]) };
  const confirm = (who: Actor, closingId: number) => confirmClosing(db, who, { closingId }, at);
  expect(() => confirm(manager, 1)).toThrow("somebody else has to confirm your day's close");
  confirm(manager, 2);
  confirm(boss, 1);
  expect(() => confirm(boss, 1)).toThrow("the day's close 1 was confirmed on");
  closeTill(db, boss, { counted: 0 }, at);
  db.$client.run("UPDATE staff SET profile_type = 1 WHERE id = 4");
  expect(() => confirm(boss, 3)).toThrow("somebody else");
  db.$client.run("UPDATE staff SET status = 0 WHERE id = 4");
  confirm(boss, 3);
  expect(listClosings(db, cashier, {}, all)).toMatchObject([{ id: 1, confirmedBy: 1, confirmedName: "Ada" }]);
  expect(listClosings(db, manager, { isConfirmed: true }, all)).toHaveLength(3);
});
