import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { checkWebhooks } from "../../../../src/domain/machine/check/webhooks.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { bookAttempt, type Came } from "../../../../src/domain/around/webhooks/book.ts";
import { createEndpoint, setEndpointEnabled } from "../../../../src/domain/around/webhooks/endpoints.ts";
import { planDeliveries } from "../../../../src/domain/around/webhooks/plan.ts";
import { by } from "../../../support/isp.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const DAY = 86_400;
const url = "https://receiver.example/hook?key=never-tell-1";

async function hooked() {
  const store = await office();
  const { db } = store;
  createEndpoint(db, by, { isp_id: 1, url, types: "*" }, { now: NOW });
  takePayment(db, boss, { subscriberId: 1, amount: 100, method: "cash" }, { now: NOW });
  planDeliveries(db, by, { now: NOW });
  return store;
}

const answer = (db: Db, came: Omit<Came, "milliseconds">, now = NOW) =>
  bookAttempt(db, { id: 1, endpointId: 1, url }, { milliseconds: 5, ...came }, { now, random: 0 });
const messages = (db: Db, now: number) => checkWebhooks(db, now).map(({ message }) => message);

test("a webhook that answered 410 is a finding until it is on again; one that staff switched off is none", async () => {
  using store = await hooked();
  const { db } = store;
  answer(db, { status: 410 });
  expect(messages(db, NOW)).toEqual([
    "webhook 1 (receiver.example) is off since 2030-01-15 12:00:00: it answered 410 Gone; switch it on again, or delete it",
  ]);
  setEndpointEnabled(db, by, { id: 1, enabled: true }, { now: NOW });
  expect(messages(db, NOW)).toEqual([]);
  setEndpointEnabled(db, by, { id: 1, enabled: false }, { now: NOW });
  expect(messages(db, NOW)).toEqual([]);
});

test("a webhook that has not taken an event for a day is one, with what came last", async () => {
  using store = await hooked();
  const { db } = store;
  answer(db, { status: 500 });
  expect(messages(db, NOW + DAY - 1)).toEqual([]);
  expect(messages(db, NOW + DAY)).toEqual([
    "webhook 1 (receiver.example) has not taken an event since 2030-01-15 12:00:00: it answers 500; look at what listens there",
  ]);
  answer(db, { error: "receiver.example did not answer in time" }, NOW + DAY);
  expect(messages(db, NOW + DAY)[0]).toContain("did not answer in time");
  answer(db, { status: 204 }, NOW + DAY + 60);
  expect(messages(db, NOW + DAY + 60)).toEqual([]);
});
