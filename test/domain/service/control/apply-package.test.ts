import { afterEach, beforeEach, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import type { Db } from "../../../../db/open.ts";
import { auditEntries, services } from "../../../../db/schema.ts";
import type { RouterAnswer } from "../../../../src/domain/service/control/routers.ts";
import { importDataSet } from "../../../../src/domain/machine/imports/data-set/import.ts";
import { applyPackage } from "../../../../src/domain/service/control/apply-package.ts";
import { holdersOnOldTerms } from "../../../../src/domain/goods/packages/terms.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by, undoneIspStores, newSubscriber } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

let store: TemporaryStore;
let db: Db;
let routers: RecordedRouters;

/** 1 to 3 hold package 1, and 3 belongs to no router; 4 was never activated; 5 holds package 2, though its profile says 1. */
beforeEach(async () => {
  routers = new RecordedRouters();
  store = await ispStore({
    nas: [1, 3].map((id) => ({
      id,
      isp_id: 1,
      name: `nas${id}`,
      address: `127.0.0.${id}`,
      secret: "testing123",
    })),
    packages: [aPackage(2)],
    subscribers: [
      aSubscriber(1),
      aSubscriber(2, { nas_id: 3 }),
      aSubscriber(3, { nas_id: null }),
      newSubscriber(4),
      aSubscriber(5, { package_id: 2 }),
    ],
  });
  db = store.db;
  db.$client.run("UPDATE subscribers SET package_id = 1 WHERE id = 5");
});
afterEach(() => store[Symbol.dispose]());

const change = (values: Record<string, unknown>) =>
  importDataSet(db, by, { packages: [aPackage(1, values)] }, { now: NOW });
const apply = (more: { nasId?: number; dryRun?: boolean } = {}) =>
  applyPackage(db, by, { packageId: 1, ...more }, { clock: () => NOW, routers });
const online = (...ids: number[]) =>
  insertSessions(
    db,
    ...ids.map((id) =>
      Object.assign(grantedAt(db, `user${id}`), {
        subscriberId: id,
        username: `user${id}`,
        acctSessionId: `S${id}`,
        framedIp: `10.0.0.${id}`,
      }),
    ),
  );
const rates = () =>
  db
    .select()
    .from(services)
    .orderBy(asc(services.subscriberId))
    .all()
    .map(({ subscriberId, rateLimit }) => `${subscriberId} ${rateLimit}`);
const nothing = { changed: 0, ended: 0, unchanged: 0, left: 0, refused: 0 };

test("every holder gets the present terms, and keeps its expiration, its price paid and its usage", async () => {
  db.update(services).set({ quotaUsed: 70, anchorDay: 31, anchorTime: 5 }).run();
  const before = db.select().from(services).where(eq(services.subscriberId, 1)).get();
  await change({
    rate_limit: "5M/5M",
    price: "99.00",
    duration: 3,
    framed_pool: "fast",
    address_list: "vip",
    data_quota_bytes: 1000,
    quota_exceeded: "1M/1M",
    simultaneous_use: 2,
    idle_timeout: 60,
    expired_pool: "garden",
  });
  expect(holdersOnOldTerms(db, by, { now: NOW })).toEqual([
    { package_id: 1, name: "Home 1", subscribers: 3 },
  ]);
  expect(await apply()).toEqual({ changed: 3, sessions: nothing, failures: [] });
  expect(rates()).toEqual(["1 5M/5M", "2 5M/5M", "3 5M/5M", "5 10M/20M"]);
  expect(db.select().from(services).where(eq(services.subscriberId, 1)).get()).toEqual({
    ...before,
    rateLimit: "5M/5M",
    framedPool: "fast",
    addressList: "vip",
    quotaTotal: 1000,
    quotaExceeded: "1M/1M",
    simultaneousUse: 2,
    idleTimeout: 60,
    expiredPool: "garden",
  } as typeof before);
  expect(holdersOnOldTerms(db, by, { now: NOW })).toEqual([]);
  expect(await apply()).toMatchObject({ changed: 0 });
  const audited = db.select().from(auditEntries).where(eq(auditEntries.action, "package.apply")).all();
  expect(audited.map(({ entityId, after }) => [entityId, after])).toEqual([["1", '{"subscribers":3}']]);
});

test("a quota that is below what was used is crossed now, one that is above it is not crossed any more", async () => {
  db.update(services).set({ quotaUsed: 700 }).run();
  await change({ data_quota_bytes: 500 });
  await apply();
  const crossed = () => db.select().from(services).where(eq(services.subscriberId, 1)).get()?.quotaCrossedAt;
  expect(crossed()).toBe(NOW);
  await change({ data_quota_bytes: 1000 });
  await apply();
  expect(crossed()).toBeNull();
});

test("a dry run says whom it would reach, and does nothing", async () => {
  online(1, 2);
  await change({ rate_limit: "5M/5M" });
  expect(await apply({ dryRun: true })).toMatchObject({ changed: 3, sessions: { ...nothing, left: 2 } });
  expect(rates()[0]).toBe("1 10M/20M");
  expect(routers.take()).toEqual([]);
});

test("those of a router are the ones of its profiles, and the ones that are online there", async () => {
  online(1);
  insertSessions(db, {
    subscriberId: 3,
    username: "user3",
    nasId: 3,
    nasAddress: "127.0.0.3",
    acctSessionId: "S3",
  });
  await change({ rate_limit: "5M/5M" });
  expect(await apply({ nasId: 3 })).toMatchObject({ changed: 2, sessions: { ...nothing, changed: 1 } });
  expect(rates()).toEqual(["1 10M/20M", "2 5M/5M", "3 5M/5M", "5 10M/20M"]);
  expect(routers.take()).toEqual(["rate S3 5M/5M"]);
});

test("open sessions get another rate by CoA, and redial for another pool", async () => {
  online(1, 2, 5);
  await change({ rate_limit: "5M/5M" });
  expect(await apply()).toMatchObject({ sessions: { ...nothing, changed: 2 } });
  expect(routers.take().toSorted()).toEqual(["rate S1 5M/5M", "rate S2 5M/5M"]);
  await change({ rate_limit: "5M/5M", framed_pool: "fast" });
  expect(await apply()).toMatchObject({ sessions: { ...nothing, ended: 2 } });
  expect(routers.take().toSorted()).toEqual(["disconnect S1", "disconnect S2"]);
});

test("terms that routers do not get ask none of them", async () => {
  online(1);
  await change({ idle_timeout: 60, data_quota_bytes: 5000 });
  expect(await apply()).toMatchObject({ changed: 3, sessions: { ...nothing, unchanged: 1 } });
  expect(routers.take()).toEqual([]);
});

test("a quota that is reached because it became smaller is told, once", async () => {
  const result = () =>
    db.$client
      .query<{ type: string }, []>("SELECT type FROM events WHERE type LIKE 'quota.%' ORDER BY id")
      .all()
      .map(({ type }) => type);
  db.$client.run("UPDATE services SET quota_used = 700 WHERE subscriber_id = 1");
  await change({ data_quota_bytes: 1000 });
  await apply();
  expect(result()).toEqual([]);
  await change({ data_quota_bytes: 800 });
  await apply();
  expect(result()).toEqual(["quota.80"]);
  await change({ data_quota_bytes: 500 });
  await apply({ dryRun: true });
  await apply();
  await change({ data_quota_bytes: 400 });
  await apply();
  expect(result()).toEqual(["quota.80", "quota.100"]);
});

test("a session that was slowed down gets its rate back from a quota that is raised", async () => {
  online(1);
  await change({ data_quota_bytes: 500, quota_exceeded: "1M/1M" });
  db.update(services).set({ quotaUsed: 700 }).run();
  await apply();
  routers.take();
  db.update(services).set({ quotaCrossedAt: NOW }).run();
  await change({ data_quota_bytes: 1000, quota_exceeded: "1M/1M" });
  expect(await apply()).toMatchObject({ sessions: { ...nothing, changed: 1 } });
  expect(routers.take()).toEqual(["rate S1 10M/20M"]);
});

test("where staff may not disconnect, who has to redial is left online and counted", async () => {
  online(1, 2);
  changeSetting(db, by, { key: "disconnect_enabled", value: false }, { now: NOW });
  await change({ framed_pool: "fast" });
  expect(await apply()).toMatchObject({ sessions: { ...nothing, left: 2 } });
  expect(routers.take()).toEqual([]);
});

test("what a router refuses is counted and said; one that is silent is asked once and waited for once", async () => {
  const refused: RouterAnswer = { kind: "failed", reason: "prohibited" };
  routers.answer = refused;
  online(1, 2);
  await change({ rate_limit: "5M/5M" });
  expect(await apply()).toEqual({
    changed: 3,
    sessions: { ...nothing, refused: 2 },
    failures: ["user1: prohibited; prohibited", "user2: prohibited; prohibited"],
  });
  routers.take();
  routers.answer = { kind: "failed", reason: "no answer", isSilent: true };
  await change({ rate_limit: "6M/6M" });
  const { sessions, failures } = await apply();
  expect(sessions).toEqual({ ...nothing, refused: 2 });
  expect(failures).toEqual(["user1: no answer", "1 more at 127.0.0.1: not asked, for it does not answer"]);
  expect(routers.take().filter((answers) => answers.includes("S2"))).toEqual([]);
});

test("a router is asked for ten sessions at once at most", async () => {
  const ids = Array.from({ length: 40 }, (_, index) => index + 10);
  await importDataSet(db, by, { subscribers: ids.map((id) => aSubscriber(id)) }, { now: NOW });
  online(...ids);
  await change({ rate_limit: "5M/5M" });
  let atOnce = 0;
  let most = 0;
  const slow = {
    ...routers,
    find: routers.find,
    disconnect: routers.disconnect,
    changeRate: async (): Promise<RouterAnswer> => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce--;
      return { kind: "acknowledged" };
    },
  };
  expect(await applyPackage(db, by, { packageId: 1 }, { clock: () => NOW, routers: slow })).toMatchObject({
    changed: 43,
    sessions: { changed: 40 },
  });
  expect(most).toBe(10);
});

test("a package of another ISP does not exist, nor one without a row", async () => {
  const scope = { ispId: 2, branchId: null, salespersonId: null };
  const stranger = { ...by, scope };
  expect(applyPackage(db, stranger, { packageId: 1 }, { clock: () => NOW, routers })).rejects.toThrow(
    /there is no package 1/,
  );
  expect(applyPackage(db, by, { packageId: 99 }, { clock: () => NOW, routers })).rejects.toThrow(
    /no package 99/,
  );
});
