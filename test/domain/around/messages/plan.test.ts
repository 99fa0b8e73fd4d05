import { expect, test } from "bun:test";
import { array, assert, asyncProperty, constant, constantFrom, integer, oneof, tuple } from "fast-check";
import { type Db, write } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { announceOther } from "../../../../src/domain/core/events/announce.ts";
import { tellMoments } from "../../../../src/domain/core/events/moments.ts";
import { createChannel } from "../../../../src/domain/around/messages/channels.ts";
import { planMessages } from "../../../../src/domain/around/messages/plan.ts";
import { createRule, deleteRule, updateRule } from "../../../../src/domain/around/messages/rules.ts";
import { saveTemplate } from "../../../../src/domain/around/messages/templates.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { by, DAY } from "../../../support/isp.ts";
import { mailChannel, webChannel } from "../../../support/messages.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";
import { runs } from "../../../support/runs.ts";

const office = undoneStores(copyOfOffice);

const END = NOW + 31 * DAY;
const rule = { isp_id: 1, name: "A", audience: "subscriber", channel_id: 1, template: "hello" };

async function scene() {
  const store = await office();
  const { db } = store;
  createChannel(db, by, webChannel, { now: NOW });
  createChannel(db, by, { ...mailChannel, address: "email" }, { now: NOW });
  saveTemplate(db, by, { isp_id: 1, name: "hello", language: "en", body: "Hello" }, { now: NOW });
  await tellMoments(db, by, { now: NOW });
  return store;
}

const planned = ({ $client }: Db) =>
  $client
    .query<
      {
        rule: number;
        who: number | null;
        staff: number | null;
        about: number | null;
        period: string;
        due: number;
        state: string;
      },
      []
    >(
      `SELECT rule_id AS rule, subscriber_id AS who, staff_id AS staff, about_id AS about, period, due_at AS due, state
       FROM messages ORDER BY id`,
    )
    .all();

const pay = (db: Db, subscriberId: number, now: number) =>
  takePayment(db, boss, { subscriberId, amount: 100, method: "cash" }, { now });

test("a rule speaks of what happens after it was made, to whom it says, once", async () => {
  using store = await scene();
  const { db } = store;
  const event = { ...rule, on: "event", event_type: "payment.received" };
  pay(db, 1, NOW);
  createRule(db, by, event, { now: NOW + 10 });
  createRule(db, by, { ...event, audience: "salesperson" }, { now: NOW + 10 });
  createRule(db, by, { ...event, audience: "staff", flag: "payment_view" }, { now: NOW + 10 });
  pay(db, 1, NOW + 10);
  for (const later of [10, 11, 5]) await planMessages(db, by, { now: NOW + later });
  expect(planned(db).map(({ rule, who, staff, about }) => [rule, who, staff, about])).toEqual([
    [1, 1, null, null],
    [2, null, 2, 1],
    [3, null, 1, 1],
  ]);
});

test("a channel that leads to one place is told once, however many have the permission", async () => {
  using store = await scene();
  const { db } = store;
  createChannel(db, by, { ...webChannel, address: "none", is_sms: 0 }, { now: NOW });
  db.$client.run("UPDATE staff SET profile_type = 1 WHERE id IN (3, 4)");
  const event = {
    ...rule,
    on: "event",
    event_type: "payment.received",
    audience: "staff",
    flag: "payment_view",
  };
  createRule(db, by, { ...event, channel_id: 2 }, { now: NOW });
  createRule(db, by, { ...event, channel_id: 3 }, { now: NOW });
  pay(db, 1, NOW);
  await planMessages(db, by, { now: NOW });
  expect(planned(db).map(({ rule, staff }) => [rule, staff])).toEqual([
    [1, 1],
    [1, 3],
    [1, 4],
    [2, 1],
  ]);
});

test("what is about nobody is told to each of the staff once, however often it is read", async () => {
  using store = await scene();
  const { db } = store;
  const silent = { on: "event", event_type: "router.silent", audience: "staff", flag: "payment_view" };
  createRule(db, by, { ...rule, ...silent }, { now: NOW });
  const router = { id: 1, name: "edge", address: "10.0.0.1" };
  write(db, (tx) =>
    announceOther(tx, NOW, { type: "router.silent", at: NOW, ispId: 1, data: { router, since: "" } }),
  );
  expect(await planMessages(db, by, { now: NOW })).toBe(1);
  db.$client.run("UPDATE marks SET value = 0 WHERE name = 'messages'");
  expect(await planMessages(db, by, { now: NOW })).toBe(0);
});

test("people hear of routers that are not as they should be once a day, programs of each thing", async () => {
  using store = await scene();
  const { db } = store;
  const drifted = { on: "event", event_type: "router.drifted", audience: "staff", flag: "payment_view" };
  createRule(db, by, { ...rule, ...drifted }, { now: NOW });
  const router = { id: 1, name: "edge", address: "10.0.0.1" };
  const tell = (key: string, at: number) =>
    write(db, (tx) => {
      const finding = { kind: "ppp_name", key, level: "error" as const };
      announceOther(tx, at, { type: "router.drifted", at, ispId: 1, data: { router, finding, since: "" } });
    });
  for (const key of ["ann", "bob", "cid"]) tell(key, NOW);
  expect(await planMessages(db, by, { now: NOW })).toBe(1);
  tell("dan", NOW + 3600);
  expect(await planMessages(db, by, { now: NOW + 3600 })).toBe(0);
  tell("eve", NOW + DAY);
  expect(await planMessages(db, by, { now: NOW + DAY })).toBe(1);
});

test("moments before and after an end, and of invoices that are not paid, are walked whatever the clock does", async () => {
  using store = await scene();
  const { db } = store;
  createRule(db, by, { ...rule, on: "expiry", offset: -3 * DAY, late_by: 30 * DAY }, { now: NOW });
  createRule(db, by, { ...rule, on: "expiry", offset: DAY, late_by: 30 * DAY }, { now: NOW });
  createRule(db, by, { ...rule, on: "due", offset: 7 * DAY, late_by: 30 * DAY }, { now: NOW });
  activate(db, by, { subscriberId: 2, packageId: 2 }, { now: NOW });
  const at = (now: number) => planMessages(db, by, { now });
  expect(await at(END - 3 * DAY - 1)).toBe(0);
  expect(await at(END - 3 * DAY)).toBe(1);
  expect(await at(END - 5 * DAY)).toBe(0);
  expect(await at(END + 20 * DAY)).toBe(2);
  expect(await at(END + 8 * DAY)).toBe(0);
  expect(await at(END + 21 * DAY)).toBe(0);
  expect(planned(db).map(({ rule, due }) => [rule, due])).toEqual([
    [1, END - 3 * DAY],
    [2, END + DAY],
    [3, END + 7 * DAY],
  ]);
});

test("after a stop of three days what is late is written as skipped", async () => {
  using store = await scene();
  const { db } = store;
  createRule(db, by, { ...rule, on: "expiry", offset: -DAY, late_by: DAY }, { now: NOW });
  activate(db, by, { subscriberId: 2, packageId: 2 }, { now: NOW });
  await planMessages(db, by, { now: END + 2 * DAY });
  expect(planned(db)).toMatchObject([{ who: 2, state: "skipped" }]);
});

test("a rule that was off begins anew", async () => {
  using store = await scene();
  const { db } = store;
  const off = { id: 1, input: { is_enabled: 0 } };
  createRule(db, by, { ...rule, on: "expiry", offset: 0 }, { now: NOW });
  createRule(db, by, { ...rule, on: "event", event_type: "payment.received" }, { now: NOW });
  activate(db, by, { subscriberId: 2, packageId: 2 }, { now: NOW });
  for (const id of [1, 2]) updateRule(db, by, { ...off, id }, { now: NOW });
  pay(db, 1, END - 5);
  for (const id of [1, 2]) updateRule(db, by, { id, input: { is_enabled: 1 } }, { now: END + 5 });
  await planMessages(db, by, { now: END + 10 });
  expect(planned(db)).toEqual([]);
});

test("what is deleted while its moments are planned is planned no further", async () => {
  using store = await scene();
  const { db } = store;
  manyServices(db, 1000, () => END);
  createRule(db, by, { ...rule, on: "expiry", offset: 0 }, { now: NOW });
  const planning = planMessages(db, by, { now: END });
  deleteRule(db, by, { id: 1 }, { now: END });
  const count = await planning;
  expect(count).toBeLessThan(1000);
  expect(planned(db).filter(({ state }) => state === "waiting")).toEqual([]);
});

/** Subscribers 100 and more, whose services end when `end` says. */
function manyServices({ $client }: Db, count: number, end: (nth: number) => number): void {
  const subscriber = $client.query(
    `INSERT INTO subscribers (id, isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, created_at, updated_at)
     SELECT ?1, isp_id, 'n', 'n' || ?1, 'n' || ?1, password_sealed, package_id, connection_type_id, created_at, updated_at FROM subscribers WHERE id = 2`,
  );
  const service = $client.query(
    `INSERT INTO services (subscriber_id, package_id, password_sealed, nt_hash_sealed, expires_at) VALUES (?, 2, x'00', x'00', ?)`,
  );
  $client.transaction(() => {
    for (let nth = 0; nth < count; nth++) {
      subscriber.run(100 + nth);
      service.run(100 + nth, end(nth));
    }
  })();
}

test("thousands that end on one day are planned, each once, in pieces that others go between", async () => {
  using store = await scene();
  const { db } = store;
  const COUNT = 4000;
  manyServices(db, COUNT, (nth) => END + Math.floor(nth / 1000));
  createRule(db, by, { ...rule, on: "expiry", offset: 0, late_by: 30 * DAY }, { now: NOW });
  // cut short once, as at the end of the program
  let turns = 0;
  const signal = new AbortController();
  const counting = setInterval(() => {
    if (++turns === 3) signal.abort();
  }, 1);
  const first = await planMessages(db, by, { now: END + 60, signal: signal.signal });
  clearInterval(counting);
  expect(turns).toBeGreaterThanOrEqual(3); // others had their turns
  expect(first).toBeLessThan(COUNT);
  const second = await planMessages(db, by, { now: END + 60 });
  expect(first + second).toBe(COUNT);
  expect(db.$client.query("SELECT count(DISTINCT subscriber_id) AS n FROM messages").get()).toEqual({
    n: COUNT,
  });
});

type Step = readonly [what: string, subscriber: number, seconds: number];

test("whatever happens in whatever order, no rule tells anybody twice of the same, and nothing that happened is forgotten", async () => {
  const step = oneof(
    tuple(constantFrom("pay", "renew", "crash", "offset"), integer({ min: 1, max: 3 }), constant(0)),
    tuple(constantFrom("time", "back"), constant(1), integer({ min: 1, max: 12 * DAY })),
    tuple(constant("plan"), constant(1), constant(0)),
  );
  await assert(
    asyncProperty(array(step, { minLength: 5, maxLength: 40 }), async (steps: Step[]) => {
      using store = await scene();
      const { db } = store;
      const late_by = 30 * DAY;
      createRule(db, by, { ...rule, on: "event", event_type: "payment.received", late_by }, { now: NOW });
      createRule(db, by, { ...rule, on: "expiry", offset: -2 * DAY, late_by }, { now: NOW });
      createRule(
        db,
        by,
        {
          ...rule,
          on: "event",
          event_type: "subscriber.expired",
          audience: "staff",
          flag: "payment_view",
          late_by,
        },
        { now: NOW },
      );
      let [now, payments, renewed] = [NOW, 0, 0];
      const plan = async (signal?: AbortSignal) => {
        await tellMoments(db, by, { now });
        await planMessages(db, by, { now, signal });
      };
      for (const [what, subscriberId, seconds] of steps) {
        if (what === "time") now += seconds;
        if (what === "back") now = Math.max(NOW, now - seconds);
        if (what === "pay") {
          pay(db, subscriberId, now);
          payments++;
        }
        if (what === "renew") {
          // no renewal may follow another one at once, and the clock was set back perhaps
          now = Math.max(now, renewed + 130);
          renewed = now;
          activate(db, by, { subscriberId, packageId: 2 }, { now });
        }
        if (what === "offset") {
          const offset = -subscriberId * DAY;
          updateRule(db, by, { id: 2, input: { offset } }, { now });
        }
        if (what === "crash") await plan(AbortSignal.abort());
        if (what === "plan") await plan();
      }
      await plan();
      const all = planned(db);
      const keys = all.map(({ rule, who, staff, about, period }) =>
        [rule, who, staff, about, period].join(" "),
      );
      expect(new Set(keys).size).toBe(keys.length);
      expect(all.filter(({ rule }) => rule === 1).length).toBe(payments);
    }),
    runs(8, 25),
  );
});
