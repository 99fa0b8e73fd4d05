import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { endOfCard } from "../../../src/domain/service/cards/first-use.ts";
import { cardNumber, printedCode } from "../../../src/domain/goods/codes/codes.ts";
import { hiddenCode } from "../../../src/domain/service/cards/reader.ts";
import { recordFirstUse } from "../../../src/domain/service/cards/first-use.ts";
import { UNKNOWN_USERS_AN_HOUR } from "../../../src/domain/service/accounting/unknown-users.ts";
import type { Input } from "../../../src/domain/core/fields/fields.ts";
import { write } from "../../../db/open.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { type MadeCard, makeBatch, makeCard, placesOf, storedCard } from "../../support/card-codes.ts";
import { aSubscriber, NAS_SECRET } from "../../support/isp.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { formatTime } from "../../../src/domain/core/time/time.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const HOUR = 3600;
const OTHER_ROUTER = { ...FROM, address: "127.0.0.3" };
const SOUTH = { ...FROM, address: "127.0.0.2" };

let handlers: TestHandlers;
beforeEach(async () => {
  handlers = await TestHandlers.open({
    subscribers: [aSubscriber(1)],
    nas: [
      { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET },
      { id: 2, isp_id: 2, name: "south", address: "127.0.0.2", secret: NAS_SECRET },
      { id: 3, isp_id: 1, name: "hill", address: "127.0.0.3", secret: NAS_SECRET },
    ],
  });
});
afterEach(() => handlers[Symbol.asyncDispose]());

const card = (input?: Input, madeAt = NOW - HOUR) => makeCard(handlers.db, input, madeAt);
const stored = ({ id }: MadeCard) => storedCard(handlers.db, id);

interface ReportFields {
  name: string;
  at?: number;
  session?: string;
  mac?: string;
  seconds?: number;
  octets?: number;
  source?: typeof FROM;
  more?: readonly NamedAttribute[];
}

/** One packet, `at` seconds from NOW, which is acknowledged. */
async function tell(status: AccountingStatus, sent: ReportFields): Promise<void> {
  const { name, at = 0, session = "80000001", mac = "00:50:56:25:8B:97", source, more = [] } = sent;
  handlers.clock.now = NOW + at;
  handlers.clock.uptime += 20;
  const attributes: NamedAttribute[] = [
    ...(name === "" ? [] : [["User-Name", name] as const]),
    ["Acct-Session-Id", session],
    ["NAS-Port-Type", 19],
    ["Calling-Station-Id", mac],
    ...(sent.seconds === undefined ? [] : [["Acct-Session-Time", sent.seconds] as const]),
    ...(sent.octets === undefined
      ? []
      : [["Acct-Input-Octets", sent.octets] as const, ["Acct-Output-Octets", 0] as const]),
    ...more,
  ];
  const reply = await handlers.account(status, attributes, source);
  expect(reply?.code).toBe("Accounting-Response");
}

const sessions = () =>
  handlers.db.$client
    .query<Record<string, unknown>, []>(
      "SELECT username, card_id, subscriber_id, stopped_at, closed_by, session_time FROM sessions ORDER BY id",
    )
    .all();

describe("a session of a card", () => {
  test("is kept under the number, from Start over Interims to Stop, however its code was typed", async () => {
    const one = card();
    await tell("Start", { name: one.code });
    await tell("Start", { name: one.code, at: 1 });
    await tell("Interim-Update", { name: printedCode(one.code).toLowerCase(), at: 60, seconds: 60 });
    await tell("Stop", { name: one.code, at: 90, seconds: 90 });
    expect(sessions()).toEqual([
      {
        username: cardNumber(one.id),
        card_id: one.id,
        subscriber_id: null,
        stopped_at: NOW + 90,
        closed_by: "stop",
        session_time: 90,
      },
    ]);
    expect(handlers.reports.take().length).toBeGreaterThan(0);
  });

  test("leaves its code nowhere in the store, in no writing", async () => {
    const one = card();
    for (const [at, name] of [one.code, printedCode(one.code), `isp\\${one.code}`].entries())
      await tell("Start", { name, session: `8000000${at}`, at });
    await tell("Start", { name: one.code, source: SOUTH });
    for (const text of [one.code, printedCode(one.code)]) expect(placesOf(handlers.db, text)).toEqual([]);
    expect(sessions().map(({ username }) => username)).toEqual([
      ...Array.from({ length: 3 }, () => cardNumber(one.id)),
      hiddenCode(one.code),
    ]);
  });

  test("is no card's at the router of another ISP, who learns not even the number", async () => {
    const one = card();
    await tell("Start", { name: one.code, source: SOUTH });
    expect(sessions()).toMatchObject([{ username: hiddenCode(one.code), card_id: null }]);
    expect(stored(one)).toMatchObject({ state: "new", firstUsedAt: null });
  });

  test("is the subscriber's where somebody has that name", async () => {
    const one = card();
    handlers.db.$client.run("UPDATE subscribers SET username = ?, username_key = ?", [
      one.code,
      one.code.toLowerCase(),
    ]);
    await tell("Start", { name: one.code });
    expect(sessions()).toMatchObject([{ username: one.code, card_id: null, subscriber_id: 1 }]);
  });

  test("of a card that is redeemed is nobody's, and its code is not kept either", async () => {
    const refill = card({ kind: "refill", package_id: null, duration: null, duration_unit: null });
    await tell("Start", { name: refill.code });
    expect(sessions()).toMatchObject([{ username: cardNumber(refill.id), card_id: null }]);
    expect(stored(refill)).toMatchObject({ state: "new", firstUsedAt: null });
  });

  test("is not dropped where a router tells of too many unknown names", async () => {
    const cards = makeBatch(handlers.db, { quantity: UNKNOWN_USERS_AN_HOUR + 5 });
    for (const { code, id } of cards) {
      const mac = `02:00:00:00:${Math.floor(id / 256).toString(16)}:${(id % 256).toString(16)}`;
      const { datagram } = handlers.client.prepareAccounting("Start", [
        ["User-Name", code],
        ["Acct-Session-Id", `s${id}`],
        ["Calling-Station-Id", mac],
      ]);
      handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, () => {});
    }
    await handlers.accountingHandler.drain(60_000);
    expect(sessions()).toHaveLength(UNKNOWN_USERS_AN_HOUR + 5);
    expect(handlers.crowded).toEqual([]);
  });

  test("closes the one before on the same device at the same router, whose Stop was lost", async () => {
    const one = card({ devices: 3 });
    await tell("Start", { name: one.code, session: "a" });
    await tell("Start", { name: one.code, session: "b", mac: "00:50:56:25:8B:98" });
    await tell("Start", { name: one.code, session: "c", at: 100 });
    expect(sessions().map(({ stopped_at, closed_by }) => [stopped_at, closed_by])).toEqual([
      [NOW + 100, "lost_stop"],
      [null, null],
      [null, null],
    ]);
  });

  test("ends with its router's restart", async () => {
    const one = card();
    await tell("Start", { name: one.code });
    await tell("Accounting-On", { name: "", at: 100 });
    expect(sessions()).toMatchObject([{ stopped_at: NOW + 100, closed_by: "accounting_on" }]);
  });
});

describe("an unknown name", () => {
  test("that could be a code keeps its first three characters", async () => {
    // as most of them look: drawn, not chosen
    const code = makeBatch(handlers.db, { quantity: 9 })
      .map((one) => one.code)
      .find((one) => /[A-Z].*[A-Z]./.test(one));
    if (code === undefined) throw new Error("nine codes without two letters");
    const wrong = code.replace(/.$/, (last) => (last === "2" ? "3" : "2"));
    await tell("Start", { name: wrong, session: "a" });
    await tell("Interim-Update", { name: wrong, session: "a", at: 60, seconds: 60 });
    await tell("Start", { name: printedCode(wrong).toLowerCase(), session: "b", mac: "00:50:56:25:8B:98" });
    await tell("Start", { name: `${wrong}2`, session: "c", mac: "00:50:56:25:8B:99" });
    expect(sessions().map(({ username }) => username)).toEqual([
      hiddenCode(wrong),
      hiddenCode(wrong),
      hiddenCode(wrong),
    ]);
  });

  test("is seen to have the form of a batch that was made a moment ago", async () => {
    await tell("Start", { name: "123456789", session: "a" });
    card({ alphabet: "0123456789" });
    await tell("Start", { name: "123456789", session: "b", mac: "00:50:56:25:8B:98" });
    expect(sessions().map(({ username }) => username)).toEqual(["123456789", "123…"]);
  });
});

describe("the first use", () => {
  test("is the Start, where no Accept told of it, and the end by the clock follows", async () => {
    const one = card();
    await tell("Start", { name: one.code, at: 5 });
    expect(stored(one)).toMatchObject({
      state: "active",
      firstUsedAt: NOW + 5,
      endsAt: NOW + 5 + HOUR,
      lockedMac: null,
    });
  });

  test("is the earlier of two Starts at two routers, whichever was heard first", async () => {
    const one = card({ devices: 2 });
    await tell("Start", { name: one.code, at: 100 });
    const delayed = [["Acct-Delay-Time", 60]] as const;
    await tell("Start", { name: one.code, at: 101, source: OTHER_ROUTER, more: delayed });
    expect(stored(one)).toMatchObject({ firstUsedAt: NOW + 41, endsAt: NOW + 41 + HOUR });
    await tell("Start", { name: one.code, at: 200, session: "b" });
    expect(stored(one).firstUsedAt).toBe(NOW + 41);
  });

  test("is the Accept where that was earlier, and an earlier Start makes it earlier still", async () => {
    const one = card();
    const accepted = (at: number) =>
      write(handlers.db, (tx) => recordFirstUse(tx, { cardId: one.id, at: NOW + at, mac: null }));
    expect(accepted(3)).toBe(true);
    expect(accepted(4)).toBe(false);
    await tell("Start", { name: one.code, at: 10 });
    expect(stored(one).firstUsedAt).toBe(NOW + 3);
    await tell("Start", { name: one.code, at: 11, session: "b", more: [["Acct-Delay-Time", 9]] });
    expect(stored(one)).toMatchObject({ firstUsedAt: NOW + 2, endsAt: NOW + 2 + HOUR });
  });

  test("is known from an Interim or a Stop, where the Start was lost", async () => {
    const [one, two] = [card(), card()];
    await tell("Interim-Update", { name: one.code, at: 300, seconds: 300 });
    await tell("Stop", { name: two.code, at: 300, seconds: 100, session: "b" });
    expect([stored(one).firstUsedAt, stored(two).firstUsedAt]).toEqual([NOW, NOW + 200]);
    // its Start was on its way
    await tell("Start", { name: one.code, at: 301, more: [["Acct-Delay-Time", 306]] });
    expect(stored(one).firstUsedAt).toBe(NOW - 5);
  });

  test("is never before the batch was made", async () => {
    const one = card({}, NOW - 10);
    await tell("Start", { name: one.code, more: [["Acct-Delay-Time", 9999]] });
    expect(stored(one).firstUsedAt).toBe(NOW - 10);
  });

  test("binds the card to the first device, and after staff unlocked it to the next one", async () => {
    const one = card({ lock_first_device: 1 });
    await tell("Start", { name: one.code });
    await tell("Start", { name: one.code, session: "b", mac: "02:00:00:00:00:02" });
    expect(stored(one).lockedMac).toBe("00:50:56:25:8B:97");
    handlers.db.$client.run("UPDATE cards SET locked_mac = NULL");
    await tell("Start", { name: one.code, session: "c", at: 5, mac: "02:00:00:00:00:02" });
    expect(stored(one)).toMatchObject({ lockedMac: "02:00:00:00:00:02", firstUsedAt: NOW });
  });

  test("is written of no card that is void, not sold where it has to be, or had run out unused", async () => {
    const unsold = card({ needs_sale: 1 });
    const old = card({ sell_by: formatTime(NOW - 600) });
    const gone = card();
    handlers.db.$client.run("UPDATE cards SET state = 'void' WHERE id = ?", [gone.id]);
    for (const [at, one] of [unsold, old, gone].entries())
      await tell("Start", { name: one.code, session: `s${at}`, mac: `02:00:00:00:00:0${at}` });
    expect([unsold, old, gone].map((one) => [stored(one).state, stored(one).firstUsedAt])).toEqual([
      ["new", null],
      ["new", null],
      ["void", null],
    ]);
    expect(sessions().map(({ card_id }) => card_id)).toEqual([unsold.id, old.id, gone.id]);
    const late = card({ sell_by: formatTime(NOW - 600) });
    await tell("Start", { name: late.code, session: "late", more: [["Acct-Delay-Time", 700]] });
    expect(stored(late)).toMatchObject({ state: "active", firstUsedAt: NOW - 700 });
  });

  test("is in the transaction of its session: both stand, or neither", async () => {
    const one = card();
    handlers.db.$client.run(
      "CREATE TRIGGER no_room BEFORE UPDATE ON cards BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    handlers.clock.uptime += 20;
    expect(
      await handlers.account("Start", [
        ["User-Name", one.code],
        ["Acct-Session-Id", "a"],
      ]),
    ).toBeNull();
    expect([sessions(), stored(one).firstUsedAt]).toEqual([[], null]);
    handlers.db.$client.run("DROP TRIGGER no_room");
    await tell("Start", { name: one.code, session: "a" });
    expect([sessions().length, stored(one).firstUsedAt]).toEqual([1, NOW]);
  });
});

describe("what a card has used", () => {
  test("is the sum over all its sessions, whatever was repeated, late or lost", async () => {
    const one = card({ devices: 2 });
    const [a, b] = [
      { name: one.code, session: "a" },
      { name: one.code, session: "b", mac: "02:00:00:00:00:02", source: OTHER_ROUTER },
    ];
    await tell("Start", a);
    await tell("Interim-Update", { ...a, at: 60, seconds: 60, octets: 1000 });
    await tell("Interim-Update", { ...b, at: 90, seconds: 30, octets: 500 });
    await tell("Interim-Update", { ...a, at: 120, seconds: 120, octets: 3000 });
    await tell("Interim-Update", { ...a, at: 121, seconds: 60, octets: 1000 });
    await tell("Interim-Update", { ...a, at: 122, seconds: 120, octets: 3000 });
    // a counter that began again
    await tell("Interim-Update", { ...a, at: 180, seconds: 180, octets: 10 });
    expect(stored(one)).toMatchObject({ usedSeconds: 210, usedOctets: 3510 });
    // its Stop was lost, and it goes on in a session of its own
    await tell("Accounting-On", { name: "", at: 200 });
    await tell("Start", { ...a, session: "c", at: 210 });
    await tell("Stop", { ...a, session: "c", at: 220, seconds: 10, octets: 5 });
    await tell("Stop", { ...b, at: 221, seconds: 160, octets: 700 });
    await tell("Stop", { ...b, at: 222, seconds: 160, octets: 700 });
    expect(stored(one)).toMatchObject({ usedSeconds: 350, usedOctets: 3715, usedUpAt: null });
  });

  test("adds no more than the line of the card carries where a 32-bit counter began again", async () => {
    const slow = card({ devices: 2 });
    handlers.db.$client.run(
      "UPDATE card_batches SET rate_limit = '1M/1M' WHERE id = (SELECT batch_id FROM cards WHERE id = ?)",
      [slow.id],
    );
    await tell("Interim-Update", { name: slow.code, at: 60, seconds: 60, octets: 3_000_000_000 });
    await tell("Interim-Update", { name: slow.code, at: 120, seconds: 120, octets: 500 });
    expect(stored(slow).usedOctets).toBe(3_000_000_500);
    const fast = card();
    handlers.db.$client.run("UPDATE card_batches SET rate_limit = NULL");
    await tell("Interim-Update", {
      name: fast.code,
      at: 130,
      session: "b",
      seconds: 60,
      octets: 3_000_000_000,
    });
    await tell("Interim-Update", { name: fast.code, at: 190, session: "b", seconds: 120, octets: 500 });
    expect(stored(fast).usedOctets).toBe(2 ** 32 + 500);
  });

  test("ends it by time online over several sessions, which is told once", async () => {
    const one = card({ by_clock: 0, uptime_seconds: 300, devices: 2 });
    const [a, b] = [
      { name: one.code, session: "a" },
      { name: one.code, session: "b", mac: "02:00:00:00:00:02" },
    ];
    await tell("Interim-Update", { ...a, at: 200, seconds: 200 });
    expect(handlers.crossed).toEqual([]);
    await tell("Interim-Update", { ...b, at: 210, seconds: 110 });
    expect(handlers.crossed).toEqual([{ cardId: one.id }]);
    await tell("Stop", { ...a, at: 220, seconds: 220 });
    expect(stored(one)).toMatchObject({ usedSeconds: 330, usedUpAt: NOW + 210, endsAt: null });
    expect(handlers.crossed).toHaveLength(1);
  });

  test("ends it by volume, which is told once", async () => {
    const one = card({ data_quota_bytes: 1000 });
    await tell("Interim-Update", { name: one.code, at: 60, seconds: 60, octets: 999 });
    expect(stored(one).usedUpAt).toBeNull();
    await tell("Interim-Update", { name: one.code, at: 120, seconds: 120, octets: 2000 });
    await tell("Interim-Update", { name: one.code, at: 180, seconds: 180, octets: 3000 });
    expect(stored(one)).toMatchObject({ usedOctets: 3000, usedUpAt: NOW + 120 });
    expect(handlers.crossed).toEqual([{ cardId: one.id }]);
  });

  test("ends by the calendar where its batch says months", () => {
    expect(endOfCard({ duration: 30, durationUnit: "day" }, NOW)).toBe(NOW + 30 * 86_400);
  });
});
