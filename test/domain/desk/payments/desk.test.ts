import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { paymentDesk, referenceUse } from "../../../../src/domain/desk/payments/desk.ts";
import { previewReversal, previewVoid, type Standing } from "../../../../src/domain/desk/payments/preview.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { takePayment, type PaymentInput } from "../../../../src/domain/desk/payments/take.ts";
import { adjustWallet } from "../../../../src/domain/money/wallets/adjust.ts";
import { booked, boss, cashier, office as copyOfOffice, openOf, seller } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const at = { now: NOW };
const later = { now: NOW + 200 };
const one = { subscriberId: 1 };
const take = (db: Db, more: Partial<PaymentInput> = {}, when = at, who = cashier) =>
  takePayment(db, who, { ...one, amount: 2200, method: "cash", ...more }, when);
const owe = (db: Db, amount: number) =>
  adjustWallet(db, boss, { ...one, amount: -amount, reason: "a router" }, at);

describe("what a desk says of a payment is what it does", () => {
  test.each<[string, (db: Db) => unknown, { packageId?: number | null; amount?: number }]>([
    ["a first renewal", () => {}, {}],
    ["with what is owed", (db) => owe(db, 600), {}],
    ["money alone", (db) => owe(db, 600), { packageId: null }],
    ["more than is due", (db) => owe(db, 600), { amount: 5000 }],
    ["a renewal in time", (db) => take(db, { activates: true }, { now: NOW - 200 }), {}],
    [
      "paid later, in part",
      (db) => activate(db, boss, { ...one, packageId: 2 }, { now: NOW - 300 }),
      { packageId: 2, amount: 2500 },
    ],
    [
      "two invoices that are open, of which one",
      (db) => (
        activate(db, boss, { ...one, packageId: 2 }, { now: NOW - 600 }),
        activate(db, boss, { ...one, packageId: 2 }, { now: NOW - 300 })
      ),
      { packageId: null, amount: 2100 },
    ],
  ])("%s", async (_, before, { packageId, amount }) => {
    using store = await office();
    const { db } = store;
    before(db);
    const desk = paymentDesk(db, cashier, { ...one, packageId, amount }, at);
    expect(desk.refusal).toBeNull();
    const seen = { balance: desk.balance, price: desk.sale?.sold.price ?? null };
    const sold = desk.sale?.sold.id;
    const { balance, activation } = take(db, {
      amount: desk.amount,
      activates: sold !== undefined,
      packageId: sold,
      seen,
    });
    expect(balance).toBe(desk.balanceAfter);
    if (activation && !(activation instanceof DomainError))
      expect(activation.expiresAt).toBe(desk.sale?.expiresAt ?? 0);
    const settled = db.$client
      .query<{ id: number }, [number]>("SELECT id FROM invoices WHERE paid_at = ?")
      .all(NOW);
    const own = settled.filter(({ id }) => desk.open.some((invoice) => invoice.id === id));
    expect(desk.settled.map(({ id }) => ({ id }))).toEqual(own);
  });

  test("the amounts that one may choose from", async () => {
    using store = await office();
    const { db } = store;
    const amounts = () => paymentDesk(db, cashier, one, at).amounts.map(({ amount, what }) => [amount, what]);
    expect(amounts()).toEqual([[2200, "package"]]);
    owe(db, 600);
    expect(amounts()).toEqual([
      [2800, "all"],
      [2200, "package"],
      [600, "owed"],
    ]);
    take(db, { amount: 1600 });
    expect(amounts()).toEqual([
      [1200, "all"],
      [2200, "package"],
    ]);
    expect(paymentDesk(db, cashier, { ...one, packageId: null }, at).amounts).toEqual([]);
    take(db, { amount: 1200 });
    expect(amounts()).toEqual([
      [0, "wallet"],
      [2200, "package"],
    ]);
    expect(paymentDesk(db, cashier, one, at)).toMatchObject({ amount: 0, balanceAfter: 0, refusal: null });
  });

  test("too little is refused beforehand, and says what is missing", async () => {
    using store = await office();
    const desk = paymentDesk(store.db, cashier, { ...one, amount: 2000 }, at);
    expect(desk).toMatchObject({ missing: 200, sale: null, refusal: { kind: "refused" } });
  });

  test("without the permission to activate it takes money alone", async () => {
    using store = await office();
    const by = { ...cashier, flags: new Set(["payment_take"]) };
    expect(paymentDesk(store.db, by, one, at)).toMatchObject({ packages: [], sale: null, amounts: [] });
  });

  test("a reseller sees the own wallet, commission included", async () => {
    using store = await office();
    take(store.db, { subscriberId: null, staffId: 2, amount: 1800 }, at, boss);
    expect(paymentDesk(store.db, seller, one, at).own).toEqual({ balance: 1800, after: 0, lowest: -0 });
  });
});

describe("what changed since the form was shown is told, and nothing is taken", () => {
  const seen = { balance: 0, price: 2200 };
  test.each<[string, string, string]>([
    ["the price", "UPDATE packages SET price = 2400 WHERE id = 1", "Home 1 costs 24.00 by now, it was 22.00"],
    ["the wallet", "", "the wallet is at 5.00 by now, it was at 0.00"],
  ])("%s", async (_, sql, words) => {
    using store = await office();
    const { db } = store;
    if (sql === "") take(db, { amount: 500 });
    else db.$client.run(sql);
    const before = booked(db);
    expect(() => take(db, { activates: true, seen })).toThrow(words);
    expect(booked(db)).toEqual(before);
  });
});

test("a reference that was used before is found as it is compared, until that payment is reversed", async () => {
  using store = await office();
  const { db } = store;
  const { payment } = take(db, { method: "mobile", reference: "RK41 7QX9 2M" });
  const use = (reference: string, who = cashier, method = "mobile") =>
    referenceUse(db, who, { ...one, method, reference });
  expect(use("rk41-7qx9-2m")).toMatchObject({ number: payment.number, name: "User 1" });
  expect(use("RK41 7QX9 2M", cashier, "bank")).toBeNull();
  expect(use(" - ")).toBeNull();
  reversePayment(db, cashier, { paymentId: payment.id, reason: "twice" }, at);
  expect(use("RK41 7QX9 2M")).toBeNull();
});

describe("what is said of taking back is what happens, and saying it changes nothing", () => {
  const standing = (one: Standing | DomainError | null) => {
    if (one === null || one instanceof DomainError) return one?.message ?? null;
    return {
      balance: one.balance,
      open: one.open.map(({ open }) => open),
      service: one.service?.packageName,
    };
  };

  test("a payment, with and without what it paid for", async () => {
    using store = await office();
    const { db } = store;
    const { payment } = take(db, { activates: true });
    const before = booked(db);
    const preview = previewReversal(db, cashier, { paymentId: payment.id }, later);
    expect(booked(db)).toEqual(before);
    expect(standing(preview.plain)).toEqual({ balance: -2200, open: [2200], service: "Home 1" });
    expect(standing(preview.withVoid)).toEqual({ balance: 0, open: [], service: undefined });
    const { balance } = reversePayment(db, cashier, { paymentId: payment.id, reason: "twice" }, later);
    expect([balance, openOf(db)]).toEqual([-2200, [2200]]);
    expect(standing(previewReversal(db, cashier, { paymentId: payment.id }, later).plain)).toContain(
      "was reversed on",
    );
  });

  test("who may void nothing is not told of it", async () => {
    using store = await office();
    const { payment } = take(store.db, { activates: true });
    const by = { ...cashier, flags: new Set(["payment_reverse"]) };
    expect(previewReversal(store.db, by, { paymentId: payment.id }, later).withVoid).toBeNull();
  });

  test("an invoice, with and without the end of its service", async () => {
    using store = await office();
    const { db } = store;
    const { activation } = take(db, { activates: true });
    if (!activation || activation instanceof DomainError) throw new Error("nothing was activated");
    const preview = previewVoid(db, boss, { invoiceId: activation.invoiceId }, later);
    expect(standing(preview.plain)).toEqual({ balance: 2200, open: [], service: "Home 1" });
    expect(standing(preview.withEnd)).toEqual({ balance: 2200, open: [], service: undefined });
    expect(openOf(db)).toEqual([0]);
  });
});
