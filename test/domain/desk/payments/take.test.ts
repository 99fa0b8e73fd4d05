import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { checkMoney } from "../../../../src/domain/machine/check/money.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { refundPayment } from "../../../../src/domain/desk/payments/refund.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { takePayment, type PaymentInput } from "../../../../src/domain/desk/payments/take.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { adjustWallet } from "../../../../src/domain/money/wallets/adjust.ts";
import { DAY } from "../../../support/isp.ts";
import { booked, boss, cashier, office as copyOfOffice, openOf, seller } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const at = { now: NOW };
const later = { now: NOW + 200 };
const renewal = { activates: true, packageId: 1 } as const;
const take = (db: Db, who: Actor, amount: number, more: Partial<PaymentInput> = {}, when = at) =>
  takePayment(db, who, { subscriberId: 1, amount, method: "cash", ...more }, when);
const topUp = (db: Db, amount: number) => take(db, boss, amount, { subscriberId: null, staffId: 2 });
const wrong = (db: Db) => checkMoney(db).filter(({ severity }) => severity !== "ok");
const serviceOf = (db: Db, id: number) =>
  db.$client.query("SELECT package_id AS package FROM services WHERE subscriber_id = ?").get(id);

test("a reseller who holds 18 takes 22 and renews: its commission comes with it", async () => {
  using store = await office();
  const { db } = store;
  topUp(db, 1800);
  const { balance, activation } = take(db, seller, 2200, renewal);
  expect(activation).toMatchObject({ charged: 2200 });
  expect(booked(db)).toEqual([
    ["staff 2", "payment", 1800],
    ["subscriber 1", "payment", 2200],
    ["staff 2", "transfer", -2200],
    ["subscriber 1", "activation", -2200],
    ["staff 2", "commission", 400],
  ]);
  expect([balance, readBalance(db, { staffId: 2 })]).toEqual([0, 0]);
  expect(wrong(db)).toEqual([]);
});

test("a reseller's wallet may not end below its limit, and then nothing is booked", async () => {
  using store = await office();
  const { db } = store;
  topUp(db, 1799);
  expect(() => take(db, seller, 2200, renewal)).toThrow(
    "your wallet would be at -0.01, and may not fall below 0.00",
  );
  expect(() => take(db, seller, 1800)).toThrow("your wallet would be at -0.01");
  expect(booked(db)).toHaveLength(1);
  db.$client.run("UPDATE staff SET credit_limit = 1 WHERE id = 2");
  take(db, seller, 2200, renewal);
  expect(readBalance(db, { staffId: 2 })).toBe(-1);
});

test("a refused activation keeps nothing, or with keep the payment and why", async () => {
  using store = await office();
  const { db } = store;
  expect(() => take(db, cashier, 2199, renewal)).toThrow("insufficient balance");
  expect(booked(db)).toEqual([]);
  const { activation, balance } = take(db, cashier, 2199, { ...renewal, keeps: true });
  expect(activation).toBeInstanceOf(DomainError);
  expect(activation).toMatchObject({ kind: "refused", message: expect.stringContaining("insufficient") });
  expect(balance).toBe(2199);
  take(db, cashier, 1, renewal);
  const soon = take(db, cashier, 2200, { ...renewal, keeps: true }, { now: NOW + 20 }).activation;
  expect(soon).toMatchObject({ kind: "too_soon", retryAfter: 100 });
  expect(db.$client.query("SELECT number FROM payments ORDER BY id").all()).toEqual([
    { number: "R-2030-000001" },
    { number: "R-2030-000002" },
    { number: "R-2030-000003" },
  ]);
});

test("postpaid 20 and 20, pays 10: 10 and 20 are open", async () => {
  using store = await office();
  const { db } = store;
  for (const when of [at, later]) activate(db, boss, { subscriberId: 1, packageId: 2 }, when);
  take(db, cashier, 1000, {}, later);
  expect(openOf(db)).toEqual([1000, 2000]);
  expect(readBalance(db, { staffId: 2 })).toBe(0);
});

test("postpaid 20; pays 42; prepaid 22 with it; the 42 reversed: -42, 22 and 20 open, both commissions back", async () => {
  using store = await office();
  const { db } = store;
  activate(db, boss, { subscriberId: 1, packageId: 2 }, at);
  const { payment, activation } = take(db, cashier, 4200, renewal, later);
  expect(activation).toMatchObject({ invoiceId: 2 });
  expect([openOf(db), readBalance(db, { staffId: 2 })]).toEqual([[0, 0], 900]);
  const reversed = reversePayment(db, boss, { paymentId: payment.id, reason: "a neighbour's" }, later);
  expect(reversed).toMatchObject({ balance: -4200, payment: { reversedAt: later.now, reversedBy: 1 } });
  expect(openOf(db)).toEqual([2000, 2200]);
  expect(readBalance(db, { staffId: 2 })).toBe(0);
  expect(serviceOf(db, 1)).toEqual({ package: 1 });
  expect(() => reversePayment(db, boss, { paymentId: payment.id, reason: "again" }, later)).toThrow(
    "R-2030-000001 was reversed on",
  );
  expect(wrong(db)).toEqual([]);
});

test("a reversal with void of what is void already says so", async () => {
  using store = await office();
  const { db } = store;
  take(db, cashier, 2200, renewal);
  voidSoldInvoice(db, boss, { invoiceId: 1, reason: "twice", endService: false }, at);
  const reverse = (voids: boolean) =>
    reversePayment(db, boss, { paymentId: 1, reason: "twice", voids }, later).balance;
  expect(() => reverse(true)).toThrow("the invoice I-2030-000001 is void already; leave void out");
  expect(reverse(false)).toBe(0);
});

test("a reversal takes back both legs; with void the invoice that came with it too, and its service", async () => {
  using store = await office();
  const { db } = store;
  topUp(db, 1800);
  const { payment } = take(db, seller, 2200, renewal);
  expect(payment).toMatchObject({ resellerId: 2, invoiceNumber: "I-2030-000001" });
  reversePayment(db, boss, { paymentId: payment.id, reason: "not paid", voids: true }, later);
  expect(booked(db).slice(5)).toEqual([
    ["subscriber 1", "void", 2200],
    ["staff 2", "commission", -400],
    ["subscriber 1", "reversal", -2200],
    ["staff 2", "reversal", 2200],
  ]);
  expect([readBalance(db, { subscriberId: 1 }), readBalance(db, { staffId: 2 })]).toEqual([0, 1800]);
  expect(serviceOf(db, 1)).toBeNull();
  expect(wrong(db)).toEqual([]);
});

test("a reseller reverses what it took itself, and nothing that staff took from its subscribers", async () => {
  using store = await office();
  const { db } = store;
  topUp(db, 1800);
  const ofStaff = take(db, cashier, 2200).payment;
  const own = take(db, seller, 1000).payment;
  const reverse = (paymentId: number) => reversePayment(db, seller, { paymentId, reason: "mistake" }, at);
  expect(() => reverse(ofStaff.id)).toThrow(
    "R-2030-000002 was taken by staff of the ISP, and a reseller reverses what it took itself; ask them",
  );
  reverse(own.id);
  expect([readBalance(db, { subscriberId: 1 }), readBalance(db, { staffId: 2 })]).toEqual([2200, 1800]);
});

test("a reseller corrects no wallet, for what it gave a subscriber it could hand back to itself", async () => {
  using store = await office();
  const by = { ...seller, flags: new Set([...seller.flags, "wallet_adjust"]) };
  const adjust = () => adjustWallet(store.db, by, { subscriberId: 1, amount: 1000, reason: "gift" }, at);
  expect(adjust).toThrow("a reseller corrects no wallet; ask staff of the ISP");
  expect(booked(store.db)).toEqual([]);
});

test("what a correction does to a reseller's wallet is not held against its limit", async () => {
  using store = await office();
  const { db } = store;
  const { payment } = take(db, cashier, 2200, renewal);
  adjustWallet(db, boss, { staffId: 2, amount: -400, reason: "advance" }, at);
  reversePayment(db, boss, { paymentId: payment.id, reason: "not paid" }, later);
  expect(readBalance(db, { staffId: 2 })).toBe(-400);
});

test.each([
  ["full-width letters and digits", "ＴＸ１２ａｂ"],
  ["a minus sign", "TX\u221212ab"],
  ["a hyphen bullet", "TX\u204312ab"],
  ["a soft hyphen", "TX\u00ad12ab"],
  ["a blank of no width", "TX\u200b12ab"],
])("the same reference written with %s is the same", async (_, reference) => {
  using store = await office();
  const { db } = store;
  take(db, cashier, 100, { method: "bank", reference: "TX-12 ab" });
  expect(() => take(db, cashier, 100, { method: "bank", reference })).toThrow("was taken already");
});

test("a reference is known without case, blanks and dashes, in its ISP and method, until it is reversed", async () => {
  using store = await office();
  const { db } = store;
  const bank = { method: "bank", reference: "TX-12 ab" };
  const { payment } = take(db, cashier, 100, { ...bank, subscriberId: 2 });
  const again = { method: "bank", reference: "tx12–AB" };
  expect(() => take(db, cashier, 100, again)).toThrow(
    "the reference tx12–AB was taken already: receipt R-2030-000001 of User 2; look at that one first",
  );
  // the reseller does not see subscriber 2
  expect(() => take(db, seller, 100, again)).toThrow(
    "the reference tx12–AB was taken already: receipt R-2030-000001; look at that one first",
  );
  take(db, cashier, 100, { ...again, method: "mobile" });
  take(db, { ...boss, scope: { ...boss.scope, ispId: 2 } }, 100, { ...again, subscriberId: 9 });
  reversePayment(db, boss, { paymentId: payment.id, reason: "bounced" }, at);
  take(db, cashier, 100, again);
  expect(() => take(db, cashier, 100, { ...bank, reference: " - " })).toThrow("must have letters or digits");
  expect(() => take(db, cashier, 100, { method: "barter" })).toThrow("method must be one of cash, bank,");
});

test("a top-up and a payout are for staff with wallet_adjust, of nobody's own wallet and of no Reseller's doing", async () => {
  using store = await office();
  const { db } = store;
  const rex = { subscriberId: null, staffId: 2 };
  take(db, cashier, 500, rex);
  const refused = (who: Actor, named: Partial<PaymentInput>) => {
    try {
      take(db, who, 500, named);
    } catch (error) {
      return error instanceof DomainError ? [error.kind, error.message] : error;
    }
    return "taken";
  };
  const clerk = { ...cashier, flags: new Set(["payment_take"]) };
  expect(refused(clerk, rex)).toEqual(["forbidden", expect.stringContaining("wallet_adjust")]);
  const allowed = new Set(["payment_take", "wallet_adjust"]);
  expect(refused({ ...seller, flags: allowed }, rex)).toEqual([
    "forbidden",
    expect.stringContaining("staff of the ISP"),
  ]);
  expect(refused(boss, { ...rex, staffId: 1 })).toEqual(["forbidden", expect.stringContaining("own wallet")]);
  expect(refused(boss, { ...rex, staffId: 3 })).toEqual(["refused", expect.stringContaining("no Reseller")]);
  expect(refused(boss, { ...rex, staffId: 99 })).toEqual(["not_found", "there is no staff account 99"]);
  expect(refused(boss, { ...rex, subscriberId: 1 })).toEqual([
    "invalid",
    expect.stringContaining("name one wallet"),
  ]);
  expect(refused(boss, { ...rex, activates: true })).toEqual([
    "invalid",
    expect.stringContaining("only a subscriber"),
  ]);
  refundPayment(db, boss, { staffId: 2, amount: 500, method: "bank" }, at);
  expect(readBalance(db, { staffId: 2 })).toBe(0);
});

test("money is handed back from a wallet that holds it; a reseller gets what it hands back", async () => {
  using store = await office();
  const { db } = store;
  take(db, cashier, 1000);
  const back = (who: Actor, amount: number) =>
    refundPayment(db, who, { subscriberId: 1, amount, method: "cash", note: "moved" }, at);
  expect(() => back(cashier, 1001)).toThrow(
    "the wallet of User 1 holds 10.00; hand back at most what it holds",
  );
  expect(back(cashier, 400)).toMatchObject({
    balance: 600,
    payment: { number: "R-2030-000002", kind: "refund" },
  });
  back(seller, 600);
  expect(booked(db)).toEqual([
    ["subscriber 1", "payment", 1000],
    ["subscriber 1", "refund", -400],
    ["subscriber 1", "refund", -600],
    ["staff 2", "transfer", 600],
  ]);
  expect(() => reversePayment(db, boss, { paymentId: 2, reason: "no" }, at)).toThrow("is a refund");
  expect(wrong(db)).toEqual([]);
});

test("after the days of the setting a payment is not reversed", async () => {
  using store = await office();
  const { db } = store;
  take(db, cashier, 1000);
  const reverse = (now: number) => reversePayment(db, boss, { paymentId: 1, reason: "late" }, { now });
  expect(() => reverse(NOW + 7 * DAY + 1)).toThrow("R-2030-000001 is older than 7 days");
  expect(() => reversePayment(db, boss, { paymentId: 1, reason: "x", voids: true }, at)).toThrow(
    "nothing was activated with R-2030-000001",
  );
  expect(reverse(NOW + 7 * DAY)).toMatchObject({ balance: 0, payment: { reversalReason: "late" } });
});
