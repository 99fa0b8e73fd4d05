import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { type Db, write } from "../../../../db/open.ts";
import { auditEntries, nas, services, sessions, subscribers } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { applyService } from "../../../../src/domain/service/control/apply.ts";
import type { RouterAnswer } from "../../../../src/domain/service/control/routers.ts";
import { rateFingerprint } from "../../../../src/domain/service/access/granted.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by, DAY, undoneIspStores } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

let store: TemporaryStore;
let db: Db;
let routers: RecordedRouters;
let now = NOW;

beforeEach(async () => {
  routers = new RecordedRouters();
  now = NOW;
  store = await ispStore({
    packages: [
      aPackage(2, { rate_limit: "50M/100M" }),
      aPackage(3, { framed_pool: "fast" }),
      aPackage(4, { address_list: "vip" }),
      aPackage(5, { rate_limit: null }),
      aPackage(6, { data_quota_bytes: 1000, quota_exceeded: "1M/1M" }),
      aPackage(7, { expired_pool: "garden" }),
      aPackage(8, { reply_attributes: "Framed-Route=10.9.0.0/24" }),
    ],
    subscribers: [aSubscriber(1), aSubscriber(3, { connection_type_id: 3 })],
  });
  db = store.db;
});
afterEach(() => store[Symbol.dispose]());

const apply = (subscriberId = 1) => applyService(db, by, { subscriberId }, { clock: () => now, routers });
const change = (packageId: number) => activate(db, by, { subscriberId: 1, packageId }, { now });
const setService = (values: Partial<typeof services.$inferInsert>) =>
  db.update(services).set(values).where(eq(services.subscriberId, 1)).run();
const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const prohibited: RouterAnswer = { kind: "failed", reason: "prohibited" };

describe("what an open session needs", () => {
  test("nothing has changed: nothing", async () => {
    insertSessions(db, grantedAt(db));
    expect(await apply()).toBe("unchanged");
    expect(routers.take()).toEqual([]);
  });

  test.each([
    ["mikrotik", "rate 81000001 0/50M"],
    ["accel-ppp", "rate 81000001 0/50M"],
    ["cisco", "disconnect 81000001"],
    ["huawei", "disconnect 81000001"],
    ["juniper", "disconnect 81000001"],
    ["generic", "disconnect 81000001"],
  ] as const)("no limit one way, which %s is told so: %s", async (kind, answers) => {
    db.update(nas).set({ kind }).run();
    insertSessions(db, { ...grantedAt(db), nasId: 1 });
    setService({ rateLimit: "0/50M" });
    await apply();
    expect(routers.take()).toEqual([answers]);
  });

  test("its Class does not say: the rate, and from then on it is known", async () => {
    insertSessions(db, {});
    expect(await apply()).toBe("changed");
    expect(routers.take()).toEqual(["rate 81000001 10M/20M"]);
    expect(db.select().from(sessions).get()?.stoppedAt).toBeNull();
    expect(
      db.select().from(auditEntries).where(eq(auditEntries.action, "subscriber.apply")).all(),
    ).toHaveLength(1);
    expect(await apply()).toBe("unchanged");
    expect(routers.take()).toEqual([]);
  });

  test.each([
    ["a pool", { framedPool: "slow" }],
    ["an address list", { addressList: "vip" }],
    ["a walled garden, where it may be", { expiredPool: "garden" }],
    ["no rate, for there is none to set", { rateLimit: null }],
  ])("its Class does not say, and the service has %s: a new login", async (_, values) => {
    insertSessions(db, {});
    setService(values);
    expect(await apply()).toBe("reconnected");
  });

  test.each([
    ["another rate", 2, ["rate 81000001 50M/100M", "timeout 81000001 2682000"], "changed"],
    ["another pool", 3, ["disconnect 81000001"], "reconnected"],
    ["an address list", 4, ["disconnect 81000001"], "reconnected"],
    ["no rate any more", 5, ["disconnect 81000001"], "reconnected"],
    ["further attributes", 8, ["disconnect 81000001"], "reconnected"],
  ] as const)("a package with %s", async (_, packageId, answers, outcome) => {
    insertSessions(db, grantedAt(db));
    change(packageId);
    expect(await apply()).toBe(outcome);
    expect(routers.take()).toEqual([...answers]);
  });

  test("another rate beside the same further attributes: both are handed to its router, which knows what stands for what", async () => {
    change(8);
    insertSessions(db, grantedAt(db));
    setService({ rateLimit: "50M/100M" });
    expect(await apply()).toBe("changed");
    expect(routers.take()).toEqual([
      "rate 81000001 50M/100M beside Framed-Route=10.9.0.0/24",
      "timeout 81000001 2682000",
    ]);
    expect(await apply()).toBe("unchanged");
  });

  test("the slower rate after the data has nothing beside it that could stand in its place", async () => {
    change(8);
    insertSessions(db, grantedAt(db));
    setService({ quotaTotal: 1000, quotaUsed: 1000, quotaExceeded: "1M/1M" });
    expect(await apply()).toBe("changed");
    expect(routers.take()[0]).toBe("rate 81000001 1M/1M");
  });

  test("a session that was told another rate is told no more, and its first one again when that is back", async () => {
    insertSessions(db, grantedAt(db));
    change(2);
    expect([await apply(), await apply()]).toEqual(["changed", "unchanged"]);
    now += 300;
    change(1);
    expect(await apply()).toBe("changed");
    expect(routers.take()).toEqual([
      ...["rate 81000001 50M/100M", "timeout 81000001 2682000"],
      ...["rate 81000001 10M/20M", "timeout 81000001 2682300"],
    ]);
  });

  test("what a router did not do is tried again", async () => {
    insertSessions(db, grantedAt(db));
    change(2);
    routers.answer = prohibited;
    await messageOf(apply());
    routers.answer = { kind: "acknowledged" };
    expect(await apply()).toBe("changed");
  });

  test("a session that logged in under the new package has it", async () => {
    change(3);
    insertSessions(db, { ...grantedAt(db), startedAt: NOW + 1 });
    expect(await apply()).toBe("unchanged");
  });

  test("timeouts, and a quota that is not used up, change nothing that is open", async () => {
    insertSessions(db, grantedAt(db));
    setService({ idleTimeout: 60, quotaTotal: 5000, expiresAt: NOW + 99 * DAY, simultaneousUse: 3 });
    expect(await apply()).toBe("unchanged");
  });

  test("another static address", async () => {
    const move = (values: Partial<typeof subscribers.$inferInsert>) =>
      db.update(subscribers).set(values).where(eq(subscribers.id, 1)).run();
    move({ staticIp: "10.0.0.7" });
    insertSessions(db, { ...grantedAt(db), framedIp: "10.0.0.7" }, { framedIp: "10.0.0.7" });
    expect(await apply()).toBe("changed");
    expect(routers.take()).toHaveLength(1); // its Class did not say, but its address did
    move({ staticIp: "10.0.0.8" });
    expect(await apply()).toBe("reconnected");
    insertSessions(db, { ...grantedAt(db), framedIp: "10.0.0.8" });
    expect(await apply()).toBe("unchanged");
    move({ delegatedIpv6Prefix: "2001:db8::/56" });
    expect(await apply()).toBe("reconnected");
  });

  test("a used-up quota: the slower rate", async () => {
    change(6);
    insertSessions(db, grantedAt(db));
    setService({ quotaUsed: 1000, quotaCrossedAt: NOW + 5 });
    expect(await apply()).toBe("changed");
    expect(routers.take()).toEqual(["rate 81000001 1M/1M", "timeout 81000001 2682000"]);
    expect(db.select().from(sessions).get()?.acceptedAs).toBe("accepted_slowed_down");
  });

  test("expired: the end, and into the walled garden where there is one", async () => {
    insertSessions(db, {});
    setService({ expiresAt: NOW - 1 });
    expect(await apply()).toBe("reconnected");
    expect(db.select().from(sessions).get()).toMatchObject({
      closedBy: "disconnect",
      terminateCause: "Admin-Reset",
    });
  });

  test("in the walled garden: stays there, and leaves it after a renewal", async () => {
    change(7);
    setService({ expiresAt: NOW - DAY, activatedAt: NOW - 40 * DAY });
    insertSessions(db, grantedAt(db));
    expect(await apply()).toBe("unchanged");
    expect(routers.take()).toEqual([]);
    now += 60;
    change(7);
    expect(await apply()).toBe("reconnected");
  });

  test("in the walled garden at the package's own rate, as before: that of the garden, without a drop", async () => {
    change(7);
    setService({ expiresAt: NOW - DAY, activatedAt: NOW - 40 * DAY });
    insertSessions(db, { ...grantedAt(db), grantedRate: rateFingerprint("10M/20M") });
    expect(await apply()).toBe("changed");
    expect(routers.take()).toEqual(["rate 81000001 512k/512k"]);
    write(db, (tx) => storeSetting(tx, "garden_rate", "1M/30M"));
    expect(await apply()).toBe("changed");
    expect(routers.take()).toEqual(["rate 81000001 1M/20M"]);
  });

  test("disabled: the end", async () => {
    insertSessions(db, {});
    db.update(subscribers).set({ status: 0 }).where(eq(subscribers.id, 1)).run();
    expect(await apply()).toBe("reconnected");
  });
});

describe("what the router says", () => {
  test("a refused change ends the session", async () => {
    insertSessions(db, {});
    routers.answer = (answers) => (answers.startsWith("rate") ? prohibited : { kind: "acknowledged" });
    expect(await apply()).toBe("reconnected");
    expect(routers.take()).toEqual(["rate 81000001 10M/20M", "disconnect 81000001"]);
  });

  test("refused both ways: the reasons, and the session stays open", async () => {
    insertSessions(db, {});
    routers.answer = (answers) => ({
      kind: "failed",
      reason: answers.startsWith("rate") ? "no CoA" : "no disconnect",
    });
    expect(await messageOf(apply())).toBe("no CoA; no disconnect");
    expect(db.select().from(sessions).get()?.stoppedAt).toBeNull();
  });

  test("a session that is gone is closed in the books", async () => {
    insertSessions(db, {});
    routers.answer = { kind: "gone" };
    expect(await apply()).toBe("already_offline");
    expect(db.select().from(sessions).get()).toMatchObject({ terminateCause: "lost" });
  });

  test("disconnecting switched off: the rate yes, an end no", async () => {
    changeSetting(db, by, { key: "disconnect_enabled", value: false }, { now });
    insertSessions(db, grantedAt(db));
    change(2);
    expect(await apply()).toBe("changed");
    routers.answer = prohibited;
    now += 300;
    change(1);
    expect(await messageOf(apply())).toBe("prohibited");
    now += 300;
    change(3);
    routers.take();
    expect(await messageOf(apply())).toContain("disconnecting is switched off");
    expect(routers.take()).toEqual([]);
  });
});

test("offline, unknown, and types without a service", async () => {
  expect(await apply()).toBe("already_offline");
  expect(await messageOf(apply(99))).toBe("there is no subscriber 99");
  expect(await messageOf(apply(3))).toContain("connection type 3 is not served over RADIUS");
  expect(routers.take()).toEqual([]);
});
