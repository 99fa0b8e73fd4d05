import { expect, test } from "bun:test";
import { importDataSet } from "../../../src/domain/machine/imports/data-set/import.ts";
import { closeLostSessions } from "../../../src/domain/service/sessions/sweep.ts";
import { formatTime, localDay } from "../../../src/domain/core/time/time.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { aSubscriber, by } from "../../support/isp.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

type Row = Record<string, unknown>;

/** A session of user1 that was open in another system, an hour old, with its counters of a minute ago. */
const moved = {
  username: "user1",
  nas_address: "127.0.0.1",
  acct_session_id: "81000001",
  session_time: 3540,
  started_at: formatTime(NOW - 3600),
  updated_at: formatTime(NOW - 60),
  input_octets: 1_000_000,
  output_octets: 20_000_000,
  framed_ip: "10.5.0.2",
};

async function withMoved(sessions: readonly Row[] = [moved]): Promise<TestHandlers> {
  const usage = [{ month: formatTime(NOW).slice(0, 7), up: 1_000_000, down: 20_000_000 }];
  const subscribers = [{ ...aSubscriber(1), usage }, aSubscriber(2)];
  const handlers = await TestHandlers.open({ subscribers });
  await importDataSet(handlers.db, by, { sessions }, { now: NOW });
  return handlers;
}

async function tell(
  handlers: TestHandlers,
  after: number,
  status: AccountingStatus,
  values: Record<string, string | number | Buffer> = {},
): Promise<void> {
  handlers.clock.now = NOW + after;
  handlers.clock.uptime += 20;
  const all = { "User-Name": "user1", "Acct-Session-Id": "81000001", ...values };
  const reply = await handlers.account(status, Object.entries(all) as NamedAttribute[]);
  expect(reply).toMatchObject({ code: "Accounting-Response" });
}

const counters = (seconds: number, input: number, output: number) => ({
  "Acct-Session-Time": seconds,
  "Acct-Input-Octets": input,
  "Acct-Output-Octets": output,
});
const rows = (handlers: TestHandlers) =>
  handlers.db.$client
    .query<Row, []>(
      `SELECT moved_in, nas_port, class IS NOT NULL AS has_class, input_octets, output_octets, started_at, stopped_at, closed_by
       FROM sessions ORDER BY id`,
    )
    .all();
const used = (handlers: TestHandlers) =>
  handlers.db.$client.query("SELECT day, input_octets, output_octets FROM usage_days ORDER BY day").values();
const TODAY = localDay(NOW);

const after = { Class: Buffer.from("00ff", "hex"), "NAS-Port": 15_728_640, "Framed-IP-Address": "10.5.0.2" };

test("the first Interim-Update takes a session over, whatever its Class and port, and counts the difference", async () => {
  await using handlers = await withMoved();
  await tell(handlers, 60, "Interim-Update", { ...after, ...counters(3660, 1_500_000, 21_000_000) });
  expect(rows(handlers)).toEqual([
    {
      moved_in: 0,
      nas_port: 15_728_640,
      has_class: 1,
      input_octets: 1_500_000,
      output_octets: 21_000_000,
      started_at: NOW - 3600,
      stopped_at: null,
      closed_by: null,
    },
  ]);
  expect(used(handlers)).toEqual([[TODAY, 1_500_000, 21_000_000]]);
  await tell(handlers, 360, "Interim-Update", { ...after, ...counters(3960, 1_600_000, 22_000_000) });
  await tell(handlers, 400, "Stop", { ...after, ...counters(4000, 1_700_000, 23_000_000) });
  expect(rows(handlers)).toMatchObject([{ moved_in: 0, input_octets: 1_700_000, closed_by: "stop" }]);
  expect(used(handlers)).toEqual([[TODAY, 1_700_000, 23_000_000]]);
});

test("a Stop takes a session over and ends it", async () => {
  await using handlers = await withMoved();
  await tell(handlers, 60, "Stop", { ...after, ...counters(3660, 1_000_100, 20_000_200) });
  expect(rows(handlers)).toMatchObject([{ moved_in: 0, stopped_at: NOW + 60, closed_by: "stop" }]);
  expect(used(handlers)).toEqual([[TODAY, 1_000_100, 20_000_200]]);
});

test("one that was closed as lost meanwhile goes on", async () => {
  await using handlers = await withMoved();
  await closeLostSessions(handlers.db, by, { since: 0 }, { now: NOW + 7200 });
  expect(rows(handlers)).toMatchObject([{ moved_in: 1, closed_by: "lost" }]);
  await tell(handlers, 7300, "Interim-Update", { ...after, ...counters(10_900, 1_000_500, 20_000_500) });
  expect(rows(handlers)).toMatchObject([{ moved_in: 0, stopped_at: null, input_octets: 1_000_500 }]);
  expect(used(handlers)).toEqual([[TODAY, 1_000_500, 20_000_500]]);
});

test("a session that begins now under the same id is another one", async () => {
  await using handlers = await withMoved();
  await tell(handlers, 60, "Start", after);
  await tell(handlers, 360, "Interim-Update", { ...after, ...counters(300, 700, 900) });
  expect(rows(handlers)).toMatchObject([
    { moved_in: 1, closed_by: "lost_stop" },
    { moved_in: 0, input_octets: 700, stopped_at: null },
  ]);
  expect(used(handlers)).toEqual([[TODAY, 1_000_700, 20_000_900]]);
});

test.each([
  ["another name", { "User-Name": "user2" }],
  ["another id", { "Acct-Session-Id": "81000002" }],
])("a packet of %s takes nothing over", async (_, values) => {
  await using handlers = await withMoved();
  await tell(handlers, 60, "Interim-Update", { ...values, ...counters(10, 5, 6) });
  expect(rows(handlers)).toMatchObject([{ moved_in: 1, input_octets: 1_000_000 }, { moved_in: 0 }]);
});

test("a later copy sets the counters of one that is not taken over, and of no other", async () => {
  await using handlers = await withMoved();
  const later = { ...moved, updated_at: formatTime(NOW + 600), session_time: 4200, input_octets: 3_000_000 };
  await importDataSet(handlers.db, by, { sessions: [later] }, { now: NOW + 601 });
  expect(rows(handlers)).toMatchObject([{ moved_in: 1, input_octets: 3_000_000 }]);
  await importDataSet(handlers.db, by, { sessions: [moved] }, { now: NOW + 602 });
  expect(rows(handlers)).toMatchObject([{ moved_in: 1, input_octets: 3_000_000 }]);
  await tell(handlers, 700, "Interim-Update", { ...after, ...counters(4300, 3_000_001, 20_000_000) });
  const latest = { ...later, updated_at: formatTime(NOW + 900), input_octets: 9_000_000 };
  await importDataSet(handlers.db, by, { sessions: [latest] }, { now: NOW + 901 });
  expect(rows(handlers)).toMatchObject([{ moved_in: 0, input_octets: 3_000_001 }]);
});
