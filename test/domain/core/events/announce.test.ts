import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { FormatRegistry } from "@sinclair/typebox";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { createCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { eventTypes, isEventType } from "../../../../src/domain/core/events/types.ts";
import { refundPayment } from "../../../../src/domain/desk/payments/refund.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { setSubscriberStatus } from "../../../../src/domain/goods/subscribers/status.ts";
import { archiveOne } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import { setPlant } from "../../../../src/domain/goods/subscribers/plant.ts";
import { write } from "../../../../db/open.ts";
import { by } from "../../../support/isp.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

FormatRegistry.Set("date-time", (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value));

interface Announced {
  type: string;
  isp_id: number | null;
  subscriber_id: number | null;
  seq: number | null;
  at: number;
  data: Record<string, unknown>;
}

function announcedIn({ $client }: Db): Announced[] {
  return $client
    .query<Omit<Announced, "data"> & { data: string }, []>(
      "SELECT type, isp_id, subscriber_id, seq, at, data FROM events ORDER BY id",
    )
    .all()
    .map((row) => Object.assign(row, { data: JSON.parse(row.data) as Record<string, unknown> }));
}

const world = { now: NOW };
const pay = (db: Db, amount: number, subscriberId = 1) =>
  takePayment(db, boss, { subscriberId, amount, method: "cash" }, world);

/** What is done, and the types that are told of it. */
const cases: [string, (db: Db) => unknown, string[]][] = [
  ["a payment", (db) => pay(db, 500), ["payment.received"]],
  [
    "an activation that the wallet pays",
    (db) => {
      pay(db, 2200);
      activate(db, by, { subscriberId: 1, packageId: 1 }, world);
    },
    ["payment.received", "invoice.issued", "invoice.paid", "subscriber.activated"],
  ],
  [
    "one on credit, paid later",
    (db) => {
      activate(db, by, { subscriberId: 1, packageId: 2 }, world);
      pay(db, 2000);
    },
    ["invoice.issued", "subscriber.activated", "invoice.paid", "payment.received"],
  ],
  [
    "an invoice that is made void",
    (db) => {
      activate(db, by, { subscriberId: 1, packageId: 2 }, world);
      voidSoldInvoice(db, by, { invoiceId: 1, reason: "x", endService: false }, world);
    },
    ["invoice.issued", "subscriber.activated", "invoice.void"],
  ],
  [
    "a payment taken back, and one handed back",
    (db) => {
      pay(db, 500);
      reversePayment(db, by, { paymentId: 1, reason: "x" }, world);
      pay(db, 700);
      refundPayment(db, by, { subscriberId: 1, amount: 200, method: "cash", note: "x" }, world);
    },
    ["payment.received", "payment.reversed", "payment.received", "payment.refunded"],
  ],
  [
    "time given",
    (db) => {
      activate(db, by, { subscriberId: 1, packageId: 2 }, world);
      extend(db, by, { subscriberId: 1, hours: 5, reason: "x", trust: false }, world);
    },
    ["invoice.issued", "subscriber.activated", "subscriber.extended"],
  ],
  [
    "disabled, enabled, changed, archived",
    (db) => {
      setSubscriberStatus(db, by, { subscriberId: 1, enabled: false }, world);
      setSubscriberStatus(db, by, { subscriberId: 1, enabled: true }, world);
      setPlant(db, by, { subscriberId: 1, plant: { box_number: "B-7" } }, world);
      write(db, (tx) => archiveOne(tx, by, { subscriberId: 1 }, world));
    },
    ["subscriber.disabled", "subscriber.enabled", "subscriber.updated", "subscriber.archived"],
  ],
  [
    "cards",
    (db) => createCardBatch(db, boss, { kind: "refill", quantity: 2, price: "5.00" }, world),
    ["card.batch_made"],
  ],
  [
    "a wallet that falls below what is low",
    (db) => {
      changeSetting(db, by, { key: "low_balance", value: "5.00", ispId: 1 }, world);
      pay(db, 2300);
      activate(db, by, { subscriberId: 1, packageId: 1 }, world);
    },
    ["payment.received", "invoice.issued", "balance.low", "invoice.paid", "subscriber.activated"],
  ],
];

describe("others hear of", () => {
  test.each(cases)("%s", async (_, run, types) => {
    using store = await office();
    const { db } = store;
    db.$client.run("DELETE FROM events");
    run(db);
    const events = announcedIn(db);
    expect(events.map(({ type }) => type)).toEqual(types);
    for (const { type, data } of events) {
      if (!isEventType(type)) throw new Error(`${type} is no type`);
      expect([...Value.Errors(eventTypes[type].data, data)]).toEqual([]);
    }
    const counted = events.filter(({ subscriber_id }) => subscriber_id !== null);
    expect(counted.map(({ seq }) => seq)).toEqual(counted.map((_one, nth) => nth + 1));
  });
});

test("an event says how its subscriber stands after it", async () => {
  using store = await office();
  const { db } = store;
  pay(db, 2200);
  activate(db, by, { subscriberId: 1, packageId: 1 }, world);
  const last = announcedIn(db).at(-1);
  expect(last).toMatchObject({
    type: "subscriber.activated",
    isp_id: 1,
    subscriber_id: 1,
    at: NOW,
    data: {
      charged: 22,
      subscriber: {
        id: 1,
        username: "user1",
        balance: 0,
        currency: "USD",
        expiration: "2030-02-15T12:00:00Z",
      },
    },
  });
});

test("what is undone told nothing", async () => {
  using store = await office();
  const { db } = store;
  const before = announcedIn(db).length;
  expect(() =>
    write(db, (tx) => {
      pay(tx, 500);
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(announcedIn(db).length).toBe(before);
});

test("what an import brings is told to nobody", async () => {
  using store = await office();
  expect(announcedIn(store.db)).toEqual([]);
});
