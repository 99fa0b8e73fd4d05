import { randomBytes } from "node:crypto";
import { expect, test } from "bun:test";
import { aReport, Replication, type TestNode } from "../../../support/replication.ts";
import type { SessionReport } from "../../../../src/domain/service/sessions/advance.ts";
import {
  LEASE_CLASS_LENGTH,
  writeGranted,
  writeLease,
} from "../../../../src/domain/service/sessions/session-class.ts";
import { answerPrimary } from "../../../../src/domain/service/control/answer-primary.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { dueSessions } from "../../../../src/domain/service/enforcement/due.ts";
import { forgetOthers } from "../../../../src/domain/machine/access-boxes/hearing.ts";
import { AccessReader } from "../../../../src/domain/service/access/reader.ts";
import { aSubscriber, loadIsp } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";

async function aWorld(): Promise<{ world: Replication; a: TestNode; b: TestNode }> {
  const world = new Replication(2);
  await loadIsp(world.primary, { subscribers: [aSubscriber(1)] });
  world.begin();
  world.settle();
  const [a, b] = world.boxes;
  if (!a || !b) throw new Error("two boxes");
  return { world, a, b };
}

const interim = (seconds: number, octets: number, values: Partial<SessionReport> = {}) =>
  aReport({
    status: "interim",
    at: NOW + seconds,
    sessionTime: seconds,
    inputOctets: octets,
    outputOctets: 0,
    ...values,
  });
const ROW = `SELECT session_time AS time, input_octets AS octets, started_at - ${NOW} AS started, stopped_at - ${NOW} AS stopped,
  (SELECT sum(input_octets) FROM usage_days) AS used, (SELECT count(*) FROM sessions) AS rows FROM sessions`;

/** All ways in which two boxes can tell what they have, each in its own order: who tells, as letters. */
function interleaved(a: number, b: number): string[] {
  if (a === 0) return ["b".repeat(b)];
  if (b === 0) return ["a".repeat(a)];
  return [
    ...interleaved(a - 1, b).map((rest) => `a${rest}`),
    ...interleaved(a, b - 1).map((rest) => `b${rest}`),
  ];
}

for (const isSeen of [true, false])
  test(`a router that goes over to another box in the middle of a session, ${isSeen ? "which knows it" : "which has not heard of it"}: right to the byte`, async () => {
    for (const order of interleaved(4, 4).filter((_, index) => index % 5 === 0)) {
      const { world, a, b } = await aWorld();
      using _ = world;
      a.account(aReport({ at: NOW }));
      if (isSeen) {
        world.takeHome(a, { limit: 1 });
        world.publish();
        b.hear(world.bucket);
      }
      a.account(interim(60, 1000));
      a.account(interim(120, 3000)); // whose answer the router has not heard
      b.account(interim(120, 3000));
      b.account(interim(180, 5000));
      b.account(interim(180, 5000));
      a.account(interim(60, 1000)); // late
      b.account(aReport({ ...interim(240, 6000), status: "stop", terminateCause: "User-Request" }));
      for (const node of order) world.takeHome(node === "a" ? a : b, { limit: 1, isAnswered: true });
      world.settle();
      expect([order, world.one(ROW)]).toEqual([
        order,
        { time: 240, octets: 6000, started: 0, stopped: 240, used: 6000, rows: 1 },
      ]);
      expect(world.refused).toEqual([]);
    }
  });

test("there and back again: the box that the router asks looks after the session", async () => {
  const { world, a, b } = await aWorld();
  using _ = world;
  const via = (node: TestNode) => node.one<{ via: number | null }>("SELECT via_box AS via FROM sessions").via;
  a.account(aReport({ at: NOW }));
  world.settle();
  expect([via(a), via(b)]).toEqual([null, 1]);
  b.account(interim(60, 1000));
  world.settle();
  expect([via(a), via(b)]).toEqual([2, null]);
  a.account(interim(120, 4000));
  world.settle();
  expect([via(a), via(b)]).toEqual([null, 1]);
  expect(world.one(ROW)).toMatchObject({ octets: 4000, used: 4000, rows: 1 });
  world.primary.$client.run("UPDATE subscribers SET status = 0");
  world.settle();
  expect([dueSessions(a.db, NOW + 130).length, dueSessions(b.db, NOW + 130).length]).toEqual([1, 0]);
});

test("cut off for long, a box counts others no more; they are back when they are told again, and go on with their counters", async () => {
  const { world, a, b } = await aWorld();
  using _ = world;
  a.account(aReport({ at: NOW }));
  a.account(interim(60, 1000));
  world.settle();
  const open = () => new AccessReader(b.db).openSessions(1).length;
  expect(open()).toBe(1);
  forgetOthers(b.db, NOW + 1000);
  expect(open()).toBe(0);
  b.hear(world.bucket);
  expect(open()).toBe(1);
  forgetOthers(b.db, NOW + 2000);
  // its router has come over meanwhile
  b.account(interim(2060, 9000));
  expect(open()).toBe(1);
  world.settle();
  expect(world.one(ROW)).toMatchObject({ octets: 9000, used: 9000, rows: 1, stopped: null });
});

test("an own session that the books have closed is over, unless they have yet to hear of it", async () => {
  const { world, a } = await aWorld();
  using _ = world;
  const isOpen = () => new AccessReader(a.db).openSessions(1).length === 1;
  a.account(aReport({ at: NOW }));
  world.settle();
  world.primary.$client.run(`UPDATE sessions SET stopped_at = ${NOW + 30}, closed_by = 'hand'`);
  a.account(interim(100, 1000));
  world.publish();
  a.hear(world.bucket);
  expect(isOpen()).toBe(true);
  world.settle();
  expect(world.one(ROW)).toMatchObject({ stopped: null });
  world.primary.$client.run(`UPDATE sessions SET stopped_at = ${NOW + 130}, closed_by = 'hand'`);
  world.settle();
  expect(isOpen()).toBe(false);
});

test("a session whose owner a box did not know yet is looked after by it once the books tell whose it is", async () => {
  using world = new Replication(1);
  await loadIsp(world.primary, { subscribers: [aSubscriber(1)] });
  world.begin();
  const [node] = world.boxes;
  if (!node) throw new Error("a box");
  const OWNER = "SELECT subscriber_id AS owner, (SELECT count(*) FROM sessions) AS rows FROM sessions";
  // its router reports before the box has read who there is
  node.account(interim(60, 1000));
  expect(node.one<unknown>(OWNER)).toEqual({ owner: null, rows: 1 });
  world.settle();
  expect(world.one<unknown>(OWNER)).toEqual({ owner: 1, rows: 1 });
  expect(world.one(ROW)).toMatchObject({ octets: 1000, used: 1000 });
  expect(node.one<unknown>(OWNER)).toEqual({ owner: 1, rows: 1 });
  world.primary.$client.run("UPDATE subscribers SET status = 0");
  world.settle();
  expect(dueSessions(node.db, NOW + 130)).toHaveLength(1);
});

function leaseClass(): Buffer {
  const made = randomBytes(LEASE_CLASS_LENGTH);
  writeGranted(made, { acceptedAs: "accepted", grantedTerms: 1, grantedRate: 1 });
  writeLease(made, { subscriberId: 1, isPrefix: false });
  return made;
}

test("a lease that was renewed, of which the books have yet to hear, is ended for them all the same", async () => {
  const { world, a } = await aWorld();
  using _ = world;
  const first = leaseClass();
  const report = aReport({ at: NOW, class: first });
  a.account(report);
  a.account(interim(60, 1000, { class: leaseClass() }));
  const routers = new RecordedRouters();
  const { acctSessionId, nasAddress, username } = report;
  const session = { acctSessionId, nasAddress, username, class: first.toString("base64") };
  expect(await answerPrimary(a.db, routers, { ask: "disconnect", session })).toEqual({
    kind: "acknowledged",
  });
});

test("a lease that is renewed while its box is cut off stays one session there", async () => {
  const { world, a } = await aWorld();
  using _ = world;
  a.account(aReport({ at: NOW, class: leaseClass() }));
  a.account(interim(60, 1000, { class: leaseClass() }));
  world.takeHome(a, { limit: 1 });
  world.publish();
  a.hear(world.bucket);
  a.account(interim(120, 3000, { class: leaseClass() }));
  world.settle();
  expect(a.one(ROW)).toMatchObject({ octets: 3000, rows: 1 });
  expect(world.one(ROW)).toMatchObject({ octets: 3000, used: 3000, rows: 1 });
});
