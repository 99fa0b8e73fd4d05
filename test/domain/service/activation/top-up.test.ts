import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { invoices, services } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { quoteTopUp, topUp, topUpOffers } from "../../../../src/domain/service/activation/top-up.ts";
import { findService } from "../../../../src/domain/service/activation/plan.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { beginWindows } from "../../../../src/domain/service/fair-use/begin-windows.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { applyTopUp } from "../../../../src/domain/service/control/apply-top-up.ts";
import { countHolders } from "../../../../src/domain/goods/packages/terms.ts";
import { packageById, updatePackage } from "../../../../src/domain/goods/packages/packages.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, by, DAY, undoneIspStores, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

let store: TemporaryStore;
let db: Db;
const GB = 1e9;

beforeEach(async () => {
  store = await ispStore({
    packages: [
      aPackage(2, { data_quota_bytes: 10 * GB }),
      aPackage(3, { tiers: "5GB 1M/1M", fair_window: "month" }),
      aPackage(10, { name: "5 GB more", price: "3.00", reseller_price: "2.00", top_up_bytes: 5 * GB }),
      aPackage(11, { name: "5 GB that stay", price: "4.00", top_up_bytes: 5 * GB, top_up_rolls: 1 }),
      aPackage(12, { name: "3 days", price: "2.00", top_up_days: 3 }),
    ],
    subscribers: [newSubscriber(1, { salesperson_id: 2 })],
  });
  db = store.db;
});
afterEach(() => store[Symbol.dispose]());

const one = { subscriberId: 1 };
const buy = (packageId: number, now = NOW + 300) => topUp(db, by, { ...one, packageId }, { now });
const sell = (packageId: number, now = NOW) => activate(db, by, { ...one, packageId }, { now });
const use = (quotaUsed: number) => db.update(services).set({ quotaUsed }).run();
const service = () => findService(db, 1);
const undo = (invoiceId: number, now = NOW + 900) =>
  voidSoldInvoice(db, by, { invoiceId, reason: "mistake", endService: true }, { now });

test("bytes raise the volume of the period, and are charged, invoiced and shared as an activation is", () => {
  sell(2);
  use(9 * GB);
  const quote = quoteTopUp(db, by, { ...one, packageId: 10 }, { now: NOW + 300 });
  expect(quote).toMatchObject({
    balance: 8500,
    balanceAfter: 8200,
    bytes: 5 * GB,
    left: 6 * GB,
    rolls: false,
  });
  expect(buy(10)).toMatchObject({ charged: 300, bytes: 5 * GB, left: 6 * GB, invoiceId: 2 });
  expect(service()).toMatchObject({
    quotaTotal: 15 * GB,
    quotaUsed: 9 * GB,
    extraBytes: 5 * GB,
    rollingBytes: 0,
  });
  expect([readBalance(db, one), readBalance(db, { staffId: 2 })]).toEqual([8200, 100]);
  expect(db.select().from(invoices).all()).toMatchObject([
    {},
    { packageId: 10, packageName: "5 GB more", amount: 300, periodStart: NOW + 300, periodEnd: NOW + 300 },
  ]);
  // it has the terms that its package has
  expect(countHolders(db, by.scope, packageById(db, by, 2), NOW)).toBe(0);
});

test("days move the end, and what renewals keep to", () => {
  sell(2);
  const before = service()?.expiresAt ?? 0;
  expect(buy(12)).toMatchObject({ days: 3, expiresAt: before + 3 * DAY, left: null });
  expect(service()).toMatchObject({ expiresAt: before + 3 * DAY, quotaTotal: 10 * GB });
  // 18 February, and a month
  expect(sell(2, NOW + 600).expiresAt).toBe(before + 31 * DAY);
});

test.each([
  ["a package is no top-up", 2, () => sell(2), "is a package and no top-up"],
  ["nobody was activated", 10, () => undefined, "never activated"],
  [
    "the service has ended",
    10,
    () => (sell(2), db.update(services).set({ expiresAt: NOW }).run()),
    "has ended",
  ],
  ["bytes add nothing", 10, () => sell(1), "neither a data volume nor tiers"],
  [
    "no money",
    10,
    () => (sell(2), db.$client.run("UPDATE packages SET price = 9000 WHERE id = 10")),
    "insufficient balance",
  ],
])("is refused where %s, and nothing is booked", (_, packageId, value, words) => {
  value();
  const before = readBalance(db, one);
  expect(() => buy(packageId)).toThrow(words);
  expect(readBalance(db, one)).toBe(before);
});

test("a top-up is not activated as a package", () => {
  expect(() => sell(10)).toThrow("it by activation/top_up");
});

test("what rolls over is there after a renewal, as far as it was not used; the rest goes", () => {
  sell(2);
  buy(10);
  buy(11);
  use(17 * GB); // 10 of the package, 5 that go, 2 of those that stay
  sell(2, NOW + 600);
  expect(service()).toMatchObject({
    quotaUsed: 0,
    quotaTotal: 13 * GB,
    extraBytes: 3 * GB,
    rollingBytes: 3 * GB,
  });
});

test("at the end of a month the same, and a tier begins later by what is there", () => {
  sell(3);
  buy(11);
  use(6 * GB);
  const offers = topUpOffers(db, { ispId: 1 }, service(), NOW + 300);
  expect(offers.map(({ packageId }) => packageId)).toEqual([12, 10, 11]);
  const february = NOW + 17 * DAY;
  buy(12, february);
  expect(service()).toMatchObject({ quotaUsed: 0, extraBytes: 4 * GB, rollingBytes: 4 * GB });
});

test("one that is void takes off what it added, and what was used stays used", () => {
  sell(2);
  const before = service()?.expiresAt;
  buy(10);
  use(11 * GB);
  undo(2);
  expect(service()).toMatchObject({ quotaTotal: 10 * GB, quotaUsed: 11 * GB, extraBytes: 0 });
  buy(12, NOW + 1000);
  undo(3, NOW + 1100);
  expect(service()?.expiresAt).toBe(before);
  expect(readBalance(db, one)).toBe(8500);
});

test.each([
  ["before anything was counted in the new month", () => undefined],
  ["after it has begun", () => void beginWindows(db, by, { now: NOW + 17 * DAY })],
])("bytes that went with their month are not taken from those that stayed: %s", async (_, begin) => {
  sell(3);
  buy(11);
  const { invoiceId: goes } = buy(10);
  use(12 * GB); // 5 of the package, 5 that go, 2 of those that stay
  begin();
  undo(goes, NOW + 17 * DAY);
  buy(12, NOW + 17 * DAY + 1);
  expect(service()).toMatchObject({ quotaUsed: 0, extraBytes: 3 * GB, rollingBytes: 3 * GB });
});

test.each([
  ["all of its volume is used", 10, 0],
  ["a fifth of it is left", 8, 300],
])("a change of package gives back of the old one's volume alone: %s", (_, used, credited) => {
  sell(2);
  use(used * GB);
  buy(11);
  const change = { ...one, packageId: 1, creditUnused: true };
  expect(activate(db, by, change, { now: NOW + 600 })).toMatchObject({ credited });
});

test.each([
  ["as much as is left of its bytes", { top_up_rolls: 0 }, 13, 400],
  ["nothing once they are used", { top_up_rolls: 0 }, 15, 0],
  ["nothing where they go on with the new package", { top_up_rolls: 1 }, 10, 0],
])("of a top-up with bytes and days a change of package gives back %s", async (_, rolls, used, credited) => {
  await loadIsp(db, {
    packages: [aPackage(13, { price: "10.00", top_up_bytes: 5 * GB, top_up_days: 3, ...rolls })],
  });
  sell(2);
  buy(13);
  use(used * GB);
  buy(11);
  const change = { ...one, packageId: 1, creditUnused: true };
  expect(activate(db, by, change, { now: NOW + 600 })).toMatchObject({ credited });
});

test("a clock that is set back finds nothing to give back of bytes that were sold after it", () => {
  sell(2);
  buy(10);
  const change = { ...one, packageId: 1, creditUnused: true };
  expect(activate(db, by, change, { now: NOW + 200 }).credited).toBeGreaterThan(0);
});

test("an open session is let out of the slower rate, and its router hears of the new volume", async () => {
  sell(2);
  insertSessions(db, {
    ...one,
    ...grantedAt(db),
    startedAt: NOW + 1,
    inputOctets: 1 * GB,
    outputOctets: 2 * GB,
  });
  use(3 * GB);
  const { invoiceId } = buy(10);
  const routers = new RecordedRouters();
  const text = await applyTopUp(db, { ...one, invoiceId }, { clock: () => NOW + 301, routers });
  expect(String(text)).toContain("has the current");
  expect(routers.take().filter((requests) => requests.includes("limit"))).toEqual([
    `rate 81000001 10M/20M limit ${15 * GB}`,
  ]);
});

test("what stands in place of the package's rate stands there still when a router hears of the new volume", async () => {
  db.$client.run("UPDATE packages SET reply_attributes = 'Mikrotik-Rate-Limit=50M/50M' WHERE id = 2");
  sell(2);
  insertSessions(db, { ...one, ...grantedAt(db), startedAt: NOW + 1, inputOctets: 0, outputOctets: 3 * GB });
  use(3 * GB);
  const { invoiceId } = buy(10);
  const routers = new RecordedRouters();
  await applyTopUp(db, { ...one, invoiceId }, { clock: () => NOW + 301, routers });
  expect(routers.take().filter((requests) => requests.includes("limit"))).toEqual([
    `rate 81000001 10M/20M beside Mikrotik-Rate-Limit=50M/50M limit ${15 * GB}`,
  ]);
});

test("a top-up is nobody's package: it is given to none, and none of somebody's becomes one", () => {
  const value = () =>
    updateSubscriber(db, by, { username: "user1", package_id: 10 }, { now: NOW, toJson: (record) => record });
  const fields = { package_id: ["5 GB more is a top-up and no package; choose another one"] };
  expect(value).toThrow(expect.objectContaining({ fields }));
  const become = (id: number) => updatePackage(db, by, { id, input: { top_up_days: 3 } }, { now: NOW });
  expect(() => become(1)).toThrow("Home 1 is the package of subscribers (1)");
  expect(packageById(db, by, 1).topUpDays).toBe(0);
  expect(become(2).changed.topUpDays).toBe(3);
});
