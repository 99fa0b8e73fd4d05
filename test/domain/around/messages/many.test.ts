import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { checkSetup } from "../../../../src/domain/machine/check/check.ts";
import { findMark, setMark } from "../../../../src/domain/core/events/marks.ts";
import { tellMoments } from "../../../../src/domain/core/events/moments.ts";
import { countOpenIncoming, listIncoming } from "../../../../src/domain/desk/incoming/list.ts";
import { receivePayment } from "../../../../src/domain/desk/incoming/receive.ts";
import { bookMessage, recoverMessages } from "../../../../src/domain/around/messages/booking.ts";
import { deleteChannel } from "../../../../src/domain/around/messages/channels.ts";
import {
  cancelMessage,
  listMessages,
  messageById,
  sendAgain,
} from "../../../../src/domain/around/messages/outbox.ts";
import { planMessages } from "../../../../src/domain/around/messages/plan.ts";
import { deleteRule } from "../../../../src/domain/around/messages/rules.ts";
import { channelsDue, takeNext } from "../../../../src/domain/around/messages/sending.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { forgetOldRows } from "../../../../src/domain/machine/retention/forget.ts";
import { bookAttempt } from "../../../../src/domain/around/webhooks/book.ts";
import {
  deliveryById,
  listDeliveries,
  replayDelivery,
} from "../../../../src/domain/around/webhooks/deliveries.ts";
import { dueDeliveries, endpointsDue } from "../../../../src/domain/around/webhooks/due.ts";
import { deleteEndpoint, setEndpointEnabled } from "../../../../src/domain/around/webhooks/endpoints.ts";
import { endpointHealth } from "../../../../src/domain/around/webhooks/health.ts";
import { planDeliveries } from "../../../../src/domain/around/webhooks/plan.ts";
import { aSubscriber, by, DAY, loadIsp } from "../../../support/isp.ts";
import { BUSY, fillManyMessages, QUIET } from "../../../support/many-messages.ts";
import { boss } from "../../../support/office.ts";
import { NOW, undoneTemplate, type TemporaryStore } from "../../../support/store.ts";

/** Who sees the whole box, and who sees an ISP. */
const actors = [by, boss];
const page = { before: Number.MAX_SAFE_INTEGER, limit: 51 };
const stores = undoneTemplate(async (db) => {
  const subscribers = Array.from({ length: 20 }, (_, index) =>
    aSubscriber(index + 1, { mobile_number: `+44 7700 90${1000 + index}`, sms_status: 1 }),
  );
  await loadIsp(db, { subscribers });
  await tellMoments(db, by, { now: NOW });
  fillManyMessages(db, { rows: 2000, waitingDeliveries: 100, incoming: 2000, subscribers: 20, now: NOW });
});
let store: TemporaryStore;
let db: Db;
beforeEach(async () => {
  store = await stores();
  ({ db } = store);
});
afterEach(() => store[Symbol.dispose]());

/** How the store finds what is asked of the tables that grow, as it would answer each statement. */
async function plansOf(ask: () => unknown): Promise<{ sql: string; detail: string }[]> {
  const { $client } = db;
  using query = spyOn($client, "query");
  await ask();
  const texts = [...new Set(query.mock.calls.map(([sql]) => sql))];
  return texts
    .filter((sql) => /\b(events|messages|webhook_deliveries|webhook_attempts|incoming_payments)\b/.test(sql))
    .flatMap((sql) => {
      using plan = $client.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`);
      return plan.all().map(({ detail }) => ({ sql, detail }));
    });
}

const lists = actors.flatMap((actor) => {
  const messages = (filters: Parameters<typeof listMessages>[2]) => () =>
    listMessages(db, actor, filters, page);
  const deliveries = (filters: Parameters<typeof listDeliveries>[2]) => () =>
    listDeliveries(db, actor, filters, page);
  const arrived = (filters: Parameters<typeof listIncoming>[2]) => () =>
    listIncoming(db, actor, filters, page);
  return Object.entries({
    messages: messages({}),
    "messages of a channel": messages({ channelId: QUIET }),
    "messages of a rule": messages({ ruleId: QUIET }),
    "messages of a rule, sent": messages({ ruleId: QUIET, state: "sent" }),
    "messages of a channel, sent": messages({ channelId: QUIET, state: "sent" }),
    "messages of a channel and a rule": messages({ channelId: BUSY, ruleId: QUIET }),
    "messages of a subscriber": messages({ subscriberId: 2, state: "sent", ruleId: BUSY, channelId: BUSY }),
    deliveries: deliveries({}),
    "deliveries of an endpoint": deliveries({ endpointId: QUIET }),
    "deliveries of an endpoint, failed": deliveries({ endpointId: BUSY, state: "failed" }),
    "what arrived": arrived({ view: "all" }),
    "what arrived of a subscriber": arrived({ view: "all", subscriberId: 2 }),
  }).map(([what, ask]) => [`${what}, for ${actor.name}`, ask] as const);
});
const ofAnIsp = {
  "messages that failed": () => listMessages(db, boss, { state: "failed" }, page),
  "messages that failed of a channel": () =>
    listMessages(db, boss, { state: "failed", channelId: BUSY }, page),
  "what arrived and waits": () => listIncoming(db, boss, { view: "open" }, page),
  "what arrived by a provider": () => listIncoming(db, boss, { view: "all", provider: "Bank" }, page),
  "how much waits": () => countOpenIncoming(db, boss),
};

const at = { now: NOW + 12 * DAY, random: 0 };
/** Each leaves something for those below it. */
const steps: Record<string, () => unknown> = {
  "a payment": () => takePayment(db, boss, { subscriberId: 1, amount: 100, method: "cash" }, { now: NOW }),
  "a payment that arrives": () =>
    receivePayment(
      db,
      boss,
      {
        ispId: 1,
        sourceId: null,
        provider: "Bank",
        externalId: "new",
        amount: 100,
        currency: "USD",
        paidAt: null,
        method: "cash",
        named: { by: "user_id", text: "1" },
        payer: null,
        bodyHash: new Uint8Array(32),
        raw: "{}",
      },
      { now: NOW, onOther: "keep" },
    ),
  "what time does": () => tellMoments(db, by, at),
  planning: () => planMessages(db, by, at),
  "planning for webhooks": () => planDeliveries(db, by, at),
  "due channels": () => channelsDue(db, at.now),
  "a message that leaves": () => {
    const leaving = takeNext(db, by, { channelId: 2 }, at) ?? takeNext(db, by, { channelId: BUSY }, at);
    if (leaving) bookMessage(db, by, leaving, { came: { kind: "failed", reason: "no" }, failures: 9 }, at);
  },
  "what was leaving": () => recoverMessages(db, by, at),
  "a message": () => messageById(db, boss, { id: 2 }),
  "a message again": () => sendAgain(db, boss, { id: 2 }, at),
  "a message that is cancelled": () => cancelMessage(db, boss, { id: 2 }, at),
  "due endpoints": () => endpointsDue(db, at.now),
  "a call": () => {
    const busy = { ids: new Set<number>(), subscribers: new Set<number>() };
    for (const due of dueDeliveries(db, { endpointId: BUSY, limit: 4, busy }, at.now))
      bookAttempt(db, due, { milliseconds: 1, status: 500 }, at);
  },
  "how an endpoint goes": () => endpointHealth(db, boss, { id: BUSY, ispId: 1 }),
  "a delivery": () => deliveryById(db, boss, { id: 2 }),
  "a delivery again": () => replayDelivery(db, boss, { id: 2 }, at),
  "the check": () => checkSetup(db, by, at),
  "an endpoint that is switched off": () => setEndpointEnabled(db, by, { id: BUSY, enabled: false }, at),
  "an endpoint that is deleted": () => deleteEndpoint(db, by, { id: BUSY }, at),
  "a rule that is deleted": () => deleteRule(db, by, { id: BUSY }, at),
  "a channel that is not to be deleted": () =>
    expect(() => deleteChannel(db, by, { id: BUSY }, at)).toThrow(),
  "what is old": () => forgetOldRows(db, by, { now: NOW + 400 * DAY }),
};

/** A table that grows read from its beginning, but for a page of the newest, and the oldest that are forgotten. */
function readsAll({ sql, detail }: { sql: string; detail: string }): boolean {
  const isWhole =
    /^SCAN (m|messages|d|webhook_deliveries|webhook_attempts|e|events|i|incoming_payments|a)\b/.test(detail);
  const isOldest = sql.startsWith("DELETE FROM messages") && sql.includes("ORDER BY id LIMIT");
  return (
    isWhole && !/USING (COVERING )?INDEX (incoming_payments_open|messages_sending)/.test(detail) && !isOldest
  );
}

test.each([
  ["that knows nothing of its tables", false],
  ["that has counted its tables", true],
])(
  "in a store %s no statement reads a table that grows as a whole, and no list sorts one",
  async (_, isAnalyzed) => {
    if (isAnalyzed) db.$client.run("ANALYZE");
    const slow: string[] = [];
    for (const [what, ask] of [...lists, ...Object.entries(ofAnIsp)])
      for (const plan of await plansOf(ask))
        if (readsAll(plan) || plan.detail.includes("TEMP B-TREE FOR ORDER BY"))
          slow.push(`${what}: ${plan.detail}`);
    expect(slow).toEqual([]);
  },
);

test("what happens, is planned, sent, called, switched off and forgotten reads none as a whole", async () => {
  const slow: string[] = [];
  const requests = new Set<string>();
  for (const [what, ask] of Object.entries(steps))
    for (const plan of await plansOf(ask)) {
      requests.add(plan.sql);
      if (readsAll(plan)) slow.push(`${what}: ${plan.detail}: ${plan.sql}`);
    }
  expect(slow).toEqual([]);
  expect(requests.size).toBeGreaterThan(30);
});

test("a look for what is new takes no more than its share at a time, and comes to the end", () => {
  const newest = db.$client.query<{ id: number }, []>("SELECT max(id) AS id FROM events").get()?.id ?? 0;
  const add = db.$client.query(
    "INSERT INTO events (uid, type, isp_id, at, written_at, data) VALUES (?, 'backup.failed', 1, 0, 0, '{}')",
  );
  db.$client.transaction(() => {
    for (let nth = 0; nth < 6000; nth++) add.run(`evt_${nth}`);
  })();
  setMark(db, "webhooks", newest);
  const planned = [1, 2, 3].map(() => planDeliveries(db, by, at));
  // two of the endpoints hear of these
  expect(planned).toEqual([10_000, 2000, 0]);
  expect(findMark(db, "webhooks")).toBeGreaterThan(newest + 5999);
});
