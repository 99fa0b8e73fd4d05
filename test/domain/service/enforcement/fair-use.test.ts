import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/open.ts";
import { services, sessions } from "../../../../db/schema.ts";
import { decide } from "../../../../src/domain/service/access/decide.ts";
import { grantedTo, rateFingerprint } from "../../../../src/domain/service/access/granted.ts";
import { AccessReader } from "../../../../src/domain/service/access/reader.ts";
import { dueSessions } from "../../../../src/domain/service/enforcement/due.ts";
import { Enforcer } from "../../../../src/domain/service/enforcement/enforce.ts";
import { fairDue } from "../../../../src/domain/service/enforcement/fair-due.ts";
import { beginWindows } from "../../../../src/domain/service/fair-use/begin-windows.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by, DAY, undoneIspStores, loadIsp } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

let store: TemporaryStore;
let db: Db;
let routers: RecordedRouters;
let enforcer: Enforcer;
let now = NOW;

const TIERS = "1kB 5M/5M; 2kB 1M/1M";
const NIGHT = "daily 22:00-06:00 free 50M/50M";
/** Ten in the evening of the 15th. */
const TEN = NOW + 10 * 3600;

beforeEach(async () => {
  routers = new RecordedRouters();
  now = NOW;
  store = await ispStore({
    packages: [
      aPackage(2, { tiers: TIERS, hours: NIGHT }),
      aPackage(3, { data_quota_bytes: 1000, fair_window: "day", expired_pool: "garden" }),
      aPackage(4, { data_quota_bytes: 1000, quota_exceeded: "1M/1M", hours: "daily 22:00-06:00 30M/30M" }),
    ],
    subscribers: [2, 3, 4].map((id) => aSubscriber(id, { package_id: id })),
  });
  db = store.db;
  enforcer = new Enforcer(db, { clock: () => now, routers });
});
afterEach(() => store[Symbol.dispose]());

const setService = (subscriberId: number, values: Partial<typeof services.$inferInsert>) =>
  db.update(services).set(values).where(eq(services.subscriberId, subscriberId)).run();
const use = (subscriberId: number, quotaUsed: number) => setService(subscriberId, { quotaUsed });
const open = (subscriberId: number) =>
  insertSessions(db, {
    subscriberId,
    username: `user${subscriberId}`,
    acctSessionId: `s${subscriberId}`,
    ...grantedAt(db, `user${subscriberId}`, now),
  });
/** A look as the server takes it, some seconds later. */
async function look(later = 11): Promise<string[]> {
  now += later;
  await enforcer.runWaves();
  return routers.take();
}

test("a tier that is reached is told at once, each once; what did not change is not told", async () => {
  open(2);
  expect(await look()).toEqual([]);
  use(2, 1000);
  expect(await enforcer.enforceOne({ subscriberId: 2 })).toEqual({ ended: 0, changed: 1, failures: [] });
  expect(routers.take()).toEqual(["rate s2 5M/5M"]);
  use(2, 2500);
  expect(await look()).toEqual(["rate s2 1M/1M"]);
  expect(await look()).toEqual([]);
});

test("hours begin and end to the second, whatever tier is reached", async () => {
  open(2);
  use(2, 1500);
  expect(await look()).toEqual(["rate s2 5M/5M"]);
  expect(await look(TEN - 1 - now)).toEqual([]);
  // known beforehand, so nobody waits for the next look
  expect(await look(1)).toEqual(["rate s2 50M/50M"]);
  expect(await look(8 * 3600 - 1)).toEqual([]);
  expect(await look(1)).toEqual(["rate s2 5M/5M"]);
  expect(db.select().from(sessions).all()).toMatchObject([{ stoppedAt: null, rateRefused: null }]);
});

test("after a restart what was missed is told, and nothing twice", async () => {
  open(2);
  now = TEN + 600;
  enforcer = new Enforcer(db, { clock: () => now, routers });
  expect(await look(0)).toEqual(["rate s2 50M/50M"]);
  enforcer = new Enforcer(db, { clock: () => now, routers });
  expect(await look(0)).toEqual([]);
});

test("a clock that was wrong and is set has the rate of the right time", async () => {
  open(2);
  expect(await look(TEN - now)).toEqual(["rate s2 50M/50M"]);
  expect(await look(-9 * 3600)).toEqual(["rate s2 10M/20M"]);
});

test("a router that says nothing is asked again, and one that refuses drops nobody and is told of", async () => {
  open(2);
  use(2, 1000);
  routers.answer = { kind: "failed", reason: "silence", isSilent: true };
  expect(await look()).toEqual(["rate s2 5M/5M"]);
  routers.answer = { kind: "failed", reason: "it refused" };
  expect(await look(30)).toEqual(["rate s2 5M/5M"]);
  expect(db.select().from(sessions).all()).toMatchObject([{ stoppedAt: null, rateRefused: "it refused" }]);
  routers.answer = { kind: "acknowledged" };
  use(2, 2000);
  // what it is told then is what is in force then
  expect(await look(60)).toEqual(["rate s2 1M/1M"]);
  expect(db.select().from(sessions).all()).toMatchObject([{ stoppedAt: null, rateRefused: null }]);
});

test("a volume of the day comes back at midnight, and whoever is in the walled garden comes out", async () => {
  setService(3, { quotaUsed: 1000, quotaCrossedAt: NOW - 60, windowStart: NOW - DAY / 2 });
  open(3);
  expect(await look()).toEqual([]);
  expect(dueSessions(db, now)).toEqual([]);
  now = NOW + DAY / 2;
  expect(fairDue(db, now).due).toHaveLength(1);
  expect(await look(0)).toEqual(["disconnect s3"]);
  expect(await beginWindows(db, by, { now })).toBe(1);
  expect(await beginWindows(db, by, { now })).toBe(0);
  expect(db.select().from(services).where(eq(services.subscriberId, 3)).get()).toMatchObject({
    quotaUsed: 0,
    quotaCrossedAt: null,
    windowStart: now,
    quotaTotal: 1000,
  });
});

test("the slower rate of a volume that is used up stays in hours whose bytes count", async () => {
  setService(4, { quotaUsed: 1000, quotaCrossedAt: NOW - 60 });
  open(4);
  expect(await look(TEN - now)).toEqual([]);
  use(4, 999);
  expect(await look()).toEqual(["rate s4 30M/30M"]);
});

test("what a login was granted is what was in force then, though nothing that is stored has changed since", () => {
  const reader = new AccessReader(db);
  const grantedAs = (at: number) => {
    const candidate = reader.candidate("user2");
    if (!candidate) throw new Error("there is no user2");
    const decision = decide(candidate, {
      ispId: null,
      nasAddress: "127.0.0.1",
      mac: undefined,
      kind: "other",
      passwordIsRight: true,
      now: at,
      sessions: () => [],
      pending: () => 0,
      replacesAtNasPort: () => false,
      expiredSessionTimeout: 300,
      gardenRate: "512k/512k",
      takesLists: true,
    });
    if (!decision.accept) throw new Error(decision.reason);
    return [decision.grant.rateLimit, grantedTo(candidate, decision).grantedRate];
  };
  const [day, night] = [rateFingerprint("10M/20M"), rateFingerprint("50M/50M")];
  expect([NOW, TEN, TEN + 8 * 3600].map(grantedAs)).toEqual([
    ["10M/20M", day],
    ["50M/50M", night],
    ["10M/20M", day],
  ]);
});

test("somebody online at two routers is told at both, each time", async () => {
  setService(2, { simultaneousUse: 2 });
  const granted = grantedAt(db, "user2", now);
  const about = { subscriberId: 2, username: "user2", ...granted };
  insertSessions(
    db,
    { ...about, acctSessionId: "a" },
    { ...about, acctSessionId: "b", nasAddress: "127.0.0.2" },
  );
  expect((await look(TEN - now)).sort()).toEqual(["rate a 50M/50M", "rate b 50M/50M"]);
  expect((await look(8 * 3600)).sort()).toEqual(["rate a 10M/20M", "rate b 10M/20M"]);
  expect((await look(16 * 3600)).sort()).toEqual(["rate a 50M/50M", "rate b 50M/50M"]);
});

describe("a session of which its router says nothing", () => {
  const NIGHTLY = Array.from({ length: 30 }, (_, at) => at + 10);
  const silent = { kind: "failed", reason: "silence", isSilent: true } as const;
  beforeEach(async () => {
    await loadIsp(db, {
      packages: [aPackage(2, { tiers: TIERS, hours: NIGHT })],
      subscribers: NIGHTLY.map((id) => aSubscriber(id, { package_id: 2 })),
    });
    for (const id of NIGHTLY) open(id);
  });

  test("does not stand before the others each time", async () => {
    routers.answer = (answers) => (answers.includes(" s10 ") ? silent : { kind: "acknowledged" });
    expect(await look(TEN - now)).toEqual(["rate s10 50M/50M"]);
    expect(await look(11)).toEqual([]);
    const requests = await look(11);
    expect(requests).toHaveLength(NIGHTLY.length);
    expect(requests.at(-1)).toBe("rate s10 50M/50M");
    expect(db.$client.query("SELECT count(*) AS n FROM sessions WHERE stopped_at IS NULL").get()).toEqual({
      n: NIGHTLY.length,
    });
  });
});
