import { describe, expect, test } from "bun:test";
import { getTableColumns } from "drizzle-orm";
import { openWriter, write } from "../../../../db/open.ts";
import { ledgerEntries } from "../../../../db/schema.ts";
import { expirationsAhead, expiringToday } from "../../../../src/domain/around/today/expirations.ts";
import { onlineCurve, rejectedOften, routersNow } from "../../../../src/domain/around/today/lines.ts";
import { monthEarlier, owedNow, takenByDay, takenToday } from "../../../../src/domain/around/today/money.ts";
import { standingNow } from "../../../../src/domain/around/today/standing.ts";
import { paymentSums } from "../../../../src/domain/money/payments/find.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { reportCollections } from "../../../../src/domain/around/reports/money.ts";
import { reportExpiring } from "../../../../src/domain/around/reports/renewals.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { formatTime, localDay } from "../../../../src/domain/core/time/time.ts";
import { sumDays } from "../../../../src/domain/money/sums/days.ts";
import { aPackage, aSubscriber, by as operator, DAY, loadIsp } from "../../../support/isp.ts";
import { boss, cashier, office, seller } from "../../../support/office.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

const at = { now: NOW };
const ends = (days: number) => ({ current_expiration_date: formatTime(NOW + days * DAY) });

describe("who expires", () => {
  const cases: [what: string, values: object, [expiring: number, needMoney: number, renewing: number]][] = [
    ["has too little", { balance: "14.99" }, [1, 1, 0]],
    ["has the price", { balance: "15.00" }, [1, 0, 0]],
    ["has the price and renews itself", { balance: "15.00", auto_renew: 1 }, [1, 0, 1]],
    ["would renew itself, and has too little", { balance: "0.00", auto_renew: 1 }, [1, 1, 0]],
    ["pays later", { balance: "0.00", package_id: 2 }, [1, 0, 0]],
    ["is disabled", { balance: "0.00", status: 0 }, [0, 0, 0]],
    ["ends after that", { balance: "0.00", ...ends(8) }, [0, 0, 0]],
    ["has ended", { balance: "0.00", ...ends(-1) }, [0, 0, 0]],
  ];
  test.each(cases)("one that %s counts so", async (_, values, [expiring, needMoney, renewing]) => {
    using store = temporaryStore();
    await loadIsp(store.db, {
      packages: [aPackage(2, { billing_type: "postpaid" })],
      subscribers: [aSubscriber(1, { ...ends(0.25), ...values })],
    });
    expect(expirationsAhead(store.db, operator, { days: 2 }, at)).toEqual([
      { day: localDay(NOW), expiring, needMoney, renewing },
      { day: localDay(NOW + DAY), expiring: 0, needMoney: 0, renewing: 0 },
    ]);
    const reported = reportExpiring(store.db, operator, { days: 2 }, at).rows.map((row) => [
      row.expiring,
      row.needMoney,
      row.covered,
    ]);
    expect(reported).toEqual(expiring === 0 ? [] : [[expiring, needMoney, renewing]]);
    const today = expiringToday(store.db, operator, { limit: 9 }, at);
    expect(today.map(({ missing }) => missing > 0)).toEqual(expiring === 1 ? [needMoney === 1] : []);
  });

  test("how many there are is counted at once, before the first count of the hour", async () => {
    using store = temporaryStore();
    const subscribers = [1, 2, -1].map((days, index) => aSubscriber(index + 1, ends(days)));
    await loadIsp(store.db, { subscribers });
    expect(standingNow(store.db, operator, at)).toMatchObject({ subscribers: 3, active: 2 });
  });

  test("few are counted at once after it too: who signs somebody up sees one more", async () => {
    using store = temporaryStore();
    await loadIsp(store.db, { subscribers: [aSubscriber(1, ends(1))] });
    await sumDays(store.db, operator, at);
    await loadIsp(store.db, { subscribers: [aSubscriber(2, ends(1))] });
    expect(standingNow(store.db, operator, at)).toMatchObject({ subscribers: 2, active: 2 });
  });

  test("of many that were just brought in the count stands for a minute, so that no page counts them again", async () => {
    using store = temporaryStore();
    const many = Array.from({ length: 1001 }, (_, index) => aSubscriber(index + 1, ends(1)));
    await loadIsp(store.db, { subscribers: many });
    const active = (now: number) => standingNow(store.db, operator, { now }).active;
    expect(active(NOW)).toBe(1001);
    store.db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 1");
    expect([active(NOW + 59), active(NOW + 60)]).toEqual([1001, 1000]);
  });

  test("who has lapsed is who ended in the last 7 days", async () => {
    using store = temporaryStore();
    const subscribers = [-0.1, -6.9, -7.1, 1].map((days, index) => aSubscriber(index + 1, ends(days)));
    await loadIsp(store.db, { subscribers });
    expect(standingNow(store.db, operator, at).lapsed).toBe(2);
  });
});

describe("money of the day", () => {
  test("is by all and by who asks; a Reseller's is what it keeps", async () => {
    using store = await office();
    takePayment(store.db, boss, { staffId: 2, amount: 5000, method: "bank" }, at);
    takePayment(store.db, cashier, { subscriberId: 2, amount: 2200, method: "cash" }, at);
    takePayment(store.db, seller, { subscriberId: 1, amount: 1000, method: "cash" }, at);
    const viewer = (actor: typeof boss) => ({ ...actor, flags: new Set([...actor.flags, "payment_view"]) });
    expect(takenToday(store.db, viewer(cashier), at)).toMatchObject({
      taken: 7200,
      payments: 2,
      own: { taken: 2200, payments: 1 },
      methods: [
        { method: "bank", taken: 5000 },
        { method: "cash", taken: 2200 },
      ],
    });
    expect(takenToday(store.db, viewer(seller), at)).toMatchObject({ taken: 1000, own: { payments: 1 } });
    expect(takenByDay(store.db, viewer(boss), { days: 2 }, at).map(({ taken }) => taken)).toEqual([0, 7200]);
  });

  test("of days that are over is kept until something is booked on them, and never what was undone", async () => {
    using store = await office();
    const { db } = store;
    const viewer = { ...boss, flags: new Set([...boss.flags, "payment_view", "report_view"]) };
    const pay = (amount: number, daysAgo: number) =>
      takePayment(db, cashier, { subscriberId: 2, amount, method: "cash" }, { now: NOW - daysAgo * DAY });
    const days = () => takenByDay(db, viewer, { days: 3 }, at).map(({ taken }) => taken);
    const sum = () =>
      reportCollections(db, viewer, { from: NOW - 2 * DAY, to: NOW, by: [] }).rows.map(({ net }) => net);
    pay(100, 2);
    expect([days(), sum()]).toEqual([[100, 0, 0], [100]]);
    pay(30, 0);
    expect([days(), sum()]).toEqual([[100, 0, 30], [130]]);
    // by another connection, of a clock that was behind
    const { $client: other } = openWriter(store.folder, { busyTimeout: 1000 });
    const columns = Object.values(getTableColumns(ledgerEntries)).flatMap(({ name }) =>
      name === "id" ? [] : [name],
    );
    other.run(
      `INSERT INTO ledger_entries (${columns.join()}) SELECT ${columns.join()} FROM ledger_entries ORDER BY id LIMIT 1`,
    );
    other.close();
    expect([days(), sum()]).toEqual([[200, 0, 30], [230]]);
    expect(() =>
      write(db, () => {
        pay(7, 1);
        expect([days(), sum()]).toEqual([[200, 7, 30], [237]]);
        throw new Error("undone");
      }),
    ).toThrow("undone");
    pay(9, 0);
    expect([days(), sum()]).toEqual([[200, 0, 39], [239]]);
    db.$client.run("UPDATE isps SET name = 'Renamed'");
    const { rows } = reportCollections(db, viewer, { from: NOW - 2 * DAY, to: NOW, by: ["day"] });
    expect(new Set(rows.map(({ isp }) => isp))).toEqual(new Set(["Renamed"]));
  });

  test("is the same on Today, above the payments and in the report of collections, and what the others took is said beside it", async () => {
    using store = await office();
    const { db } = store;
    const viewer = (actor: typeof boss) => ({
      ...actor,
      flags: new Set([...actor.flags, "payment_view", "report_view"]),
    });
    const range = { from: NOW - 3600, to: NOW + 3600 };
    takePayment(db, cashier, { subscriberId: 2, amount: 2200, method: "cash" }, at);
    const wrong = takePayment(db, cashier, { subscriberId: 2, amount: 900, method: "cash" }, at);
    reversePayment(db, boss, { paymentId: wrong.payment.id, reason: "typed twice" }, { now: NOW + 1 });
    takePayment(db, boss, { staffId: 2, amount: 5000, method: "bank" }, at);
    takePayment(db, seller, { subscriberId: 1, amount: 1000, method: "cash" }, at);
    takePayment(db, cashier, { subscriberId: 1, amount: 300, method: "cash" }, at);
    for (const [who, taken, gross, elsewhere] of [
      [boss, 7500, 8400, 1000],
      [seller, 1000, 1000, 300],
    ] as const) {
      const by = viewer(who);
      const [payments] = paymentSums(db, by, range) ?? [];
      expect(payments).toMatchObject({ taken: gross, reversed: gross - taken, refunded: 0, elsewhere });
      expect(takenToday(db, by, at)).toMatchObject({ taken, back: gross - taken, elsewhere });
    }
    const [report] = reportCollections(db, viewer(boss), { ...range, by: [] }).rows;
    expect(report).toMatchObject({ taken: 8400, net: 7500, byResellers: 1000 });
  });

  test("what is owed is what wallets lack", async () => {
    using store = await office();
    activate(store.db, boss, { subscriberId: 2, packageId: 2 }, at);
    expect(owedNow(store.db, boss)).toEqual({ currency: "USD", owed: 2000, subscribers: 1 });
  });

  test.each([
    [20300331, 20300228],
    [20300115, 20291215],
  ])("the day of the month before %d is %d", (day, before) => expect(monthEarlier(day)).toBe(before));
});

describe("lines", () => {
  test("a router with sessions that says nothing for ten minutes is silent", async () => {
    using store = temporaryStore();
    await loadIsp(store.db);
    const minute = store.db.$client.query<unknown, number[]>(
      "INSERT INTO nas_minutes VALUES (?, ?, ?, ?, 1, 0, ?, 0)",
    );
    for (let back = 20; back > 0; back -= 1) {
      minute.run(1, NOW - back * 60, 1, 7, 1);
      if (back > 11) minute.run(2, NOW - back * 60, 2, 3, 1);
    }
    store.db.$client.run(
      `INSERT INTO nas_minutes (nas_id, at, isp_id, sessions) VALUES (2, ${NOW - 60}, 2, 3)`,
    );
    expect(routersNow(store.db, operator, at)).toMatchObject([
      { name: "core", sessions: 7, logins: 1, isSilent: false },
      { name: "south", sessions: 3, logins: 0, isSilent: true, heardAt: NOW - 720 },
    ]);
    const { routers, times } = onlineCurve(store.db, operator, { span: "day" }, at);
    expect(times).toHaveLength(97);
    // at 11:45 both had sessions; before that nobody counted
    expect(routers.map(({ values }) => values.slice(-2))).toEqual([
      [null, 7],
      [null, 3],
    ]);
  });

  test("names that were refused more than three times, whether they are somebody's or not", async () => {
    using store = temporaryStore();
    await loadIsp(store.db, { subscribers: [aSubscriber(1)] });
    const log = store.db.$client.query<unknown, (number | string | null)[]>(
      "INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason) VALUES (?, 1, '127.0.0.1', ?, ?, 0, ?)",
    );
    for (const _ of Array(5)) log.run(NOW - 60, "user1", 1, "wrong_password");
    log.run(NOW - 10, "user1", 1, "mac_locked");
    for (const _ of Array(4)) log.run(NOW - 60, "usr1", null, "unknown_user");
    for (const _ of Array(3)) log.run(NOW - 60, "rare", null, "unknown_user");
    for (const _ of Array(9)) log.run(NOW - 7200, "past", null, "unknown_user");
    const options = { moreThan: 3, since: NOW - 3600, limit: 5 };
    expect(rejectedOften(store.db, operator, options)).toEqual({
      total: 2,
      rows: [
        { username: "user1", subscriberId: 1, name: "User 1", times: 6, reason: "mac_locked", at: NOW - 10 },
        { username: "usr1", subscriberId: null, name: null, times: 4, reason: "unknown_user", at: NOW - 60 },
      ],
    });
  });
});
