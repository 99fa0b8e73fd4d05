import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { dueSessions } from "../../../../src/domain/service/enforcement/due.ts";
import { aReport, Replication } from "../../../support/replication.ts";
import { aPackage, aSubscriber, loadIsp } from "../../../support/isp.ts";
import { runs } from "../../../support/runs.ts";
import { NOW } from "../../../support/store.ts";

const USED = "SELECT quota_used AS used, quota_crossed_at AS crossed FROM services WHERE subscriber_id = 1";
const SUM = "SELECT sum(input_octets + output_octets) AS used FROM sessions WHERE subscriber_id = 1";

async function withQuota(quota: number): Promise<Replication> {
  const world = new Replication(2);
  await loadIsp(world.primary, {
    packages: [aPackage(2, { data_quota_bytes: quota, simultaneous_use: 8 })],
    subscribers: [aSubscriber(1, { package_id: 2 })],
  });
  world.begin();
  world.publish();
  for (const node of world.boxes) node.hear(world.bucket);
  return world;
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("account" as const), at: fc.nat(2), octets: fc.nat(1000) }),
  },
  fc.record({ kind: fc.constant("publish" as const), isNoted: fc.boolean(), isMinute: fc.boolean() }),
  fc.record({ kind: fc.constant("hear" as const), box: fc.nat(1), isReversed: fc.boolean() }),
  fc.record({
    kind: fc.constant("home" as const),
    box: fc.nat(1),
    limit: fc.integer({ min: 1, max: 5 }),
    isAnswered: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("restart" as const), at: fc.nat(2) }),
  fc.record({ kind: fc.constant("again" as const), at: fc.nat(1) }),
);

test("bytes count once at every box and at the books, in whatever order they are published, told and heard", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      using world = await withQuota(1e12);
      // a session at each box and one at the books, each with what its router has counted
      const counted = [0, 0, 0];
      const begun = [0, 0, 0];
      const account = (at: number) => {
        const seconds = (begun[at] = (begun[at] ?? 0) + 1);
        const report = aReport({
          status: "interim",
          at: NOW + seconds,
          sessionTime: seconds,
          acctSessionId: `8100000${at}`,
          inputOctets: counted[at],
          outputOctets: 0,
          mac: `02:00:00:00:00:0${at}`,
          nasAddress: `127.0.1.${at}`,
        });
        (world.boxes[at] ?? world).account(report);
      };
      for (const one of steps) {
        if (one.kind === "account") {
          counted[one.at] = (counted[one.at] ?? 0) + one.octets;
          account(one.at);
        }
        if (one.kind === "again") account(one.at); // a report that the router repeats a moment later
        if (one.kind === "publish") world.publish(one);
        if (one.kind === "hear") {
          const published = [...world.bucket];
          world.boxes[one.box]?.hear(one.isReversed ? published.reverse() : published);
        }
        const node = one.kind === "home" ? world.boxes[one.box] : undefined;
        if (node && one.kind === "home") world.takeHome(node, one);
        if (one.kind === "restart")
          (world.boxes[one.at]?.restart.bind(world.boxes[one.at]) ?? (() => world.restartPrimary()))();
        const total = counted.reduce((sum, octets) => sum + octets, 0);
        for (const [index, accessBox] of world.boxes.entries()) {
          const { used } = accessBox.one<{ used: number }>(USED);
          expect(used).toBeLessThanOrEqual(total);
          expect(used).toBeGreaterThanOrEqual(counted[index] ?? 0);
        }
      }
      world.settle();
      const total = counted.reduce((sum, octets) => sum + octets, 0);
      expect(world.one<{ used: number }>(USED).used).toBe(total);
      for (const node of world.boxes) expect(node.one<{ used: number }>(USED).used).toBe(total);
      if (total > 0) expect(world.one<{ used: number }>(SUM).used).toBe(total);
      expect(world.refused).toEqual([]);
    }),
    runs(8, 60),
  );
});

test("a quota that two boxes use up together ends the sessions at both", async () => {
  using world = await withQuota(10_000);
  const [a, b] = world.boxes;
  if (!a || !b) throw new Error("two boxes");
  for (const [index, node] of [a, b].entries())
    node.account(
      aReport({
        status: "interim",
        at: NOW + 60,
        sessionTime: 60,
        inputOctets: 6000,
        outputOctets: 0,
        acctSessionId: `8100000${index}`,
        mac: `02:00:00:00:00:0${index}`,
        nasAddress: `127.0.1.${index}`,
      }),
    );
  expect(dueSessions(a.db, NOW + 60)).toEqual([]);
  expect(dueSessions(b.db, NOW + 60)).toEqual([]);
  world.takeHome(a);
  expect(world.takeHome(b)?.crossed).toEqual([{ subscriberId: 1 }]);
  world.publish({ isMinute: false }); // at once, not with the next minute
  for (const node of world.boxes) node.hear(world.bucket);
  for (const node of world.boxes)
    expect(dueSessions(node.db, NOW + 61)).toEqual([
      expect.objectContaining({ subscriberId: 1, nasAddress: `127.0.1.${node.id - 1}` }),
    ]);
  expect(dueSessions(world.primary, NOW + 61)).toEqual([]);
});

test("what crossed the quota at a box stays crossed while the books have not heard of it", async () => {
  using world = await withQuota(10_000);
  const [node] = world.boxes;
  if (!node) throw new Error("a box");
  const crossed = node.account(
    aReport({ status: "interim", at: NOW + 60, sessionTime: 60, inputOctets: 12_000, outputOctets: 0 }),
  );
  expect(crossed).toEqual({ subscriberId: 1 });
  world.primary.$client.run("UPDATE subscribers SET mac_lock = 0, any_connection = 1 WHERE id = 1");
  world.publish();
  node.hear(world.bucket);
  expect(node.one<unknown>(USED)).toEqual({ used: 12_000, crossed: NOW + 60 });
  // a period that is paid for begins with nothing used, and what was used in the one before does not cross it
  world.settle();
  world.primary.$client.run(
    "UPDATE services SET quota_used = 0, quota_crossed_at = NULL WHERE subscriber_id = 1",
  );
  world.settle();
  expect(node.one<unknown>(USED)).toEqual({ used: 0, crossed: null });
});

test("what was used at a box that was cut off, before its subscriber paid anew, bars nobody from what was paid for", async () => {
  using world = await withQuota(10_000);
  const [node] = world.boxes;
  if (!node) throw new Error("a box");
  node.moveTo(NOW + 60);
  node.account(
    aReport({ status: "interim", at: NOW + 60, sessionTime: 60, inputOctets: 12_000, outputOctets: 0 }),
  );
  // paid at the books, which have heard of nothing
  world.primary.$client.run("UPDATE services SET activated_at = ? WHERE subscriber_id = 1", [NOW + 600]);
  world.now = NOW + 700;
  for (const one of world.boxes) one.moveTo(NOW + 700);
  world.publish();
  node.hear(world.bucket);
  expect(node.one<unknown>(USED)).toEqual({ used: 0, crossed: null });
  world.settle();
  expect(world.one<unknown>(USED)).toEqual({ used: 0, crossed: null });
  expect(node.one<unknown>(USED)).toEqual({ used: 0, crossed: null });
});
