import { expect, test } from "bun:test";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { beginWindows } from "../../../src/domain/service/fair-use/begin-windows.ts";
import { aPackage, aSubscriber, by, DAY } from "../../support/isp.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const subscribers = [aSubscriber(1, { package_id: 2 })];
const G = 2 ** 32;

/** Ten in the evening, of NOW's day; the clock of the tests is in UTC. */
const TEN = 10 * 3600;

function packet(seconds: number, octets: number): NamedAttribute[] {
  return [
    ["User-Name", "user1"],
    ["Acct-Session-Id", "81000001"],
    ["NAS-Port", 7],
    ["Acct-Session-Time", seconds],
    ["Acct-Input-Octets", octets % G],
    ["Acct-Output-Octets", 0],
    ["Acct-Input-Gigawords", Math.floor(octets / G)],
    ["Acct-Output-Gigawords", 0],
  ];
}

async function tell(
  handlers: TestHandlers,
  after: number,
  seconds: number,
  octets: number,
  status: "Start" | "Interim-Update" | "Stop" = "Interim-Update",
) {
  handlers.clock.now = NOW + after;
  handlers.clock.uptime += 20;
  const reply = await handlers.account(status, packet(seconds, octets));
  expect(reply?.code).toBe("Accounting-Response");
}

interface Counters {
  used: number;
  free: number;
  start: number | null;
}
const counters = (handlers: TestHandlers) =>
  handlers.db.$client
    .query<Counters, []>("SELECT quota_used AS used, free_bytes AS free, window_start AS start FROM services")
    .get();

test("bytes of a report that spans the beginning of free hours are split by time, to the byte", async () => {
  const packages = [aPackage(2, { hours: "daily 22:00-06:00 free", tiers: "1GB 1M/1M" })];
  await using handlers = await TestHandlers.open({ packages, subscribers });
  await tell(handlers, TEN - 600, 0, 0, "Start");
  await tell(handlers, TEN - 300, 300, 1000);
  expect(counters(handlers)).toMatchObject({ used: 1000, free: 0 });
  // 300 s before ten and 700 s after it
  await tell(handlers, TEN + 700, 1300, 1000 + 1001);
  expect(counters(handlers)).toMatchObject({ used: 1300, free: 701 });
  // what is repeated adds nothing
  await tell(handlers, TEN + 700, 1300, 1000 + 1001);
  await tell(handlers, TEN + 800, 1400, 2001 + 5 * G, "Stop");
  expect(counters(handlers)).toMatchObject({ used: 1300, free: 701 + 5 * G });
});

test("a report that comes once more, later, does not move what went by before the hours into them", async () => {
  const packages = [aPackage(2, { hours: "daily 22:00-06:00 free", tiers: "1GB 1M/1M" })];
  await using handlers = await TestHandlers.open({ packages, subscribers });
  await tell(handlers, TEN - 600, 0, 0, "Start");
  await tell(handlers, TEN - 300, 300, 1000);
  await tell(handlers, TEN + 400, 300, 1000);
  await tell(handlers, TEN + 700, 1300, 1000 + 1001);
  expect(counters(handlers)).toMatchObject({ used: 1300, free: 701 });
});

test("a router that says only at the end how long a session lasted has told of what went by before", async () => {
  const packages = [aPackage(2, { hours: "daily 22:00-06:00 free", tiers: "1GB 1M/1M" })];
  await using handlers = await TestHandlers.open({ packages, subscribers });
  await tell(handlers, TEN - 600, 0, 0, "Start");
  await tell(handlers, TEN - 300, 0, 1000);
  await tell(handlers, TEN + 100, 0, 2000);
  await tell(handlers, TEN + 400, 1000, 3000, "Stop");
  expect(counters(handlers)).toMatchObject({ used: 1000, free: 2000 });
});

test("a report over midnight is of both days, and a late one of the day before counts no more", async () => {
  const packages = [aPackage(2, { fair_window: "day", data_quota_bytes: 10_000 })];
  await using handlers = await TestHandlers.open({ packages, subscribers });
  const midnight = 12 * 3600;
  await tell(handlers, midnight - 600, 0, 0, "Start");
  await tell(handlers, midnight - 100, 500, 900);
  expect(counters(handlers)).toEqual({ used: 900, free: 0, start: NOW - 12 * 3600 });
  await tell(handlers, midnight + 300, 900, 900 + 1001);
  expect(counters(handlers)).toEqual({ used: 751, free: 0, start: NOW + midnight });
  const at = handlers.clock.now;
  handlers.clock.now = at + 10;
  const late: NamedAttribute[] = packet(400, 7777).map(([name, value]) =>
    name === "Acct-Session-Id" ? [name, "81000002"] : [name, value],
  );
  await handlers.account("Interim-Update", [...late, ["Acct-Delay-Time", 700]]);
  expect(counters(handlers)).toEqual({ used: 751, free: 0, start: NOW + midnight });
});

test("a volume that was used up crosses again in the next window", async () => {
  const packages = [aPackage(2, { fair_window: "day", data_quota_bytes: 1000 })];
  await using handlers = await TestHandlers.open({ packages, subscribers });
  const crossed = () => handlers.db.$client.query("SELECT quota_crossed_at FROM services").values()[0]?.[0];
  await tell(handlers, 0, 0, 0, "Start");
  await tell(handlers, 60, 60, 1500);
  expect(crossed()).toBe(NOW + 60);
  await tell(handlers, 86_400, 86_400, 1600);
  expect(crossed()).toBeNull();
  await tell(handlers, 86_460, 86_460, 2700);
  expect(crossed()).toBe(NOW + 86_460);
});

test("what is used counts again after a clock that was years ahead has begun a window, and is set right", async () => {
  const packages = [aPackage(2, { fair_window: "month", data_quota_bytes: 10_000 })];
  await using handlers = await TestHandlers.open({ packages, subscribers });
  await tell(handlers, 0, 0, 0, "Start");
  await tell(handlers, 60, 60, 500);
  await beginWindows(handlers.db, by, { now: NOW + 500 * DAY });
  await beginWindows(handlers.db, by, { now: NOW + 70 });
  await tell(handlers, 120, 120, 1500);
  expect(counters(handlers)).toEqual({ used: 1000, free: 0, start: NOW - 14.5 * DAY });
});

test("a router whose clock was set during a session says that it lasts for years, and what was used since its last report counts", async () => {
  const packages = [aPackage(2, { fair_window: "day", tiers: "1GB 1M/1M" })];
  await using handlers = await TestHandlers.open({ packages, subscribers });
  await tell(handlers, 0, 0, 0, "Start");
  await tell(handlers, 300, 300, 1000);
  await tell(handlers, 600, 600 + 20 * 365 * DAY, 3000);
  expect(counters(handlers)).toMatchObject({ used: 3000 });
});
