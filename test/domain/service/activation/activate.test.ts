import { describe, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import type { Db } from "../../../../db/open.ts";
import {
  auditEntries,
  invoices,
  ledgerEntries,
  packages,
  services,
  staff,
  subscribers,
} from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { credit } from "../../../../src/domain/money/billing/credit.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { subscriberRecord } from "../../../../src/domain/goods/subscribers/record.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { formatTime, parseTime } from "../../../../src/domain/core/time/time.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const subscriberMoney = (db: Db, id: number) =>
  db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.subscriberId, id))
    .orderBy(asc(ledgerEntries.id))
    .all();

function refusal(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("expected a refusal");
}

test("first activation charges the price, writes the service and says until when", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [newSubscriber(1)] });
  const { db } = store;
  const result = activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW });
  expect(result).toEqual({
    subscriberId: 1,
    packageId: 1,
    credited: 0,
    remark: undefined,
    charged: 1500,
    expiresAt: parseTime("2030-02-15 12:00:00") ?? 0,
    invoiceId: 1,
  });
  expect(readBalance(db, { subscriberId: 1 })).toBe(8500);
  expect(
    subscriberMoney(db, 1).map(({ kind, amount, balanceAfter }) => [kind, amount, balanceAfter]),
  ).toEqual([
    ["opening", 10_000, 10_000],
    ["activation", -1500, 8500],
  ]);
  const [invoice] = db.select().from(invoices).all();
  expect(invoice).toMatchObject({
    amount: 1500,
    periodStart: NOW,
    periodEnd: result.expiresAt,
    paidAt: NOW,
    currency: "USD",
  });
  const service = db.select().from(services).get();
  expect(service).toMatchObject({
    packageId: 1,
    expiresAt: result.expiresAt,
    activatedAt: NOW,
    rateLimit: "10M/20M",
    quotaUsed: 0,
  });
  expect(db.vault.openText(service?.passwordSealed ?? Buffer.alloc(0))).toBe("pw-1");
  expect(
    db
      .select()
      .from(auditEntries)
      .all()
      .map(({ action }) => action),
  ).toContain("subscriber.activate");
  expect(subscriberRecord(db, by, 1, { now: NOW })).toMatchObject({
    profile_status: "active",
    balance: 8500,
    current_expiration_date: parseTime("2030-02-15 12:00:00"),
  });
});

test("renewal of an unexpired subscriber continues from the current expiration", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1)] });
  const { expiresAt } = activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now: NOW });
  expect(formatTime(expiresAt)).toBe("2030-02-25 12:00:00");
  const [invoice] = store.db.select().from(invoices).all();
  expect(invoice).toMatchObject({ periodStart: NOW + 10 * DAY, periodEnd: expiresAt });
});

test("an expired subscriber, or one that changes its package, counts from now", async () => {
  using store = temporaryStore();
  const expired = { current_expiration_date: formatTime(NOW - DAY) };
  await loadIsp(store.db, {
    packages: [aPackage(2, { duration: 3, duration_unit: "day" })],
    subscribers: [aSubscriber(1, expired), aSubscriber(2)],
  });
  expect(formatTime(activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now: NOW }).expiresAt)).toBe(
    "2030-02-15 12:00:00",
  );
  expect(activate(store.db, by, { subscriberId: 2, packageId: 2 }, { now: NOW }).expiresAt).toBe(
    NOW + 3 * DAY,
  );
});

test("a changed package of the profile is no renewal of the service's", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { packages: [aPackage(2)], subscribers: [aSubscriber(1)] });
  store.db.update(subscribers).set({ packageId: 2 }).run();
  expect(formatTime(activate(store.db, by, { subscriberId: 1, packageId: 2 }, { now: NOW }).expiresAt)).toBe(
    "2030-02-15 12:00:00",
  );
});

test("a month is clipped to its last day", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [newSubscriber(1)] });
  const now = parseTime("2030-01-31 23:30:00") ?? 0;
  expect(formatTime(activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now }).expiresAt)).toBe(
    "2030-02-28 23:30:00",
  );
});

describe("refusals, in their order, leave nothing behind", () => {
  const cases: [name: string, row: object, change: (db: Db) => void, code: string, words: string][] = [
    ["an unknown package", {}, (db) => db.update(packages).set({ ispId: 2 }).run(), "not_found", "package"],
    [
      "a disabled subscriber",
      { status: 0, connection_type_id: 3 },
      () => {},
      "refused",
      "subscriber is disabled",
    ],
    [
      "a disabled package",
      { connection_type_id: 3 },
      (db) => db.update(packages).set({ status: 0 }).run(),
      "refused",
      "package",
    ],
    [
      "connection type 3",
      { connection_type_id: 3, salesperson_id: null },
      () => {},
      "refused",
      "connection type 3",
    ],
    ["connection type 5", { connection_type_id: 5 }, () => {}, "refused", "connection type 5"],
    ["no reseller", { salesperson_id: null, balance: "0.00" }, () => {}, "refused", "no reseller"],
    [
      "a disabled reseller",
      { salesperson_id: 2 },
      (db) => db.update(staff).set({ status: 0 }).where(eq(staff.id, 2)).run(),
      "refused",
      "reseller",
    ],
    [
      "a reseller that became plain staff",
      { salesperson_id: 2 },
      (db) => db.update(staff).set({ profileType: 2 }).where(eq(staff.id, 2)).run(),
      "refused",
      "reseller",
    ],
    [
      "an activation less than two minutes ago",
      { balance: "0.00" },
      (db) =>
        db
          .update(services)
          .set({ activatedAt: NOW - 119 })
          .run(),
      "too_soon",
      "119 s ago",
    ],
    ["too little money", { balance: "14.99" }, () => {}, "refused", "insufficient balance"],
  ];
  test.each(cases)("%s", async (_name, row, change, code, words) => {
    using store = temporaryStore();
    const { db } = store;
    await loadIsp(db, { subscribers: [aSubscriber(1, { ...row })] });
    change(db);
    const before = [
      db.select().from(services).all(),
      subscriberMoney(db, 1),
      db.select().from(subscribers).all(),
      db.select().from(auditEntries).all(),
    ];
    const error = refusal(() => activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW }));
    expect(error.kind).toBe(code as typeof error.kind);
    expect(error.message).toContain(words);
    expect([
      db.select().from(services).all(),
      subscriberMoney(db, 1),
      db.select().from(subscribers).all(),
      db.select().from(auditEntries).all(),
    ]).toEqual(before);
    expect(db.select().from(invoices).all()).toEqual([]);
  });

  test("a subscriber out of scope does not exist", async () => {
    using store = temporaryStore();
    await loadIsp(store.db, { subscribers: [aSubscriber(1)] });
    for (const scope of [
      { ...everything, ispId: 2 },
      { ...everything, branchId: 11 },
      { ...everything, salespersonId: 2 },
    ]) {
      expect(
        refusal(() => activate(store.db, { ...by, scope }, { subscriberId: 1, packageId: 1 }, { now: NOW }))
          .kind,
      ).toBe("not_found");
    }
  });
});

test("the pause is two minutes, also after the clock was set back", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [newSubscriber(1)] });
  activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now: NOW });
  const error = refusal(() => activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now: NOW + 20 }));
  expect([error.kind, error.retryAfter]).toEqual(["too_soon", 100]);
  activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now: NOW - DAY });
  activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now: NOW - DAY + 120 });
});

test("twenty activations at one moment: one succeeds, nineteen are too soon, money moves once", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [newSubscriber(1)] });
  const outcomes: string[] = Array.from({ length: 20 }, () => {
    try {
      activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now: NOW });
      return "activated";
    } catch (error) {
      return error instanceof DomainError ? error.kind : "bug";
    }
  });
  expect(outcomes.toSorted()).toEqual(["activated", ...Array.from({ length: 19 }, () => "too_soon")]);
  expect(readBalance(store.db, { subscriberId: 1 })).toBe(8500);
});

test("postpaid goes below zero, its invoice is unpaid, and credits settle the oldest first", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, {
    packages: [aPackage(2, { billing_type: "postpaid", price: "30.00" })],
    subscribers: [newSubscriber(1, { balance: "0.00" })],
  });
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW + 120 });
  const paid = () =>
    db
      .select()
      .from(invoices)
      .orderBy(invoices.id)
      .all()
      .map(({ paidAt }) => paidAt !== null);
  expect(readBalance(db, { subscriberId: 1 })).toBe(-6000);
  expect(paid()).toEqual([false, false]);
  credit(db, by, { subscriberId: 1, amount: 1000 }, { now: NOW });
  expect(paid()).toEqual([false, false]);
  credit(db, by, { subscriberId: 1, amount: 2000 }, { now: NOW });
  expect(paid()).toEqual([true, false]);
  expect(credit(db, by, { subscriberId: 1, amount: 3100 }, { now: NOW })).toBe(100);
  expect(paid()).toEqual([true, true]);
});

test("the difference to the reseller's price goes to the reseller's wallet", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, {
    packages: [aPackage(2, { reseller_price: "11.50" })],
    subscribers: [newSubscriber(1, { salesperson_id: 2 }), newSubscriber(2)],
  });
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  activate(db, by, { subscriberId: 2, packageId: 2 }, { now: NOW });
  expect(readBalance(db, { staffId: 2 })).toBe(350);
  expect(readBalance(db, { staffId: 1 })).toBe(0);
});

test("the ledger cannot be changed afterwards", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [newSubscriber(1)] });
  expect(() => store.db.update(ledgerEntries).set({ amount: 1 }).run()).toThrow("append-only");
  expect(() => store.db.delete(ledgerEntries).run()).toThrow("append-only");
});
