import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { cardNumber } from "../../../../src/domain/goods/codes/codes.ts";
import { recordFirstUse } from "../../../../src/domain/service/cards/first-use.ts";
import { sessionsCutShort } from "../../../../src/domain/service/enforcement/time-left.ts";
import { voidCard } from "../../../../src/domain/desk/card-sales/void.ts";
import { Enforcer } from "../../../../src/domain/service/enforcement/enforce.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import type { Session } from "../../../../src/domain/service/sessions/advance.ts";
import { CARD_CLASS_LENGTH, writeCardAccept } from "../../../../src/domain/service/sessions/session-class.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { type MadeCard, makeCard, placesOf } from "../../../support/card-codes.ts";
import { by, loadIsp } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneTemplate, type TemporaryStore } from "../../../support/store.ts";

/* A router ends a session by the Session-Timeout of its Accept. Of a card on several devices that was its share at the time, and the share grows when another device leaves. */

const HOUR = 3600;
const emptyIsp = undoneTemplate((db) => loadIsp(db));
let store: TemporaryStore;
let db: Db;
let routers: RecordedRouters;
let now = NOW;
const clock = () => now;
beforeEach(async () => {
  store = await emptyIsp();
  ({ db } = store);
  routers = new RecordedRouters();
  now = NOW;
});
afterEach(() => store[Symbol.dispose]());

/** A card of three hours online for three devices, in use since NOW, unless said otherwise. */
function usedCard(input: Input = {}): MadeCard {
  const card = makeCard(db, { by_clock: 0, uptime_seconds: 3 * HOUR, devices: 3, ...input });
  write(db, (tx) => recordFirstUse(tx, { cardId: card.id, at: NOW, mac: null }));
  return card;
}

/** A session whose router was told to let it last so long; without, it says nothing of that. */
function open({ id }: MadeCard, name: string, timeout?: number, values: Partial<Session> = {}): number {
  const sessionClass = timeout === undefined ? null : Buffer.alloc(CARD_CLASS_LENGTH);
  if (sessionClass && timeout !== undefined)
    writeCardAccept(sessionClass, { acceptedAt: NOW, sessionTimeout: timeout });
  const [session] = insertSessions(db, {
    subscriberId: null,
    cardId: id,
    username: cardNumber(id),
    acctSessionId: name,
    class: sessionClass,
    startedAt: NOW,
    updatedAt: NOW,
    sessionTime: 0,
    ...values,
  });
  return session?.id ?? 0;
}

/** Accounting at a time: all open sessions of the card have lasted until then. */
function interim({ id }: MadeCard, at: number): void {
  now = NOW + at;
  db.$client.run(
    "UPDATE sessions SET session_time = ?1 - started_at, updated_at = ?1 WHERE card_id = ?2 AND stopped_at IS NULL",
    [now, id],
  );
  db.$client.run(
    "UPDATE cards SET used_seconds = (SELECT sum(session_time) FROM sessions WHERE card_id = cards.id) WHERE id = ?",
    [id],
  );
}

const stop = (name: string) =>
  db.$client.run("UPDATE sessions SET stopped_at = ?, closed_by = 'stop' WHERE acct_session_id = ?", [
    now,
    name,
  ]);
const enforcer = () => new Enforcer(db, { clock, routers });
const cutShort = () => sessionsCutShort(db, now).map(({ sessionId, until }) => [sessionId, until - NOW]);

describe("who is told of more time", () => {
  test("the one that stays when another leaves, shortly before its router would cut it, and once", async () => {
    const card = usedCard();
    open(card, "a", 3 * HOUR);
    open(card, "b", 1.5 * HOUR);
    interim(card, HOUR);
    stop("a");
    // two hours are used, and the last one is b's, of which its router knows half
    await enforcer().run();
    expect(routers.take()).toEqual([]);
    interim(card, 1.5 * HOUR - 290);
    const patient = enforcer();
    await patient.run();
    expect(routers.take()).toEqual([`timeout b ${2 * HOUR}`]);
    for (const at of [1.5 * HOUR - 280, 1.5 * HOUR, 2 * HOUR - 200, 2 * HOUR - 5]) {
      interim(card, at);
      await patient.run();
    }
    expect(routers.take()).toEqual([]);
    interim(card, 2 * HOUR);
    expect(await patient.run()).toMatchObject({ ended: 1 });
    expect(routers.take()).toEqual(["disconnect b"]);
  });

  test("of three, both that stay, each its half", async () => {
    const card = usedCard();
    open(card, "a", 3 * HOUR);
    open(card, "b", 1.5 * HOUR, { nasAddress: "127.0.0.3" });
    open(card, "c", HOUR);
    interim(card, 1200);
    stop("a");
    interim(card, HOUR - 200);
    await enforcer().run();
    // 1,200 of a, and twice what b and c have lasted, of 10,800
    expect(routers.take()).toEqual([`timeout c ${(3 * HOUR - 1200) / 2}`]);
    interim(card, (3 * HOUR - 1200) / 2 - 60);
    await enforcer().run();
    expect(routers.take()).toEqual([]);
  });

  test("nobody where all stay: every share ends when the time is used up", async () => {
    const card = usedCard();
    open(card, "a", 3 * HOUR);
    open(card, "b", 1.5 * HOUR);
    open(card, "c", HOUR);
    for (const at of [600, 1800, HOUR - 300, HOUR - 20]) {
      interim(card, at);
      expect(cutShort()).toEqual([]);
    }
  });

  test("nobody with one device, nor by the clock alone, which divides nothing", () => {
    open(usedCard({ devices: 1 }), "a", 100);
    open(usedCard({ by_clock: 1, duration: 1, duration_unit: "hour", uptime_seconds: undefined }), "b", 100);
    open(usedCard({ uptime_seconds: undefined, data_quota_bytes: 1000 }), "c", 100);
    now = NOW + 50;
    expect(cutShort()).toEqual([]);
  });

  test("no longer than the card lasts by the clock", () => {
    const twoHours = { by_clock: 1, duration: 2, duration_unit: "hour" };
    const b = open(usedCard(twoHours), "b", HOUR);
    now = NOW + HOUR - 100;
    expect(cutShort()).toEqual([[b, 2 * HOUR]]);
    const long = usedCard(twoHours);
    open(long, "c", 2 * HOUR);
    now = NOW + 2 * HOUR - 60;
    expect(sessionsCutShort(db, now, long.id)).toEqual([]);
  });

  test("not one that its router has cut by now, nor one of a card that is used up, over or void", () => {
    const card = usedCard();
    const b = open(card, "b", HOUR);
    now = NOW + HOUR - 10;
    expect(cutShort()).toEqual([[b, now - NOW + 3 * HOUR - 600]]);
    now = NOW + HOUR;
    expect(cutShort()).toEqual([]);
    now = NOW + HOUR - 10;
    for (const is of [
      `used_seconds = ${3 * HOUR}`,
      `used_seconds = 0, ends_at = ${now}`,
      "ends_at = NULL, state = 'void'",
    ]) {
      db.$client.run(`UPDATE cards SET ${is} WHERE id = ?`, [card.id]);
      expect(cutShort()).toEqual([]);
    }
  });

  test("not for what is less than half a minute, and for a minute at the least", () => {
    const card = usedCard({ uptime_seconds: 630, devices: 2 });
    const b = open(card, "b", 600);
    now = NOW + 580;
    expect(cutShort()).toEqual([[b, 640]]);
    db.$client.run("UPDATE cards SET used_seconds = 5");
    expect(cutShort()).toEqual([]);
  });

  test("one whose router sends no Class: before its least share could be over", async () => {
    const card = usedCard();
    const a = open(card, "a");
    interim(card, HOUR - 301);
    expect(cutShort()).toEqual([]);
    interim(card, HOUR - 299);
    expect(cutShort()).toEqual([[a, 3 * HOUR]]);
    await enforcer().run();
    expect(cutShort()).toEqual([]);
  });

  test("counts what others use since their last report, two intervals of it at the most", () => {
    const card = usedCard({ uptime_seconds: HOUR });
    const b = open(card, "b", 1200);
    open(card, "a", HOUR, { updatedAt: NOW });
    db.$client.run("UPDATE sessions SET updated_at = ?, session_time = 1000 WHERE id = ?", [NOW + 1000, b]);
    db.$client.run("UPDATE cards SET used_seconds = 1000");
    now = NOW + 1000;
    // of 2,600 the silent one may have used 600
    expect(cutShort()).toEqual([[b, 1000 + 1000]]);
  });
});

test("those that are told of enough are looked at together, not card by card", () => {
  for (let nth = 0; nth < 10; nth++) open(usedCard(), `a${nth}`, 3 * HOUR);
  now = NOW + 2 * HOUR;
  using request = spyOn(db.$client, "query");
  expect(cutShort()).toEqual([]);
  expect(request).toHaveBeenCalledTimes(1);
});

describe("a router that does not do it", () => {
  /** b of two devices, whose router cuts it in 200 seconds although an hour and a half are left. */
  function oneCutShort(): MadeCard {
    const card = usedCard();
    open(card, "b", 1.5 * HOUR);
    interim(card, 1.5 * HOUR - 200);
    return card;
  }

  test("and refuses is not asked again for this end, and said to by the card's number", async () => {
    const card = oneCutShort();
    routers.answer = { kind: "failed", reason: "the router core refused the CoA-Request" };
    const busy = enforcer();
    const { failures, untold = [], changed } = await busy.run();
    expect([failures, changed]).toEqual([[], 0]);
    expect(untold).toEqual([
      expect.stringMatching(new RegExp(`^${cardNumber(card.id)}: the router core refused the CoA-Request`)),
    ]);
    for (const at of [1.5 * HOUR - 180, 1.5 * HOUR - 10, 1.5 * HOUR + 10, 2 * HOUR]) {
      interim(card, at);
      expect(await busy.run()).toEqual({ ended: 0, changed: 0, failures: [] });
    }
    expect(routers.take()).toHaveLength(1);
    // it was no end of a session: that is asked for at once
    interim(card, 3 * HOUR);
    routers.answer = { kind: "acknowledged" };
    expect(await busy.run()).toMatchObject({ ended: 1 });
  });

  test("and says nothing is asked again, later each time, until it has cut the session", async () => {
    const card = oneCutShort();
    routers.answer = { kind: "failed", reason: "silence", isSilent: true };
    const busy = enforcer();
    for (let at = 1.5 * HOUR - 200; at <= 2 * HOUR; at += 10) {
      interim(card, at);
      await busy.run();
    }
    expect(routers.take().length).toBeLessThanOrEqual(4);
    expect(db.$client.query("SELECT * FROM told_ends").all()).toEqual([]);
  });

  test("and drops that alone is asked to end sessions as soon as ever, and costs a run one request", async () => {
    routers.answer = (request) =>
      request.startsWith("timeout")
        ? { kind: "failed", reason: "silence", isSilent: true }
        : { kind: "acknowledged" };
    for (let nth = 0; nth < 30; nth++) open(usedCard(), `b${nth}`, 1.5 * HOUR);
    const spent = usedCard();
    open(spent, "spent", 3 * HOUR);
    const busy = enforcer();
    now = NOW + 1.5 * HOUR - 200;
    expect(await busy.run()).toMatchObject({ ended: 0, changed: 0, failures: [] });
    expect(routers.take()).toHaveLength(1);
    db.$client.run("UPDATE cards SET used_seconds = ? WHERE id = ?", [3 * HOUR, spent.id]);
    now += 10;
    expect(await busy.run()).toMatchObject({ ended: 1 });
    expect(routers.take()).toEqual(["disconnect spent"]);
  });

  test("is not asked again because of another session of the card", async () => {
    const card = usedCard();
    open(card, "b", 1.5 * HOUR);
    open(card, "c", 1.5 * HOUR + 100, { nasAddress: "127.0.0.3" });
    routers.answer = { kind: "failed", reason: "the router core refused the CoA-Request" };
    const busy = enforcer();
    now = NOW + 1.5 * HOUR - 290;
    await busy.run();
    expect(routers.take().map((request) => request.split(" ")[1])).toEqual(["b"]);
    now += 100;
    await busy.run();
    expect(routers.take().map((request) => request.split(" ")[1])).toEqual(["c"]);
  });

  test("and says nothing keeps none of a card's sessions at other routers waiting", async () => {
    const card = usedCard();
    open(card, "b", 3 * HOUR);
    routers.answer = (request) =>
      request === "disconnect b"
        ? { kind: "failed", reason: "silence", isSilent: true }
        : { kind: "acknowledged" };
    db.$client.run("UPDATE cards SET used_seconds = ?", [3 * HOUR]);
    const busy = enforcer();
    await busy.run();
    open(card, "c", 60, { nasAddress: "127.0.0.3" });
    now += 10;
    expect(await busy.run()).toMatchObject({ ended: 1, failures: [] });
    expect(routers.take()).toEqual(["disconnect b", "disconnect c"]);
  });

  test("at first does it later", async () => {
    const card = oneCutShort();
    routers.answer = { kind: "failed", reason: "silence", isSilent: true };
    const busy = enforcer();
    await busy.run();
    routers.answer = { kind: "acknowledged" };
    interim(card, 1.5 * HOUR - 180);
    expect(await busy.run()).toMatchObject({ changed: 1 });
    expect(routers.take()).toEqual([`timeout b ${3 * HOUR}`, `timeout b ${3 * HOUR}`]);
  });

  test("has the session no more: the books close it", async () => {
    oneCutShort();
    routers.answer = { kind: "gone" };
    await enforcer().run();
    expect(db.$client.query("SELECT closed_by AS by FROM sessions").all()).toEqual([{ by: "disconnect" }]);
  });
});

test("a server that starts again knows what routers were told", async () => {
  const card = usedCard();
  open(card, "b", 1.5 * HOUR);
  interim(card, 1.5 * HOUR - 200);
  await enforcer().run();
  expect(routers.take()).toHaveLength(1);
  await enforcer().run();
  expect(routers.take()).toEqual([]);
});

test("a card that becomes void is ended, and told nothing", async () => {
  const card = usedCard();
  open(card, "b", 1.5 * HOUR);
  interim(card, 1.5 * HOUR - 200);
  voidCard(db, by, { id: card.id, reason: "lost" }, { now });
  await enforcer().run();
  expect(routers.take()).toEqual(["disconnect b"]);
  expect(placesOf(db, card.code)).toEqual([]);
});
