import { expect, test } from "bun:test";
import { followBeat } from "../../../../src/domain/machine/access-boxes/hearing.ts";
import { noteBeat } from "../../../../src/domain/machine/access-boxes/state.ts";
import { FollowingClock } from "../../../../src/domain/core/time/steady-clock.ts";
import { aReport, Replication } from "../../../support/replication.ts";
import { aSubscriber, loadIsp } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";

const YEAR_2040 = Date.UTC(2040, 0, 1) / 1000;

test("time is never before the last beat, goes on from it, and follows the books from the next one on", () => {
  const machine = { wall: 0, elapsed: 0 };
  const clock = new FollowingClock({ wall: () => machine.wall, elapsed: () => machine.elapsed });
  expect(clock.now()).toBe(0);
  clock.follow({ notBefore: 5000 });
  expect(clock.now()).toBe(5000);
  machine.elapsed = 700;
  clock.follow({ notBefore: 5000 }); // each few seconds the same beat is read
  expect(clock.now()).toBe(5700);
  machine.wall = 9000;
  expect(clock.now()).toBe(9000);
  clock.follow({ now: 6000 });
  expect(clock.now()).toBe(6000);
  machine.elapsed = 1700;
  machine.wall = -1;
  expect(clock.now()).toBe(7000);
});

test.each([
  ["1970", 0, YEAR_2040],
  ["2040", YEAR_2040, 0],
  ["1970, and after a restart too", 0, 0],
  ["2040, and after a restart too", YEAR_2040, YEAR_2040],
])("a box whose clock says %s moves no session", async (_, wrong, afterwards) => {
  using world = new Replication(1);
  await loadIsp(world.primary, { subscribers: [aSubscriber(1)] });
  world.begin();
  world.settle();
  const [node] = world.boxes;
  if (!node) throw new Error("a box");
  // what is so, in seconds since NOW, and what the machine makes of it
  let time = 0;
  let machine = { wall: wrong, began: 0, boot: "a" };
  let clock: FollowingClock;
  const begin = () => {
    clock = new FollowingClock({
      wall: () => (machine.wall + time - machine.began) * 1000,
      elapsed: () => time * 1000,
    });
    node.restart();
  };
  const pass = (seconds: number) => {
    time += seconds;
    world.now = NOW + time;
    node.elapsed.at = (time - machine.began) * 1000;
    node.elapsed.boot = machine.boot;
    followBeat(node.db, node.elapsed, (signal) => clock.follow(signal));
    node.now = Math.floor(clock.now() / 1000);
  };
  const report = (id: number, seconds: number) =>
    node.account(
      aReport({
        acctSessionId: `8100000${id}`,
        mac: `02:00:00:00:00:0${id}`,
        at: node.now,
        ...(seconds > 0 && {
          status: "interim",
          sessionTime: seconds,
          inputOctets: seconds,
          outputOctets: 0,
        }),
      }),
    );
  begin();
  pass(10);
  noteBeat(node.db, NOW + 10, node.elapsed);
  pass(10);
  report(1, 0); // at 20
  pass(10);
  begin(); // the program starts again, cut off
  pass(10);
  report(1, 20); // at 40
  report(2, 0);
  machine = { wall: afterwards, began: time + 10, boot: "b" };
  pass(10); // the machine starts again, cut off, at 50
  begin();
  pass(20);
  expect(node.now).toBeGreaterThanOrEqual(NOW + 10);
  report(3, 0); // at 70
  pass(30);
  noteBeat(node.db, NOW + 100, node.elapsed);
  pass(0);
  expect(node.now).toBe(NOW + 100);
  world.takeHome(node);
  expect(
    world.primary.$client
      .query(
        `SELECT acct_session_id AS id, started_at - ${NOW} AS started, updated_at - ${NOW} AS updated, stopped_at AS stopped
         FROM sessions ORDER BY id`,
      )
      .all(),
  ).toEqual([
    { id: "81000001", started: 20, updated: 40, stopped: null },
    { id: "81000002", started: 40, updated: 40, stopped: null },
    { id: "81000003", started: 70, updated: 70, stopped: null },
  ]);
  expect(world.refused).toEqual([]);
});
