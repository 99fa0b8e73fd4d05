import { expect, test } from "bun:test";
import { NO_SMS } from "../../../../src/domain/around/messages/by-which.ts";
import type { Db } from "../../../../db/open.ts";
import { bookMessage } from "../../../../src/domain/around/messages/booking.ts";
import { checkChannels } from "../../../../src/domain/machine/check/channels.ts";
import { createChannel, setChannelEnabled } from "../../../../src/domain/around/messages/channels.ts";
import { messageInFull } from "../../../../src/domain/around/messages/in-full.ts";
import { cancelMany, countMany, sendManyAgain } from "../../../../src/domain/around/messages/outbox-many.ts";
import { outboxState } from "../../../../src/domain/around/messages/outbox-state.ts";
import {
  listMessages,
  type MessageFilters,
  sendAgain,
} from "../../../../src/domain/around/messages/outbox.ts";
import { planMessages } from "../../../../src/domain/around/messages/plan.ts";
import { createRule } from "../../../../src/domain/around/messages/rules.ts";
import { messagesTo } from "../../../../src/domain/desk/subscriber-page/to-subscriber.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { operator } from "../../../../src/domain/core/actor/operator.ts";
import { by } from "../../../support/isp.ts";
import { addMessages, insertMessage, webChannel } from "../../../support/messages.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const DAY = 86_400;
const now = { now: NOW };
const box = operator("root", "cli");
const newest = { before: Number.MAX_SAFE_INTEGER, limit: 50 };

async function scene() {
  const store = await office();
  addMessages(store.db, NOW);
  store.db.$client.run("DELETE FROM messages");
  return store;
}

const set = ({ $client }: Db, id: number, what: string) =>
  $client.run(`UPDATE messages SET ${what} WHERE id = ${id}`);
const states = ({ $client }: Db) =>
  $client
    .query<{ state: string }, []>("SELECT state FROM messages ORDER BY id")
    .all()
    .map(({ state }) => state);
const entries = ({ $client }: Db) =>
  $client
    .query<{ action: string; after: string }, []>(
      "SELECT action, after FROM audit_entries WHERE action LIKE 'message.%many' ORDER BY id",
    )
    .all();

test.each([
  ["smtp", true],
  ["http", true],
  ["push", false], // to addresses that their receivers have given
])("many failures in a row take a channel of kind %s down: %p", async (kind, isDown) => {
  using store = await scene();
  const { db } = store;
  db.$client.run(`UPDATE channels SET kind = '${kind}' WHERE id = 1`);
  const messageId = insertMessage(db, NOW - 60, "sending");
  const leaving = { messageId, channelId: 1, attempts: 1 };
  bookMessage(
    db,
    box,
    leaving,
    { came: { kind: "failed", reason: "no" }, failures: 9 },
    { ...now, random: 0 },
  );
  const down = db.$client.query("SELECT down_since FROM channels WHERE id = 1").values();
  expect(down).toEqual([[isDown ? NOW : null]]);
});

test("all that failed lately by a channel goes again, however much it is, and is counted before", async () => {
  using store = await scene();
  const { db } = store;
  for (let nth = 0; nth < 450; nth++) insertMessage(db, NOW - 60, "failed");
  insertMessage(db, NOW - 2 * DAY, "failed");
  insertMessage(db, NOW - 60, "perhaps");
  const choice = { channelId: 1 };
  expect(countMany(db, boss, { ...choice, state: "failed" }, now)).toEqual({ count: 450, isMore: false });
  expect(await sendManyAgain(db, boss, choice, now)).toEqual({ count: 450, isMore: false });
  expect(Object.groupBy(states(db), (state) => state)).toMatchObject({
    waiting: { length: 450 },
    failed: { length: 1 },
    perhaps: { length: 1 },
  });
  expect(entries(db).map(({ after }) => after)).toEqual([
    '{"messages":200}',
    '{"messages":200}',
    '{"messages":50}',
  ]);
  expect(await sendManyAgain(db, boss, { ...choice, endedAfter: NOW - 3 * DAY }, now)).toMatchObject({
    count: 1,
  });
});

test("what waits of a rule is cancelled, and nothing of another one", async () => {
  using store = await scene();
  const { db } = store;
  createRule(
    db,
    by,
    {
      isp_id: 1,
      name: "B",
      on: "expiry",
      audience: "subscriber",
      channel_id: 1,
      template: "thanks",
    },
    now,
  );
  const ids = [insertMessage(db, NOW), insertMessage(db, NOW), insertMessage(db, NOW, "sending")];
  set(db, ids[1] ?? 0, "rule_id = 2");
  expect(countMany(db, boss, { ruleId: 1, state: "waiting" }, now)).toMatchObject({ count: 1 });
  expect(await cancelMany(db, boss, { ruleId: 1 }, now)).toEqual({ count: 1, isMore: false });
  expect(states(db)).toEqual(["cancelled", "waiting", "sending"]);
  expect(await cancelMany(db, boss, { ruleId: 1 }, now)).toEqual({ count: 0, isMore: false });
  expect(entries(db)).toHaveLength(1);
});

test("nothing is sent again by a channel that is off, and nobody reaches all there is by naming nothing", async () => {
  using store = await scene();
  const { db } = store;
  insertMessage(db, NOW, "failed");
  setChannelEnabled(db, by, { id: 1, enabled: false }, now);
  expect(countMany(db, boss, { channelId: 1, state: "failed" }, now).count).toBe(0);
  expect(sendManyAgain(db, boss, { channelId: 1 }, now)).rejects.toThrow("switch it on first");
  expect(await sendManyAgain(db, boss, { ruleId: 1 }, now)).toMatchObject({ count: 0 });
  expect(cancelMany(db, boss, {}, now)).rejects.toThrow("name a channel or a rule");
  expect(cancelMany(db, boss, { ruleId: 99 }, now)).rejects.toThrow("there is no rule 99");
});

test("a channel that is down is tried at once when somebody sends again", async () => {
  using store = await scene();
  const { db } = store;
  const id = insertMessage(db, NOW, "failed");
  db.$client.run("UPDATE channels SET down_since = ?, try_at = ? WHERE id = 1", [NOW - 60, NOW + 900]);
  sendAgain(db, boss, { id }, now);
  expect(db.$client.query("SELECT try_at AS at FROM channels WHERE id = 1").get()).toEqual({ at: NOW });
});

test("how the outbox stands: what waits, what failed lately, and which channel sends nothing", async () => {
  using store = await scene();
  const { db } = store;
  for (const state of ["waiting", "waiting", "failed", "sending", "perhaps", "sent"])
    insertMessage(db, NOW, state);
  insertMessage(db, NOW - 8 * DAY, "failed");
  expect(outboxState(db, boss, now)).toEqual({
    waiting: 2,
    sending: 1,
    failed: 1,
    perhaps: 1,
    hasAny: true,
    stuck: [],
  });
  expect(checkChannels(db)).toMatchObject([{ severity: "ok" }]);
  setChannelEnabled(db, by, { id: 1, enabled: false }, now);
  const off = insertMessage(db, NOW);
  db.$client.run("UPDATE channels SET down_since = ?, down_reason = 'busy' WHERE id = 2", [NOW - 60]);
  const { stuck } = outboxState(db, box, now);
  expect(stuck.map(({ id, waiting, downReason }) => [id, waiting, downReason])).toEqual([
    [1, 3, null],
    [2, 0, "busy"],
  ]);
  expect(off).toBeGreaterThan(0);
  expect(checkChannels(db).map(({ message }) => message)).toEqual([
    "the channel Gateway (1) is off, and 3 wait for it; switch it on or cancel them, on the console under Messages",
    expect.stringContaining("the channel Mail (2) sends nothing since"),
  ]);
});

test("a message tells what happened, and before it was sent what it would say", async () => {
  using store = await scene();
  const { db } = store;
  takePayment(db, boss, { subscriberId: 1, amount: 100, method: "cash" }, { now: NOW + 10 });
  await planMessages(db, by, { now: NOW + 10 });
  const [row] = listMessages(db, boss, {}, newest);
  const full = messageInFull(db, boss, { id: row?.id ?? 0, opens: true }, now);
  expect(full).toMatchObject({
    body: null,
    asItIs: { words: { body: "Thank you, User 1" }, overtaken: NO_SMS },
    cause: { kind: "event", type: "payment.received", data: { payment: { amount: 1 } } },
  });
});

test("the operator sees the messages of all ISPs in one order, page by page", async () => {
  using store = await scene();
  const { db } = store;
  createChannel(db, by, { ...webChannel, name: "South", isp_id: 2 }, now);
  const ids = [1, 2, 1, 2, 2].map((isp) => {
    const id = insertMessage(db, NOW);
    set(db, id, `isp_id = ${isp}`);
    return id;
  });
  const pages: number[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = listMessages(db, box, {}, { before, limit: 2 });
    pages.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (!last || page.length < 2) break;
    before = last.id;
  }
  expect(pages).toEqual(ids.toReversed());
});

/** The plans of what an operation asks, as SQLite would go about them. */
function plansOf(db: Db, work: (db: Db) => unknown): string[] {
  const texts: string[] = [];
  const client = new Proxy(db.$client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...values: unknown[]) => {
        if (name === "query" && typeof values[0] === "string") texts.push(values[0]);
        return Reflect.apply(value, target, values);
      };
    },
  });
  work(Object.create(db, { $client: { value: client } }));
  return texts
    .filter((text) => /FROM \(?.*messages m|FROM messages/s.test(text) && text.startsWith("SELECT"))
    .flatMap((text) =>
      db.$client
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text.replaceAll("?", "1")}`)
        .all()
        .map(({ detail }) => detail),
    );
}

const filters: MessageFilters[] = [
  {},
  { state: "failed" },
  { channelId: 1 },
  { ruleId: 1 },
  { subscriberId: 1 },
  { state: "sent", channelId: 1, ruleId: 1, subscriberId: 1 },
];

test.each([
  ...filters.map((filter): [string, (db: Db, who: Actor) => unknown] => [
    `the list by ${JSON.stringify(filter)}`,
    (db, who) => listMessages(db, who, filter, newest),
  ]),
  ["the messages of one", (db, who) => messagesTo(db, who, { subscriber: 1, limit: 4 })],
  ["the outbox as it stands", (db, who) => outboxState(db, who, now)],
  ["what failed", (db, who) => countMany(db, who, { channelId: 1, state: "failed" }, now)],
])("%s is read by an index, in its order", async (_, work) => {
  using store = await scene();
  const plans = plansOf(store.db, (db) => work(db, boss)).join("\n");
  expect(plans).toContain("messages");
  expect(plans).not.toMatch(/SCAN m\b|SCAN messages|TEMP B-TREE/);
});
