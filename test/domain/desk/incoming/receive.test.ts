import { createHash } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { array, assert, asyncProperty, constantFrom, record } from "fast-check";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { assignIncoming, dismissIncoming } from "../../../../src/domain/desk/incoming/assign.ts";
import { listIncoming } from "../../../../src/domain/desk/incoming/list.ts";
import {
  type OnOther,
  receivePayment,
  type PaymentNotice,
} from "../../../../src/domain/desk/incoming/receive.ts";
import { makeReference } from "../../../../src/domain/desk/incoming/reference.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { by, DAY } from "../../../support/isp.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";
import { runs } from "../../../support/runs.ts";

const office = undoneStores(copyOfOffice);

type Changes = Partial<PaymentNotice> & { body?: string };

const notice = ({ body = "body", ...changes }: Changes = {}): PaymentNotice => ({
  ispId: 1,
  sourceId: null,
  provider: "till",
  externalId: "T-1",
  amount: 2200,
  currency: "USD",
  paidAt: NOW - 5,
  method: "online",
  named: { by: "any", text: "user1" },
  payer: "Ada",
  bodyHash: createHash("sha256").update(body).digest(),
  raw: body,
  ...changes,
});
const receive = (db: Db, changes?: Changes, onOther: OnOther = "keep", now = NOW) =>
  receivePayment(db, boss, notice(changes), { now, onOther });
const wallet = (db: Db, subscriberId = 1) => readBalance(db, { subscriberId });
const types = ({ $client }: Db) =>
  $client
    .query<{ type: string }, []>("SELECT type FROM events ORDER BY id")
    .all()
    .map(({ type }) => type);
const expiry = ({ $client }: Db) =>
  $client.query<{ at: number }, []>("SELECT expires_at AS at FROM services WHERE subscriber_id = 1").get()
    ?.at;
const newest = { before: Number.MAX_SAFE_INTEGER, limit: 10 };
const open = (db: Db) => listIncoming(db, boss, { view: "open" }, newest);

async function activated(packageId = 1) {
  const store = await office();
  takePayment(store.db, boss, { subscriberId: 1, amount: 2200, method: "cash" }, { now: NOW });
  activate(store.db, by, { subscriberId: 1, packageId }, { now: NOW });
  return store;
}

describe("it is booked for", () => {
  test.each([
    ["a username", { by: "username", text: "USER1" }],
    ["an id", { by: "user_id", text: "1" }],
    ["a reference", { by: "reference", text: makeReference(1) }],
    ["a text that is a reference", { by: "any", text: ` ${makeReference(1)} ` }],
    ["a text that is a username", { by: "any", text: "user1" }],
  ] as const)("%s", async (_, named) => {
    using store = await office();
    const { db } = store;
    expect(receive(db, { named })).toMatchObject({ state: "booked", subscriberId: 1, isRepeat: false });
    expect(wallet(db)).toBe(2200);
    expect(types(db)).toEqual(["payment.received"]);
    expect(open(db)).toEqual([]);
  });

  test("an invoice, which it settles", async () => {
    using store = await activated(2);
    const { db } = store;
    db.$client.run("UPDATE services SET expires_at = expires_at + 1");
    const { number } = db.$client.query<{ number: string }, []>("SELECT number FROM invoices").get() ?? {
      number: "",
    };
    receive(db, { named: { by: "invoice", text: number } });
    expect(wallet(db)).toBe(2400);
  });
});

describe("it waits for staff", () => {
  test.each<[string, Changes, RegExp]>([
    ["of nobody who is known", { named: { by: "any", text: "nobody" } }, /nobody here is nobody/],
    ["of a reference with a slip", { named: { by: "reference", text: "5725" } }, /nobody here is 5725/],
    ["that does not say whose", { named: { by: "nothing", text: null } }, /does not say whose/],
    ["of another ISP's", { named: { by: "any", text: "user9" } }, /nobody here/],
    ["in another currency", { currency: "EUR" }, /in EUR, and the books are in USD/],
    ["by a way that is none", { method: "shells" }, /method must be one of/],
  ])("%s", async (_, changes, reason) => {
    using store = await office();
    const { db } = store;
    const arrived = receive(db, changes);
    expect(arrived.state).toBe("unmatched");
    expect(arrived.reason).toMatch(reason);
    expect(types(db)).toEqual(["payment.unmatched"]);
    expect(open(db).map(({ id }) => id)).toEqual([arrived.id]);
    expect(receive(db, changes)).toMatchObject({ id: arrived.id, isRepeat: true });
    expect(open(db).length).toBe(1);
    expect(db.$client.query("SELECT 1 FROM payments").all()).toEqual([]);
  });

  test("when somebody took it at the desk already", async () => {
    using store = await office();
    const { db } = store;
    takePayment(db, boss, { subscriberId: 1, amount: 2200, method: "online", reference: "t1" }, { now: NOW });
    expect(receive(db).reason).toMatch(/the reference T-1 was taken already/);
    expect(wallet(db)).toBe(2200);
  });

  test("of somebody who left", async () => {
    using store = await office();
    const { db } = store;
    db.$client.run(`UPDATE subscribers SET archived_at = ${NOW} WHERE id = 1`);
    expect(receive(db).reason).toMatch(/user1 is a subscriber who left/);
  });
});

describe("a text that means two", () => {
  test("a reference of one that is the username of another waits for staff", async () => {
    using store = await office();
    const { db } = store;
    const reference = makeReference(1);
    db.$client.run("UPDATE subscribers SET username = ?1, username_key = ?1 WHERE id = 2", [reference]);
    expect(receive(db, { named: { by: "any", text: reference } }).reason).toMatch(
      /may be the reference of one/,
    );
    expect(wallet(db)).toBe(0);
    expect(receive(db, { externalId: "T-2", named: { by: "reference", text: reference } }).state).toBe(
      "booked",
    );
  });
});

describe("renewal", () => {
  test("a service whose data is used up goes on", async () => {
    using store = await activated();
    const { db } = store;
    db.$client.run("UPDATE services SET quota_total = 10, quota_used = 10, quota_exceeded = 'reject'");
    expect(receive(db, {}, "keep", NOW + DAY).booked?.renewal).toMatchObject({ charged: 2200 });
    db.$client.run("UPDATE services SET quota_total = 10, quota_used = 10, quota_exceeded = 'slow'");
    expect(receive(db, { externalId: "T-2" }, "keep", NOW + 2 * DAY).booked?.renewal).toBeNull();
  });

  test("a service that has ended goes on", async () => {
    using store = await activated();
    const { db } = store;
    const later = NOW + 40 * DAY;
    const { booked } = receive(db, {}, "keep", later);
    expect(booked?.renewal).toMatchObject({ charged: 2200 });
    expect(expiry(db)).toBeGreaterThan(later);
    expect(wallet(db)).toBe(0);
  });

  test("one that runs does not, and one that never began neither", async () => {
    using running = await activated();
    expect(receive(running.db).booked?.renewal).toBeNull();
    expect(wallet(running.db)).toBe(2200);
    expect(receive(running.db, { externalId: "T-2" }).booked?.notRenewed).toMatch(
      /^its service runs until 2/,
    );
    using fresh = await office();
    expect(receive(fresh.db).booked).toMatchObject({
      renewal: null,
      notRenewed: expect.stringContaining("never activated"),
    });
  });

  test("a first payment begins the first service where the ISP wants that, and it reaches", async () => {
    using store = await office();
    const { db } = store;
    changeSetting(db, by, { key: "activate_on_payment", value: true, ispId: 1 }, { now: NOW });
    const little = receive(db, { amount: 100, externalId: "T-0" }).booked;
    expect(little).toMatchObject({ renewal: expect.stringMatching(/insufficient balance/) });
    expect(little?.notRenewed).toMatch(/insufficient balance/);
    expect([wallet(db), expiry(db)]).toEqual([100, undefined]);
    const { booked } = receive(db);
    expect(booked).toMatchObject({ renewal: { charged: 2200 }, notRenewed: null });
    expect(expiry(db)).toBeGreaterThan(NOW);
    expect(wallet(db)).toBe(100);
    const again = receive(db, { externalId: "T-2" }).booked;
    expect(again).toMatchObject({ renewal: null, notRenewed: expect.stringContaining("runs until") });
  });

  test("a first service is begun by what was paid, never by what a postpaid package lends", async () => {
    using store = await office();
    const { db } = store;
    changeSetting(db, by, { key: "activate_on_payment", value: true, ispId: 1 }, { now: NOW });
    db.$client.run("UPDATE packages SET billing_type = 'postpaid'");
    db.$client.run("UPDATE subscribers SET credit_limit = 100000");
    expect(receive(db, { amount: 100, externalId: "T-0" }).booked?.notRenewed).toMatch(
      /insufficient balance/,
    );
    expect(expiry(db)).toBeUndefined();
    expect(receive(db).booked).toMatchObject({ renewal: { charged: 2200 } });
    expect(wallet(db)).toBe(100);
    // which may go on by its limit
    const later = receive(db, { amount: 1, externalId: "T-2" }, "keep", NOW + 40 * DAY).booked;
    expect(later).toMatchObject({ renewal: { charged: 2200 } });
  });

  test("where it does not reach, the money is kept and says why", async () => {
    using store = await activated();
    const { booked, state } = receive(store.db, { amount: 100 }, "keep", NOW + 40 * DAY);
    expect(state).toBe("booked");
    expect(booked?.renewal).toMatch(/insufficient balance/);
    expect(wallet(store.db)).toBe(100);
  });
});

describe("told again", () => {
  test("the same body: the first answer, and nothing is booked", async () => {
    using store = await office();
    const { db } = store;
    const first = receive(db, {}, "refuse");
    expect(receive(db, {}, "refuse")).toMatchObject({ id: first.id, isRepeat: true });
    expect(wallet(db)).toBe(2200);
  });

  test("another body is a fault of a program", async () => {
    using store = await office();
    const { db } = store;
    receive(db, {}, "refuse");
    expect(() => receive(db, { body: "other", amount: 1 }, "refuse")).toThrow(
      "told before with another body",
    );
    expect(wallet(db)).toBe(2200);
  });

  test("two events of a provider for one payment are one payment; another sum is for staff", async () => {
    using store = await office();
    const { db } = store;
    receive(db);
    expect(receive(db, { body: "second event" }).isRepeat).toBe(true);
    const other = receive(db, { body: "third", amount: 9900 });
    expect([other.state, other.isRepeat]).toEqual(["unmatched", false]);
    expect(receive(db, { body: "fourth", amount: 9900 })).toMatchObject({ id: other.id, isRepeat: true });
    expect(wallet(db)).toBe(2200);
    expect(open(db).length).toBe(1);
  });

  test("the same id of another provider or ISP is another payment", async () => {
    using store = await office();
    const { db } = store;
    receive(db);
    expect(receive(db, { provider: "other", method: "bank" }).isRepeat).toBe(false);
    const elsewhere = { ispId: 2, named: { by: "any", text: "user9" } } as const;
    const arrived = receivePayment(db, by, notice(elsewhere), { now: NOW, onOther: "keep" });
    expect(arrived.state).toBe("booked");
  });
});

describe("staff", () => {
  test("assign what waits, once", async () => {
    using store = await office();
    const { db } = store;
    const { id } = receive(db, { named: { by: "any", text: "nobody" } });
    const expected = { id, subscriberId: 1, method: "online" };
    assignIncoming(db, boss, expected, { now: NOW });
    expect(wallet(db)).toBe(2200);
    expect(() => assignIncoming(db, boss, expected, { now: NOW })).toThrow(/was booked as R-/);
    expect(() => dismissIncoming(db, boss, { id, reason: "x" }, { now: NOW })).toThrow(/was booked/);
    expect(open(db)).toEqual([]);
    expect(receive(db, { named: { by: "any", text: "nobody" } }).isRepeat).toBe(true);
  });

  test("dismiss what nobody books, with why in the trail", async () => {
    using store = await office();
    const { db } = store;
    const { id } = receive(db, { currency: "EUR" });
    expect(() => assignIncoming(db, boss, { id, subscriberId: 1, method: "online" }, { now: NOW })).toThrow(
      /in EUR/,
    );
    dismissIncoming(db, boss, { id, reason: "handed back" }, { now: NOW });
    expect(open(db)).toEqual([]);
  });

  test("do not reach another ISP's", async () => {
    using store = await office();
    const { db } = store;
    const elsewhere = { ispId: 2, named: { by: "nothing", text: null } } as const;
    const { id } = receivePayment(db, by, notice(elsewhere), { now: NOW, onOther: "keep" });
    expect(() => assignIncoming(db, boss, { id, subscriberId: 1, method: "online" }, { now: NOW })).toThrow(
      "there is no payment",
    );
    expect(() => assignIncoming(db, by, { id, subscriberId: 1, method: "online" }, { now: NOW })).toThrow(
      "there is no subscriber",
    );
  });
});

test("whatever is told in whatever order and how often, each payment is booked once at most, and all of it is somewhere", async () => {
  const one = record({
    externalId: constantFrom("A", "B", "C"),
    amount: constantFrom(100, 200),
    text: constantFrom("user1", "user3", "nobody"),
    provider: constantFrom("p", "q"),
  });
  await assert(
    asyncProperty(array(one, { maxLength: 25 }), async (notices) => {
      using store = await office();
      const { db } = store;
      for (const { text, ...rest } of notices)
        receive(db, {
          ...rest,
          method: rest.provider === "p" ? "online" : "bank",
          named: { by: "any", text },
        });
      const rows = db.$client
        .query<{ provider: string; externalId: string; amount: number; state: string }, []>(
          "SELECT provider, external_id AS externalId, amount, state FROM incoming_payments",
        )
        .all();
      const key = (row: { provider: string; externalId: string }) => `${row.provider} ${row.externalId}`;
      const booked = rows.filter(({ state }) => state === "booked");
      expect(new Set(booked.map(key)).size).toBe(booked.length);
      const sum = booked.reduce((total, { amount }) => total + amount, 0);
      expect(wallet(db, 1) + wallet(db, 3)).toBe(sum);
      const expected = new Set(notices.map((telling) => `${key(telling)} ${telling.amount}`));
      expect(new Set(rows.map((row) => `${key(row)} ${row.amount}`))).toEqual(expected);
    }),
    runs(8, 25),
  );
});
