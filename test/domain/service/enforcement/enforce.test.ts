import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/open.ts";
import { nas, services, sessions, subscribers } from "../../../../db/schema.ts";
import { applyService } from "../../../../src/domain/service/control/apply.ts";
import type { RouterAnswer } from "../../../../src/domain/service/control/routers.ts";
import { Backoff } from "../../../../src/domain/service/enforcement/backoff.ts";
import { dueSessions } from "../../../../src/domain/service/enforcement/due.ts";
import { Enforcer } from "../../../../src/domain/service/enforcement/enforce.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by, DAY, undoneIspStores } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";
import { processorTime } from "../../../support/processor-time.ts";

const ispStore = undoneIspStores();

const COUNT = 60;
let store: TemporaryStore;
let db: Db;
let routers: RecordedRouters;
let enforcer: Enforcer;
let now = NOW;

beforeEach(async () => {
  routers = new RecordedRouters();
  now = NOW;
  store = await ispStore({
    packages: [
      aPackage(2, { data_quota_bytes: 1000, quota_exceeded: "1M/1M" }),
      aPackage(3, { data_quota_bytes: 1000 }),
      aPackage(4, { expired_pool: "garden" }),
    ],
    subscribers: [
      ...Array.from({ length: COUNT }, (_, at) => aSubscriber(at + 1)),
      aSubscriber(102, { package_id: 2 }),
      aSubscriber(103, { package_id: 3 }),
      aSubscriber(104, { package_id: 4 }),
    ],
  });
  db = store.db;
  enforcer = new Enforcer(db, { clock: () => now, routers });
});
afterEach(() => store[Symbol.dispose]());

const setService = (subscriberId: number, values: Partial<typeof services.$inferInsert>) =>
  db.update(services).set(values).where(eq(services.subscriberId, subscriberId)).run();
const expire = (subscriberId: number, expiresAt = NOW - 1) => setService(subscriberId, { expiresAt });
const open = (subscriberId: number, values: object = {}) =>
  insertSessions(db, {
    subscriberId,
    username: `user${subscriberId}`,
    acctSessionId: `s${subscriberId}`,
    ...values,
  });
const silent: RouterAnswer = { kind: "failed", reason: "silence", isSilent: true };

describe("who is due", () => {
  test("whoever was let in for a service that is gone, but not who never had one", async () => {
    open(1, grantedAt(db));
    open(2);
    db.delete(services).run();
    expect(dueSessions(db, now).map(({ subscriberId }) => subscriberId)).toEqual([1]);
    expect(await enforcer.run()).toMatchObject({ ended: 1, failures: [] });
    expect(routers.take()).toEqual(["disconnect s1"]);
  });

  test("whoever expired while online", async () => {
    open(1);
    open(2);
    expire(2);
    expect(await enforcer.run()).toEqual({ ended: 1, changed: 0, failures: [] });
    expect(routers.take()).toEqual(["disconnect s2"]);
    expect((await enforcer.run()).ended).toBe(0);
  });

  test("not whoever logged in after that, into the walled garden", async () => {
    expire(104, NOW - DAY);
    open(104, { startedAt: NOW - DAY + 60 });
    expect(dueSessions(db, NOW)).toEqual([]);
    expire(104, NOW - 10);
    open(104, { ...grantedAt(db, "user104"), acctSessionId: "b" });
    await enforcer.run();
    expect(routers.take()).toEqual(["disconnect s104"]);
  });

  test("not whoever logged in with its quota used up, and expires there; without a Class its beginning tells", () => {
    setService(104, { quotaTotal: 1000, quotaUsed: 1000, quotaCrossedAt: NOW - 60 });
    const granted = grantedAt(db, "user104");
    const started = (at: number, acctSessionId: string) => open(104, { startedAt: NOW + at, acctSessionId });
    started(-61, "before");
    started(-50, "in the garden");
    started(-5, "expired");
    open(104, granted);
    expire(104, NOW - 10);
    expect(dueSessions(db, NOW)).toMatchObject([{ sessionId: 1 }]);
    expire(104, NOW - 55);
    expect(dueSessions(db, NOW)).toMatchObject([{ sessionId: 1 }]);
    setService(104, { quotaCrossedAt: null });
    expect(dueSessions(db, NOW)).toMatchObject([{ sessionId: 1 }]);
  });

  test("whoever was slowed down in a period before has the slower rate of this one", async () => {
    setService(102, { quotaUsed: 1000, quotaCrossedAt: NOW - 60 });
    open(102, grantedAt(db, "user102"));
    expect(dueSessions(db, NOW)).toEqual([]);
    setService(102, { quotaExceeded: "2M/2M" });
    await enforcer.run();
    expect(routers.take()).toEqual(["rate s102 2M/2M"]);
    expect(dueSessions(db, NOW)).toEqual([]);
  });

  test("whoever logged in unexpired, although its expiration was moved to before that", async () => {
    const granted = grantedAt(db);
    expire(1, NOW - DAY);
    open(1, granted);
    expect((await enforcer.run()).ended).toBe(1);
  });

  test("whoever used its quota up: ended, or slower, once", async () => {
    setService(102, { quotaUsed: 1000, quotaCrossedAt: NOW });
    setService(103, { quotaUsed: 1000, quotaCrossedAt: NOW });
    open(102);
    open(103);
    expect(await enforcer.enforceOne({ subscriberId: 102 })).toEqual({ ended: 0, changed: 1, failures: [] });
    expect(routers.take()).toEqual(["rate s102 1M/1M"]);
    expect(await enforcer.run()).toEqual({ ended: 1, changed: 0, failures: [] });
    expect(routers.take()).toEqual(["disconnect s103"]);
    expire(102);
    await enforcer.run();
    expect(routers.take()).toEqual(["disconnect s102"]);
  });

  test("sessions at two routers are asked for once each, also when two look at the same time", async () => {
    setService(102, { quotaUsed: 1000, quotaCrossedAt: NOW });
    open(102, { acctSessionId: "a" });
    open(102, { acctSessionId: "b", nasAddress: "127.0.0.9" });
    await Promise.all([enforcer.enforceOne({ subscriberId: 102 }), enforcer.run()]);
    expect(routers.take().sort()).toEqual(["rate a 1M/1M", "rate b 1M/1M"]);
  });

  test("a session that is told of later does not have the other one asked again", async () => {
    setService(102, { quotaUsed: 1000, quotaCrossedAt: NOW });
    open(102, { acctSessionId: "a" });
    await enforcer.enforceOne({ subscriberId: 102 });
    open(102, { acctSessionId: "b" });
    await enforcer.run();
    expect(routers.take()).toEqual(["rate a 1M/1M", "rate b 1M/1M"]);
  });

  test("a session that starts in the second of the crossing is due, one that logged in slowed down is not", () => {
    setService(102, { quotaUsed: 1000, quotaCrossedAt: NOW });
    open(102, { startedAt: NOW });
    open(102, { startedAt: NOW, ...grantedAt(db, "user102"), acctSessionId: "b" });
    expect(dueSessions(db, NOW)).toMatchObject([{ sessionId: 1 }]);
    setService(102, { quotaExceeded: "reject" });
    expect(dueSessions(db, NOW)).toMatchObject([{ sessionId: 1 }, { sessionId: 2 }]);
  });

  test("a session of before the upgrade keeps its line, whatever pool or walled garden the package has", async () => {
    const slowed = { quotaUsed: 1000, quotaTotal: 1000, quotaExceeded: "1M/1M", quotaCrossedAt: NOW - 60 };
    setService(102, { ...slowed, framedPool: "pool" });
    setService(104, slowed);
    open(102);
    open(104);
    expect(await enforcer.run()).toEqual({ ended: 0, changed: 2, failures: [] });
    expect(routers.take()).toEqual(["rate s102 1M/1M", "rate s104 1M/1M"]);
    await new Enforcer(db, { clock: () => now, routers }).run();
    expect(routers.take()).toEqual([]);
    expire(104);
    await enforcer.run();
    expect(routers.take()).toEqual(["disconnect s104"]);
    // what it was granted is as unknown as before
    expect(await applyService(db, by, { subscriberId: 102 }, { clock: () => now, routers })).toBe(
      "reconnected",
    );
  });

  test("beside one that is due, a session of before the upgrade that is not is left alone", async () => {
    setService(1, { framedPool: "pool" });
    open(1);
    open(1, { acctSessionId: "elsewhere", nasId: 2, nasAddress: "127.0.0.9" });
    db.update(nas).set({ ispId: 2, createdAt: NOW }).where(eq(nas.id, 2)).run();
    await enforcer.run();
    expect(routers.take()).toEqual(["disconnect elsewhere"]);
  });

  test("whoever was slowed down stays so for the next server, and a slower rate that is the same one asks nobody", async () => {
    const granted = grantedAt(db, "user102");
    setService(102, { quotaUsed: 1000, quotaCrossedAt: NOW, quotaExceeded: "10M/20M" });
    open(102, granted);
    expect(await enforcer.run()).toEqual({ ended: 0, changed: 0, failures: [] });
    expect(dueSessions(db, NOW)).toEqual([]);
    setService(102, { quotaExceeded: "1M/1M" });
    open(102, { ...granted, acctSessionId: "b" });
    await enforcer.run();
    expect(routers.take()).toEqual(["rate s102 1M/1M", "rate b 1M/1M"]);
    expect(dueSessions(db, NOW)).toEqual([]);
    await new Enforcer(db, { clock: () => now, routers }).run();
    expect(routers.take()).toEqual([]);
  });
});

/** How the store finds what an action asks of it. */
function plansOf(action: () => void): string[] {
  const { $client } = db;
  using query = spyOn($client, "query");
  action();
  const plans = query.mock.calls
    .filter(([sql]) => sql.includes("sessions s"))
    .map(([sql]) =>
      $client
        .prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail),
    );
  expect(plans).toHaveLength(2);
  return plans.flat();
}

test("sessions that are over are not read", () => {
  expect(plansOf(() => dueSessions(db, NOW))).not.toContain("SCAN s");
});

test("of a subscriber whose quota is used up nobody else's sessions are read", () => {
  const plans = plansOf(() => void enforcer.enforceOne({ subscriberId: 102 }));
  expect(plans.filter((detail) => detail.startsWith("SCAN"))).toEqual([]);
});

describe("who may not be online at all", () => {
  const disable = (subscriberId: number) =>
    db.update(subscribers).set({ status: 0 }).where(eq(subscribers.id, subscriberId)).run();

  test("a disabled subscriber is due, whatever it has paid for", async () => {
    open(1);
    open(2);
    disable(2);
    expect(dueSessions(db, NOW)).toEqual([{ sessionId: 2, subscriberId: 2, nasAddress: "127.0.0.1" }]);
    expect(await enforcer.run()).toEqual({ ended: 1, changed: 0, failures: [] });
    expect(routers.take()).toEqual(["disconnect s2"]);
  });

  test("in the walled garden too, and where no package was ever activated", async () => {
    expire(104, NOW - DAY);
    open(104, { ...grantedAt(db, "user104"), startedAt: NOW - 60 });
    open(3);
    db.delete(services).where(eq(services.subscriberId, 3)).run();
    expect((await enforcer.run()).ended).toBe(0);
    disable(104);
    disable(3);
    expect((await enforcer.run()).ended).toBe(2);
    expect(routers.take().sort()).toEqual(["disconnect s104", "disconnect s3"]);
  });

  test("who expired as well is due once", () => {
    open(1);
    expire(1);
    disable(1);
    expect(dueSessions(db, NOW)).toMatchObject([{ sessionId: 1 }]);
  });

  test("whoever has a session at a router that was given to another ISP", async () => {
    open(1);
    expect(dueSessions(db, NOW)).toEqual([]);
    open(2);
    db.delete(services).where(eq(services.subscriberId, 2)).run();
    db.update(nas).set({ ispId: 2, createdAt: NOW }).where(eq(nas.id, 1)).run();
    expect((await enforcer.run()).ended).toBe(2);
    expect(routers.take().sort()).toEqual(["disconnect s1", "disconnect s2"]);
  });
});

describe("a router that does not do it", () => {
  test("is asked once for all, then left alone for longer and longer", async () => {
    for (let id = 1; id <= COUNT; id++) {
      open(id);
      expire(id);
    }
    routers.answer = silent;
    const tries: number[] = [];
    for (; now < NOW + 200; now += 5) {
      await enforcer.run();
      for (const _ of routers.take()) tries.push(now - NOW);
    }
    expect(tries).toEqual([0, 15, 45, 105]);
    routers.answer = { kind: "acknowledged" };
    now += 120;
    expect((await enforcer.run()).ended).toBe(COUNT);
    expect(db.select().from(sessions).where(eq(sessions.closedBy, "disconnect")).all()).toHaveLength(COUNT);
  });

  test("does not hold up the others", async () => {
    open(1, { nasAddress: "192.0.2.1" });
    open(2);
    expire(1);
    expire(2);
    routers.answer = (answers) => (answers.endsWith("s1") ? silent : { kind: "acknowledged" });
    expect(await enforcer.run()).toEqual({
      ended: 1,
      changed: 0,
      failures: ["user1: silence; trying again in 15 s"],
    });
  });

  test("refuses one session only", async () => {
    open(1);
    open(2);
    expire(1);
    expire(2);
    routers.answer = (answers) =>
      answers.endsWith("s1") ? { kind: "failed", reason: "prohibited" } : { kind: "acknowledged" };
    expect(await enforcer.run()).toMatchObject({
      ended: 1,
      failures: ["user1: prohibited; trying again in 15 s"],
    });
    expect(routers.take()).toHaveLength(2);
    await enforcer.run();
    expect(routers.take()).toEqual([]);
  });

  test("sees an Interim after its ACK as another reason to be asked", async () => {
    open(1);
    expire(1);
    await enforcer.run();
    db.update(sessions).set({ stoppedAt: null, closedBy: null, terminateCause: null }).run();
    now += 10;
    await enforcer.run();
    expect(routers.take()).toEqual(["disconnect s1", "disconnect s1"]);
  });
});

test("stopped, it begins nothing new and waits for what is under way", async () => {
  for (let id = 1; id <= 3; id++) {
    open(id);
    expire(id);
  }
  const answers: (() => void)[] = [];
  const slow = new Enforcer(db, {
    clock: () => now,
    routers: {
      ...routers,
      disconnect: () => new Promise((resolve) => answers.push(() => resolve({ kind: "acknowledged" }))),
    },
  });
  const running = slow.run();
  while (answers.length === 0) await Bun.sleep(1);
  const stopped = slow.stop();
  for (const answer of answers) answer();
  await stopped;
  expect(await running).toMatchObject({ ended: 1 });
  expect(answers).toHaveLength(1);
});

test("the pause doubles up to a quarter of an hour, and success forgets it", () => {
  const backoff = new Backoff();
  let at = 0;
  const pauses = Array.from({ length: 8 }, () => {
    const pause = backoff.failed("a", at);
    // of what was under way when the pause began
    expect(backoff.failed("a", at + 5)).toBe(pause - 5);
    at += pause;
    return pause;
  });
  expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 900, 900]);
  expect([backoff.isWaiting("a", at - 1), backoff.isWaiting("a", at), backoff.isWaiting("b", 0)]).toEqual([
    true,
    false,
    false,
  ]);
  backoff.succeeded("a");
  expect(backoff.failed("a", 0)).toBe(15);
  backoff.prune(10_000);
  expect(backoff.failed("a", 10_000)).toBe(15);
});

test("10,000 open sessions are looked through quickly", () => {
  const { $client } = db;
  $client.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
     INSERT INTO sessions (nas_address, acct_session_id, username, subscriber_id, started_at, updated_at)
     SELECT '127.0.0.1', 'n' || i, 'u', 1 + i % ${COUNT}, ${NOW - 100}, ${NOW} FROM n`,
  );
  for (let id = 1; id <= COUNT; id += 2) expire(id);
  const taken = processorTime(() => expect(dueSessions(db, NOW)).toHaveLength(5000));
  expect(taken).toBeLessThan(5000);
});
