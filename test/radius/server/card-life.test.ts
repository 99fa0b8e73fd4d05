import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { recordDecisions } from "../../../src/domain/service/access/auth-log.ts";
import { cardNumber, printedCode } from "../../../src/domain/goods/codes/codes.ts";
import { recordFirstUses } from "../../../src/domain/service/cards/first-use.ts";
import { unlockCard } from "../../../src/domain/service/cards/unlock.ts";
import { Enforcer } from "../../../src/domain/service/enforcement/enforce.ts";
import { makeRouters } from "../../../src/domain/service/control/routers.ts";
import type { Input } from "../../../src/domain/core/fields/fields.ts";
import { CoaClient } from "../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../src/radius/client/coa-requests.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { type MadeCard, makeCard, placesOf, storedCard } from "../../support/card-codes.ts";
import { FakeNas } from "../../support/fake-nas.ts";
import { by, NAS_SECRET } from "../../support/isp.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { eventually, startTestRadius } from "../../support/radius-server.ts";
import { NOW } from "../../support/store.ts";

/* A card from its first login to its end, as the access thread, accounting and main make it together. */

const HOUR = 3600;
const PHONE = "02:00:00:00:00:01";
const LAPTOP = "02:00:00:00:00:02";
const HILL = { ...FROM, address: "127.0.0.3" };
const nas = [
  { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET },
  { id: 2, isp_id: 2, name: "south", address: "127.0.0.2", secret: NAS_SECRET },
  { id: 3, isp_id: 1, name: "hill", address: "127.0.0.3", secret: NAS_SECRET },
];

describe("by the packets", () => {
  let handlers: TestHandlers;
  beforeEach(async () => {
    handlers = await TestHandlers.open({ nas });
  });
  afterEach(() => handlers[Symbol.asyncDispose]());

  const card = (input: Input = {}) => makeCard(handlers.db, input, NOW - HOUR);
  const stored = ({ id }: MadeCard) => storedCard(handlers.db, id);
  const at = (seconds: number) => {
    handlers.clock.now = NOW + seconds;
    handlers.clock.uptime += 20;
  };

  /** The Class and the Session-Timeout of an Accept; else why not. */
  function login({ code }: MadeCard, mac = PHONE, source = FROM) {
    const attributes: NamedAttribute[] = [
      ["NAS-Port-Type", 19],
      ["Calling-Station-Id", mac],
    ];
    const reply = handlers.login({ name: code, password: code, attributes }, source);
    const [bytes] = reply?.attributes["Class"] ?? [];
    const [timeout] = reply?.attributes["Session-Timeout"] ?? [];
    const reason = handlers.decided.at(-1)?.reason;
    return { reason, timeout, sessionClass: Buffer.isBuffer(bytes) ? bytes : undefined };
  }

  /** What main does with the decisions that were posted. */
  function settle(): void {
    recordFirstUses(handlers.db, handlers.decided);
    recordDecisions(handlers.db, handlers.decided);
  }

  async function tell(
    status: AccountingStatus,
    { code }: MadeCard,
    sent: { id?: string; mac?: string; seconds?: number; octets?: number; class?: Buffer | undefined },
    source = FROM,
  ) {
    const { id = "80000001", mac = PHONE, seconds, octets } = sent;
    const attributes: NamedAttribute[] = [
      ["User-Name", code],
      ["Acct-Session-Id", id],
      ["Calling-Station-Id", mac],
      ...(sent.class ? [["Class", sent.class] as const] : []),
      ...(seconds === undefined ? [] : [["Acct-Session-Time", seconds] as const]),
      ...(octets === undefined
        ? []
        : [["Acct-Input-Octets", octets] as const, ["Acct-Output-Octets", 0] as const]),
    ];
    expect((await handlers.account(status, attributes, source))?.code).toBe("Accounting-Response");
  }

  test("an Accept whose write was lost is made up for by the Start", async () => {
    const one = card();
    expect(login(one).reason).toBe("accepted");
    at(2);
    await tell("Start", one, {});
    expect(stored(one)).toMatchObject({ state: "active", firstUsedAt: NOW + 2 });
    settle(); // it was only late
    expect(stored(one)).toMatchObject({ firstUsedAt: NOW, endsAt: NOW + HOUR });
  });

  test("an Accept that was never written and had no Start leaves the card unused", () => {
    const one = card();
    login(one);
    at(HOUR);
    expect(stored(one)).toMatchObject({ state: "new", firstUsedAt: null });
    expect(login(one)).toMatchObject({ reason: "accepted", timeout: HOUR });
  });

  test("two routers at one moment: the earlier use counts, whichever is written first", async () => {
    const one = card({ devices: 2 });
    at(1);
    const hill = login(one, LAPTOP, HILL);
    at(0);
    const core = login(one, PHONE);
    expect([hill.reason, core.reason]).toEqual(["accepted", "accepted"]);
    at(3);
    await tell("Start", one, { mac: LAPTOP, class: hill.sessionClass }, HILL);
    await tell("Start", one, { mac: PHONE, class: core.sessionClass });
    settle();
    settle();
    expect(stored(one)).toMatchObject({ firstUsedAt: NOW, endsAt: NOW + HOUR });
    expect(
      handlers.db.$client
        .query("SELECT count(*) AS n FROM sessions WHERE card_id = ? AND accepted_as = 'accepted'")
        .get(one.id),
    ).toEqual({ n: 2 });
  });

  test("a Start that was delayed for days, by its router's word, dates no Accept back", async () => {
    const one = makeCard(handlers.db, {}, NOW - 20 * 24 * HOUR);
    const { sessionClass } = login(one);
    at(2);
    await handlers.account("Start", [
      ["User-Name", one.code],
      ["Acct-Session-Id", "80000001"],
      ["Class", sessionClass ?? Buffer.alloc(0)],
      ["Acct-Delay-Time", 9 * 24 * HOUR],
    ]);
    expect(stored(one)).toMatchObject({ state: "active", firstUsedAt: NOW, endsAt: NOW + HOUR });
    settle();
    expect(stored(one)).toMatchObject({ firstUsedAt: NOW });
    const two = makeCard(handlers.db, {}, NOW - 20 * 24 * HOUR);
    await handlers.account("Interim-Update", [
      ["User-Name", two.code],
      ["Acct-Session-Id", "80000002"],
      ["Acct-Session-Time", 9 * 24 * HOUR],
    ]);
    expect(stored(two)).toMatchObject({ firstUsedAt: NOW + 2 - 24 * HOUR });
  });

  test("what an old device sends late does not take a card back that staff let go of", async () => {
    const one = card({ lock_first_device: 1, devices: 2 });
    const old = login(one, PHONE);
    settle();
    at(60);
    unlockCard(handlers.db, by, { id: one.id }, { now: NOW + 60 });
    const next = login(one, LAPTOP);
    expect(next.reason).toBe("accepted");
    // the write of that Accept is lost
    await tell("Interim-Update", one, { id: "a", mac: PHONE, seconds: 55, class: old.sessionClass });
    expect(stored(one).lockedMac).toBeNull();
    await tell("Start", one, { id: "b", mac: LAPTOP, class: next.sessionClass });
    expect(stored(one)).toMatchObject({ lockedMac: LAPTOP, firstUsedAt: NOW });
    await tell("Start", one, { id: "a", mac: PHONE, class: old.sessionClass });
    settle();
    expect(stored(one)).toMatchObject({ lockedMac: LAPTOP, firstUsedAt: NOW });
  });

  test("a session counts among those at a time, and its time is what the next one has less", async () => {
    const one = card({ by_clock: 0, uptime_seconds: 600 });
    const first = login(one);
    expect(first.timeout).toBe(600);
    settle();
    await tell("Start", one, { class: first.sessionClass });
    expect(login(one, LAPTOP).reason).toBe("too_many_sessions");
    at(200);
    await tell("Stop", one, { class: first.sessionClass, seconds: 200 });
    expect(login(one, LAPTOP)).toMatchObject({ reason: "accepted", timeout: 400 });
    // the server and the router start again, and what was used stays used
    at(201);
    await handlers.account("Accounting-On", []);
    await tell("Interim-Update", one, { id: "b", mac: LAPTOP, seconds: 399 });
    expect(handlers.crossed).toEqual([]);
    await tell("Stop", one, { id: "b", mac: LAPTOP, seconds: 400 });
    expect(handlers.crossed).toEqual([{ cardId: one.id }]);
    at(700);
    expect(login(one).reason).toBe("card_used_up");
  });

  test("a session at a router that died does not lock the card out for its own device", async () => {
    const one = card();
    await tell("Start", one, {});
    settle();
    at(60);
    const again = login(one);
    expect(again.reason).toBe("accepted");
    await tell("Start", one, { id: "b", class: again.sessionClass });
    const open = handlers.db.$client
      .query("SELECT acct_session_id AS id FROM sessions WHERE stopped_at IS NULL ORDER BY id")
      .all();
    expect(open).toEqual([{ id: "b" }]);
  });

  test("an hour by the clock is over online for every session of the card", async () => {
    const one = card({ devices: 2 });
    await tell("Start", one, {});
    at(1800);
    const second = login(one, LAPTOP, HILL);
    expect(second.timeout).toBe(1800);
    await tell("Start", one, { id: "b", mac: LAPTOP, class: second.sessionClass }, HILL);
    at(HOUR);
    expect(login(one).reason).toBe("card_expired");
    const router = await FakeNas.start({}, { secret: NAS_SECRET });
    const hill = await FakeNas.start({}, { secret: NAS_SECRET, address: "127.0.0.3" });
    handlers.db.$client.run("UPDATE nas SET coa_port = iif(id = 1, ?, ?)", [router.port, hill.port]);
    const clock = () => handlers.clock.now;
    const client = new CoaClient({ clock });
    const api = { disconnect: unasked, find: unasked };
    const routers = makeRouters(handlers.db, { coa: coaRequests(client), api });
    expect(await new Enforcer(handlers.db, { clock, routers }).run()).toMatchObject({
      ended: 1,
      failures: [],
    });
    const names = [router, hill].map(({ requests }) =>
      requests.map(({ attributes }) => Buffer.from(attributes[0]?.[1] ?? "", "hex").toString()),
    );
    expect(names).toEqual([[one.code], [one.code]]);
    await client.close();
    for (const fake of [router, hill]) fake[Symbol.dispose]();
    settle();
    for (const text of [one.code, printedCode(one.code)]) expect(placesOf(handlers.db, text)).toEqual([]);
    const named = handlers.db.$client.query("SELECT DISTINCT username FROM auth_log").all();
    expect(named).toEqual([{ username: cardNumber(one.id) }]);
  });
});

async function unasked(): Promise<never> {
  throw new Error("its API is not set up");
}

test("the threads tell main that a card is used up", async () => {
  await using radius = await startTestRadius();
  const one = makeCard(radius.db, { data_quota_bytes: 1000 }, NOW - HOUR);
  const client = radius.client();
  const attributes: NamedAttribute[] = [
    ["User-Name", one.code],
    ["Acct-Session-Id", "a"],
    ["Calling-Station-Id", PHONE],
  ];
  await client.accounting("Start", attributes);
  expect(storedCard(radius.db, one.id).state).toBe("active");
  await client.accounting("Interim-Update", [
    ...attributes,
    ["Acct-Session-Time", 5],
    ["Acct-Input-Octets", 1000],
    ["Acct-Output-Octets", 0],
  ]);
  expect(await eventually(() => radius.crossed.length === 1)).toBe(true);
  expect(radius.crossed).toEqual([{ cardId: one.id }]);
});
