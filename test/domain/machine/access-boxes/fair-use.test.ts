import { expect, test } from "bun:test";
import { decide } from "../../../../src/domain/service/access/decide.ts";
import { AccessReader } from "../../../../src/domain/service/access/reader.ts";
import { Enforcer } from "../../../../src/domain/service/enforcement/enforce.ts";
import { fairDue } from "../../../../src/domain/service/enforcement/fair-due.ts";
import { topUp } from "../../../../src/domain/service/activation/top-up.ts";
import type { Db } from "../../../../db/open.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aReport, Replication } from "../../../support/replication.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";

const COUNTERS =
  "SELECT quota_used AS used, free_bytes AS free, extra_bytes AS extra FROM services WHERE subscriber_id = 1";

async function withTiers(): Promise<Replication> {
  const world = new Replication(2);
  await loadIsp(world.primary, {
    packages: [
      aPackage(2, {
        tiers: "1kB 1M/1M; 5kB 64k",
        hours: "daily 12:10-12:20 free 50M/50M",
        fair_window: "day",
      }),
      aPackage(3, { price: "1.00", top_up_bytes: 1000, top_up_rolls: 1 }),
    ],
    subscribers: [aSubscriber(1, { package_id: 2, salesperson_id: 1 })],
  });
  world.begin();
  world.publish();
  for (const node of world.boxes) node.hear(world.bucket);
  return world;
}

const rateAt = (db: Db, now: number) => {
  const candidate = new AccessReader(db).candidate("user1");
  if (!candidate) throw new Error("there is no user1");
  const decision = decide(candidate, {
    ispId: null,
    nasAddress: "",
    mac: undefined,
    kind: "other",
    passwordIsRight: true,
    sessions: () => [],
    pending: () => 0,
    replacesAtNasPort: () => false,
    takesLists: true,
    expiredSessionTimeout: 60,
    gardenRate: "512k/512k",
    now,
  });
  return decision.accept ? decision.grant.rateLimit : undefined;
};

test("a box counts, splits and slows down by its own store, and the books come to the same", async () => {
  using world = await withTiers();
  const [node, other] = world.boxes;
  if (!node || !other) throw new Error("two boxes");
  const tell = (seconds: number, inputOctets: number) => {
    node.moveTo(NOW + seconds);
    return node.account(
      aReport({ status: "interim", at: NOW + seconds, sessionTime: seconds, inputOctets, outputOctets: 0 }),
    );
  };
  expect(tell(300, 900)).toBeUndefined();
  expect(rateAt(node.db, NOW + 300)).toBe("10M/20M");
  // 300 s before the free hours, 300 s in them
  expect(tell(900, 900 + 1001)).toEqual({ subscriberId: 1 });
  expect(node.one<unknown>(COUNTERS)).toEqual({ used: 1400, free: 501, extra: 0 });
  expect([NOW + 900, NOW + 1200].map((at) => rateAt(node.db, at))).toEqual(["50M/50M", "1M/1M"]);
  expect(fairDue(node.db, NOW + 1200).due).toHaveLength(1);

  world.now = NOW + 1300;
  for (const one of world.boxes) one.moveTo(NOW + 1300);
  world.settle();
  for (const one of [world, ...world.boxes])
    expect(one.one<unknown>(COUNTERS)).toEqual({ used: 1400, free: 501, extra: 0 });
  expect(fairDue(world.primary, NOW + 1300).due).toEqual([]); // the box's own
  expect(world.refused).toEqual([]);
});

test("a window begins at a box that is cut off, and what the books tell late of the one before spoils nothing", async () => {
  using world = await withTiers();
  const [node] = world.boxes;
  if (!node) throw new Error("a box");
  const interim = (at: number, inputOctets: number) =>
    aReport({ status: "interim", at, sessionTime: at - NOW, inputOctets, outputOctets: 0 });
  node.moveTo(NOW + 3600);
  node.account(interim(NOW + 3600, 2000));
  const midnight = NOW + DAY / 2;
  expect(rateAt(node.db, midnight - 1)).toBe("1M/1M");
  expect(rateAt(node.db, midnight)).toBe("10M/20M");
  node.moveTo(midnight + 100);
  node.account(interim(midnight + 100, 2000));
  node.moveTo(midnight + 200);
  node.account(interim(midnight + 200, 2300));
  expect(node.one<{ used: number }>(COUNTERS).used).toBe(300);
  // told before it was midnight there
  world.primary.$client.run("UPDATE subscribers SET mac_lock = 0, any_connection = 1 WHERE id = 1");
  world.publish();
  node.hear(world.bucket);
  expect(node.one<{ used: number }>(COUNTERS).used).toBe(300);
  world.now = midnight + 300;
  for (const one of world.boxes) one.moveTo(midnight + 300);
  world.settle();
  for (const one of [world, ...world.boxes]) expect(one.one<{ used: number }>(COUNTERS).used).toBe(300);
});

test("a top-up that is sold at the books is there at every box", async () => {
  using world = await withTiers();
  const [node] = world.boxes;
  if (!node) throw new Error("a box");
  node.moveTo(NOW + 60);
  node.account(
    aReport({ status: "interim", at: NOW + 60, sessionTime: 60, inputOctets: 1500, outputOctets: 0 }),
  );
  world.now = NOW + 60;
  world.settle();
  expect(rateAt(node.db, NOW + 61)).toBe("1M/1M");
  topUp(world.primary, by, { subscriberId: 1, packageId: 3 }, { now: NOW + 61 });
  world.settle();
  for (const one of [world, ...world.boxes])
    expect(one.one<unknown>(COUNTERS)).toEqual({ used: 1500, free: 0, extra: 1000 });
  expect(rateAt(node.db, NOW + 62)).toBe("10M/20M");
});

test("with the books away a box reaches a tier, tells its routers, and goes on so after a restart", async () => {
  using world = await withTiers();
  const [node] = world.boxes;
  if (!node) throw new Error("a box");
  const routers = new RecordedRouters();
  const enforcerNow = () => new Enforcer(node.db, { clock: () => node.now, routers });
  const tell = (seconds: number, inputOctets: number) => {
    node.moveTo(NOW + seconds);
    return node.account(
      aReport({ status: "interim", at: NOW + seconds, sessionTime: seconds, inputOctets, outputOctets: 0 }),
    );
  };
  let enforcer = enforcerNow();
  expect(tell(300, 900)).toBeUndefined();
  await enforcer.runWaves();
  // its Class does not say what it was granted, so it is told once
  expect(routers.take()).toEqual(["rate 81000001 10M/20M"]);
  expect(tell(400, 1200)).toEqual({ subscriberId: 1 });
  expect(await enforcer.enforceOne({ subscriberId: 1 })).toMatchObject({ changed: 1, failures: [] });
  expect(routers.take()).toEqual(["rate 81000001 1M/1M"]);

  node.restart();
  enforcer = enforcerNow();
  expect(tell(500, 1300)).toBeUndefined();
  await enforcer.runWaves();
  expect(routers.take()).toEqual([]);
  // the free hours of the package, by the box's own clock
  node.moveTo(NOW + 600);
  await enforcer.runWaves();
  expect(routers.take()).toEqual(["rate 81000001 50M/50M"]);
  expect(rateAt(node.db, node.now)).toBe("50M/50M");
  node.moveTo(NOW + 1200);
  await enforcer.runWaves();
  expect(routers.take()).toEqual(["rate 81000001 1M/1M"]);
  expect(node.one<{ n: number }>("SELECT count(*) AS n FROM sessions WHERE stopped_at IS NULL").n).toBe(1);

  // the books are back: they count the same, tell of the tier once, and leave the session to its box
  world.now = NOW + 1300;
  for (const one of world.boxes) one.moveTo(NOW + 1300);
  world.settle();
  expect(world.one<{ used: number }>(COUNTERS).used).toBe(node.one<{ used: number }>(COUNTERS).used);
  expect(world.one<{ n: number }>("SELECT count(*) AS n FROM events WHERE type = 'tier.reached'").n).toBe(1);
  const requests = new RecordedRouters();
  await new Enforcer(world.primary, { clock: () => world.now, routers: requests }).runWaves();
  expect(requests.take()).toEqual([]);
  await enforcer.runWaves();
  expect(routers.take()).toEqual([]);
});
