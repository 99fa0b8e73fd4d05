import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { endAnswered } from "../../../../src/domain/service/control/end-answered.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { addNote } from "../../../../src/domain/goods/subscribers/notes.ts";
import { readTimeline, timelineKinds } from "../../../../src/domain/desk/subscriber-page/timeline.ts";
import type { TimelineEvent } from "../../../../src/domain/desk/subscriber-page/timeline-sources.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { addMessages } from "../../../support/messages.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const HOUR = 3600;
const one = { subscriberId: 1 };
const at = (hours: number) => ({ now: NOW + hours * HOUR });
const MAC = "D8:07:B6:1A:4F:C2";

/** A day of subscriber 1, an hour for each thing. */
async function aDay(db: Db): Promise<void> {
  updateSubscriber(
    db,
    boss,
    { username: "user1", phone_number: "0142" },
    { ...at(0), toJson: (record) => record },
  );
  takePayment(db, boss, { ...one, amount: 2200, method: "mobile", activates: true }, at(1));
  const [session] = insertSessions(db, {
    ...one,
    nasId: 1,
    username: "user1",
    startedAt: NOW + 2 * HOUR,
    updatedAt: NOW + 3 * HOUR,
    stoppedAt: NOW + 3 * HOUR,
    terminateCause: "Lost-Carrier",
  });
  if (!session) throw new Error("there is no session");
  for (let minute = 0; minute < 41; minute++) refused(db, NOW + 4 * HOUR + minute * 60);
  addNote(db, boss, { ...one, note: "Gate code 4471" }, at(5));
  extend(db, boss, { ...one, hours: 24, reason: "storm", trust: false }, at(6));
  insertSessions(db, {
    ...one,
    nasId: 1,
    username: "user1",
    startedAt: NOW + 7 * HOUR,
    updatedAt: NOW + 7 * HOUR,
  });
  await endAnswered(db, boss, one, { clock: () => NOW + 8 * HOUR, routers: new RecordedRouters() });
  addMessages(db, NOW + 10 * HOUR);
}

function refused(db: Db, when: number): void {
  db.$client
    .query(
      `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason, mac)
       VALUES (?, 1, '127.0.0.1', 'user1', 1, 0, 'mac_locked', ?)`,
    )
    .run(when, MAC);
}

function describe(event: TimelineEvent): string {
  const hour = Math.floor((event.at - NOW) / HOUR);
  if (event.kind === "refused") return `${hour} refused ${event.run.times}`;
  if (event.kind === "session" || event.kind === "freeze") return `${hour} ${event.kind} ${event.is}`;
  if (event.kind === "entry") return `${hour} ${event.entry} ${event.amount}`;
  if (event.kind === "router") return `${hour} router ${event.answers.map(({ kind }) => kind).join()}`;
  if (event.kind === "change") return `${hour} ${event.action}`;
  return `${hour} ${event.kind}`;
}

const everything = [
  "10 message",
  "8 session ended",
  "8 router acknowledged",
  "7 session started",
  "6 extension",
  "5 note",
  "4 refused 41",
  "3 session ended",
  "2 session started",
  "1 payment 2200",
  "0 subscriber.update",
];

function seen(db: Db, by: Actor, more: Partial<Parameters<typeof readTimeline>[2]> = {}): string[] {
  return readTimeline(db, by, { subscriber: 1, limit: 50, ...more }).events.map(describe);
}

test("what happened stands in one order, the newest first", async () => {
  using store = await office();
  await aDay(store.db);
  expect(seen(store.db, boss)).toEqual(everything);
});

test.each([1, 2, 3, 4, 9])("by pages of %d it is the same, and nothing comes twice", async (limit) => {
  using store = await office();
  await aDay(store.db);
  const all: string[] = [];
  let before: string | null = null;
  do {
    const page = readTimeline(store.db, boss, { subscriber: 1, limit, before });
    all.push(...page.events.map(describe));
    before = page.next;
  } while (before !== null);
  expect(all).toEqual(everything);
});

test("what is refused all day counts by local days", async () => {
  using store = await office();
  for (let hour = 0; hour < 72; hour++) refused(store.db, NOW + hour * HOUR);
  const events = seen(store.db, boss, { kinds: ["logins"] });
  expect(events.map((event) => Number(event.split(" ")[2])).reduce((sum, times) => sum + times, 0)).toBe(72);
  expect(events.length).toBe(4);
});

test("a decision that a clock has set before an older one is there", async () => {
  using store = await office();
  store.db.$client.run(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason)
     VALUES (${NOW + 30 * HOUR}, 1, '127.0.0.1', 'user2', 2, 1, 'accepted')`,
  );
  refused(store.db, NOW);
  expect(seen(store.db, boss)).toEqual(["0 refused 1"]);
});

test.each<[flags: string[], missing: RegExp[]]>([
  [["subscriber_view"], [/payment/, /router/, /subscriber\.update/]],
  [
    ["subscriber_view", "payment_view"],
    [/router/, /subscriber\.update/],
  ],
  [
    ["subscriber_view", "subscriber_disconnect"],
    [/payment/, /subscriber\.update/],
  ],
  [["subscriber_view", "wallet_view", "audit_view"], []],
  [
    ["subscriber_view", "message_view"],
    [/router/, /payment/, /subscriber\.update/],
  ],
])("who has %j does not see %j", async (flags, missing) => {
  using store = await office();
  await aDay(store.db);
  const by = { ...boss, admin: false, flags: new Set(flags) };
  const unseen = flags.includes("message_view") ? missing : [...missing, /message/];
  expect(seen(store.db, by)).toEqual(everything.filter((event) => !unseen.some((one) => one.test(event))));
});

test("payments alone are seen by who has no right to the wallet", async () => {
  using store = await office();
  await aDay(store.db);
  activate(store.db, boss, { ...one, packageId: 2 }, at(9));
  const clerk = { ...boss, admin: false, flags: new Set(["subscriber_view", "payment_view"]) };
  expect(seen(store.db, clerk, { kinds: ["money"] })).toEqual(["1 payment 2200"]);
  expect(seen(store.db, boss, { kinds: ["money"] })).toEqual(["9 activation -2000", "1 payment 2200"]);
});

test.each(timelineKinds.map((kind) => [kind]))("narrowed to %s", async (kind) => {
  using store = await office();
  await aDay(store.db);
  const events = seen(store.db, boss, { kinds: [kind] });
  expect(events.length).toBeGreaterThan(0);
  expect(everything.filter((event) => events.includes(event))).toEqual(events);
});

test("a change says what it was before, ids by their names", async () => {
  using store = await office();
  updateSubscriber(
    store.db,
    boss,
    { username: "user1", package_id: 2 },
    { ...at(0), toJson: (record) => record },
  );
  const [event] = readTimeline(store.db, boss, { subscriber: 1, limit: 1 }).events;
  expect(event).toMatchObject({
    by: "Ada",
    fields: [{ name: "package_id", before: "Home 1", after: "Home 2" }],
  });
});

test("each part is read through an index", async () => {
  using store = await office();
  const plan = (query: string) =>
    store.db.$client
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .map(({ detail }) => detail);
  const requests: string[] = [];
  const { query } = store.db.$client;
  store.db.$client.query = ((text: string) => {
    requests.push(text);
    return query.call(store.db.$client, text);
  }) as typeof query;
  readTimeline(store.db, boss, { subscriber: 1, limit: 5 });
  store.db.$client.query = query;
  const scans = requests.filter((text) => text.startsWith("SELECT") || text.startsWith("\n  SELECT"));
  expect(scans.length).toBeGreaterThan(8);
  const small = /^SCAN (nas|CONSTANT|json_each|2|3)/;
  expect(
    scans.flatMap((text) =>
      plan(text.replaceAll("?", "1")).filter((step) => step.startsWith("SCAN") && !small.test(step)),
    ),
  ).toEqual([]);
});
