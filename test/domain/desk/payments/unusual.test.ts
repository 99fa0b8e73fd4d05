import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { takePayment, type PaymentInput } from "../../../../src/domain/desk/payments/take.ts";
import { UnusualAmount } from "../../../../src/domain/desk/payments/unusual.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { adjustWallet } from "../../../../src/domain/money/wallets/adjust.ts";
import { booked, boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const DAY = 86_400;
/** As a form asks: of a subscriber whose package costs 22.00. */
const take = (db: Db, more: Partial<PaymentInput> = {}, now = NOW) =>
  takePayment(db, boss, { subscriberId: 1, amount: 2200, method: "cash", sure: null, ...more }, { now });
const ask = (db: Db, more: Partial<PaymentInput>) => {
  try {
    take(db, more);
  } catch (error) {
    if (error instanceof UnusualAmount) return error.usual;
    throw error;
  }
  return null;
};

describe("an amount far above what is usual is asked about once", () => {
  test("above ten times the price of the package, and nothing is booked until somebody is sure of just that amount", async () => {
    using store = await office();
    const { db } = store;
    const before = booked(db);
    expect(ask(db, { amount: 22_000 })).toBeNull();
    expect(ask(db, { amount: 2_000_000_000 })).toEqual({ amount: 22_000, of: "payment" });
    expect(booked(db)).toHaveLength(before.length + 1);
    expect(ask(db, { amount: 2_000_000_000, sure: 200_000_000 })).not.toBeNull();
    expect(ask(db, { amount: 2_000_000_000, sure: 2_000_000_000 })).toBeNull();
  });

  test("of the package that is sold with it", async () => {
    using store = await office();
    const { db } = store;
    db.$client.run("UPDATE packages SET price = 50000 WHERE id = 2");
    expect(ask(db, { amount: 22_001 })).toEqual({ amount: 2200, of: "package" });
    expect(ask(db, { amount: 22_001, packageId: 2, activates: true })).toBeNull();
  });

  test("not of who has paid as much within 90 days, unless that was a mistake and taken back", async () => {
    using store = await office();
    const { db } = store;
    const paid = (subscriberId: number, ago: number) =>
      takePayment(db, boss, { subscriberId, amount: 30_000, method: "cash" }, { now: NOW - ago }).payment.id;
    paid(1, 89 * DAY);
    expect(ask(db, { amount: 26_400 })).toBeNull();
    paid(2, 91 * DAY);
    expect(ask(db, { subscriberId: 2, amount: 26_400 })).toEqual({ amount: 2200, of: "package" });
    reversePayment(db, boss, { paymentId: paid(2, 300), reason: "too many zeros" }, { now: NOW - 200 });
    expect(ask(db, { subscriberId: 2, amount: 26_400 })).not.toBeNull();
  });

  test("not of what is owed, with the next period", async () => {
    using store = await office();
    const { db } = store;
    adjustWallet(db, boss, { subscriberId: 1, amount: -100_000, reason: "a mast" }, { now: NOW });
    expect(ask(db, { amount: 102_201 })).toEqual({ amount: 2200, of: "package" });
    expect(ask(db, { amount: 102_200 })).toBeNull();
  });

  test("of the wallet of a Reseller beside the dearest package, until it was topped up once", async () => {
    using store = await office();
    const { db } = store;
    const dearest = Math.max(
      ...db.$client
        .query<{ price: number }, []>("SELECT price FROM packages WHERE isp_id = 1 AND status = 1")
        .all()
        .map(({ price }) => price),
    );
    const topUp = { subscriberId: null, staffId: 2, amount: dearest * 10 + 1 };
    expect(ask(db, topUp)).toEqual({ amount: dearest, of: "dearest" });
    expect(ask(db, { ...topUp, sure: topUp.amount })).toBeNull();
    expect(ask(db, { ...topUp, amount: topUp.amount * 10 })).toBeNull();
  });

  test("never where the ISP wants it so, and never of programs", async () => {
    using store = await office();
    const { db } = store;
    expect(ask(db, { amount: 2_000_000, sure: undefined })).toBeNull();
    changeSetting(db, boss, { key: "unusual_payment_times", value: "0", ispId: 1 }, { now: NOW });
    expect(ask(db, { amount: 2_000_000_000 })).toBeNull();
  });
});
