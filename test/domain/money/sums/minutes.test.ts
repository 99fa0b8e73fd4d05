import { expect, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { recordDecisions } from "../../../../src/domain/service/access/auth-log.ts";
import { reportLogins } from "../../../../src/domain/around/reports/logins.ts";
import { reportOnline } from "../../../../src/domain/around/reports/online.ts";
import type { Session } from "../../../../src/domain/service/sessions/advance.ts";
import type { Sample } from "../../../../src/domain/money/sums/carried.ts";
import {
  keepCarried,
  rollUpHours,
  sampleMinute,
  sessionsByRouter,
} from "../../../../src/domain/money/sums/minutes.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { localDay } from "../../../../src/domain/core/time/time.ts";
import { columns } from "../../../support/columns.ts";
import { by, DAY, loadIsp } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

/** The begin of a minute and of an hour. */
const HOUR = NOW - (NOW % 3600);

async function aStore() {
  const store = temporaryStore();
  await loadIsp(store.db);
  return store;
}

/** Sessions of nobody that is known. */
const open = (db: Db, ...all: Partial<Session>[]) =>
  insertSessions(db, ...all.map((values) => Object.assign({ subscriberId: null }, values)));
const minutes = (db: Db) =>
  db.$client
    .query(
      "SELECT nas_id, (at - ?) / 60, sessions, accepted, rejected, input_octets, output_octets FROM nas_minutes ORDER BY at, nas_id",
    )
    .values(HOUR);

function decide(db: Db, at: number, ...reasons: [nasId: number | null, reason: string][]): void {
  recordDecisions(
    db,
    reasons.map(([nasId, reason]) => {
      const accepted = reason.startsWith("accepted");
      return { at, nasId, nasAddress: "127.0.0.1", username: "user1", reason, accepted, class: null };
    }),
  );
}

test("a minute has the sessions at its end, its logins, and the bytes since the last sample", async () => {
  using store = await aStore();
  const { db } = store;
  open(db, { acctSessionId: "A" }, { acctSessionId: "B", nasAddress: "127.0.0.9" });
  open(db, { acctSessionId: "C", nasId: 2, nasAddress: "127.0.0.2" });
  open(db, { acctSessionId: "D", stoppedAt: NOW }, { acctSessionId: "E", nasId: null, nasAddress: "::1" });
  decide(db, HOUR + 5, [1, "accepted"], [1, "accepted_expired"], [1, "wrong_password"], [null, "accepted"]);
  decide(db, HOUR + 59, [1, "accepted"]);
  sampleMinute(db, by, { carried: [{ nasId: 1, input: 10, output: 20 }] }, { now: HOUR + 60 });
  expect(minutes(db)).toEqual([
    [1, 0, 2, 3, 1, 10, 20],
    [2, 0, 1, 0, 0, 0, 0],
  ]);
});

test("a sample that is taken twice counts sessions once and adds bytes", async () => {
  using store = await aStore();
  const { db } = store;
  const [session] = open(db, {});
  const carried = [{ nasId: 1, input: 10, output: 20 }];
  sampleMinute(db, by, { carried }, { now: HOUR + 60 });
  db.$client.query("UPDATE sessions SET stopped_at = ? WHERE id = ?").run(NOW, session?.id ?? 0);
  sampleMinute(db, by, { carried }, { now: HOUR + 75 });
  expect(minutes(db)).toEqual([[1, 0, 0, 0, 0, 20, 40]]);
});

test("a minute in which the appliance stops has the sessions of the one before, and its bytes", async () => {
  using store = await aStore();
  const { db } = store;
  open(db, {});
  sampleMinute(db, by, { carried: [] }, { now: HOUR + 60 });
  decide(db, HOUR + 61, [1, "accepted"]);
  keepCarried(db, by, { carried: [{ nasId: 1, input: 1, output: 2 }] }, { now: HOUR + 80 });
  expect(minutes(db)).toEqual([
    [1, 0, 1, 0, 0, 0, 0],
    [1, 1, 1, 1, 0, 1, 2],
  ]);
});

test("samples that are written together are those of each minute, and the first page counts meanwhile", async () => {
  using store = await aStore();
  const { db } = store;
  write(db, (tx) => storeSetting(tx, "sample_write_minutes", 3));
  open(db, {});
  const unwritten: Sample[] = [];
  const carried = [{ nasId: 1, input: 10, output: 20 }];
  sampleMinute(db, by, { carried, unwritten }, { now: HOUR + 60 });
  sampleMinute(db, by, { carried: [], unwritten }, { now: HOUR + 120 });
  expect(minutes(db)).toEqual([]);
  decide(db, HOUR + 61, [2, "accepted"]);
  expect(sessionsByRouter(db, null, { now: HOUR + 121 })).toEqual(new Map([[1, 1]]));
  sampleMinute(db, by, { carried, unwritten }, { now: HOUR + 180 });
  expect(minutes(db)).toEqual([
    [1, 0, 1, 0, 0, 10, 20],
    [1, 1, 1, 0, 0, 0, 0],
    [2, 1, 0, 1, 0, 0, 0],
    [1, 2, 1, 0, 0, 10, 20],
  ]);
  expect(unwritten).toEqual([]);
});

test("samples that wait are kept at the end, and until they can be written", async () => {
  using store = await aStore();
  const { db } = store;
  open(db, {});
  const unwritten: Sample[] = [];
  db.$client.run("PRAGMA query_only = ON");
  expect(() => sampleMinute(db, by, { carried: [], unwritten }, { now: HOUR + 60 })).toThrow();
  db.$client.run("PRAGMA query_only = OFF");
  decide(db, HOUR + 185, [1, "accepted"]);
  keepCarried(db, by, { carried: [], unwritten }, { now: HOUR + 190 });
  expect(minutes(db)).toEqual([
    [1, 0, 1, 0, 0, 0, 0],
    [1, 3, 0, 1, 0, 0, 0],
  ]);
});

test("a router without sessions, logins and bytes has no row, nor has one that was removed", async () => {
  using store = await aStore();
  sampleMinute(store.db, by, { carried: [{ nasId: 9, input: 1, output: 1 }] }, { now: HOUR + 60 });
  decide(store.db, HOUR, [9, "accepted"]);
  expect(minutes(store.db)).toEqual([]);
});

test("hours sum minutes once, and a report tells of both", async () => {
  using store = await aStore();
  const { db } = store;
  const fill = db.$client.query("INSERT INTO nas_minutes VALUES (?, ?, ?, ?, 1, 2, 10, 20)");
  for (let minute = 0; minute < 90; minute++) fill.run(1, HOUR + minute * 60, 1, minute < 30 ? 10 : 20);
  for (let minute = 0; minute < 30; minute++) fill.run(2, HOUR + minute * 60, 2, 5);
  await rollUpHours(db, by, { now: HOUR + 3600 });
  const hours = () =>
    db.$client.query("SELECT nas_id, at - ?, sessions, sessions_most, accepted FROM nas_hours").values(HOUR);
  expect(hours()).toEqual([]);
  for (const now of [HOUR + 3900, HOUR + 5400]) await rollUpHours(db, by, { now });
  expect(hours()).toEqual([
    [1, 0, 15, 20, 60],
    // a router that was not there for half of it
    [2, 0, 3, 5, 30],
  ]);
  const range = { from: HOUR, to: HOUR + DAY };
  const report = (group: "nas" | "isp", resolution: "minute" | "hour") =>
    reportOnline(db, by, { ...range, group, resolution }).rows;
  expect(
    columns(report("nas", "hour"), "at", "nas", "sessions", "sessionsMost", "accepted", "inputOctets"),
  ).toEqual([
    [HOUR, "core", 15, 20, 60, 600],
    [HOUR, "south", 3, 5, 30, 300],
    [HOUR + 3600, "core", 20, 20, 30, 300],
  ]);
  expect(report("isp", "hour").map(({ isp, sessions, nas }) => [isp, sessions, nas])).toEqual([
    ["Northlink", 15, null],
    ["Southlink", 3, null],
    ["Northlink", 20, null],
  ]);
  expect(report("nas", "minute")).toHaveLength(120);
  expect(report("isp", "minute")[0]).toEqual({
    at: HOUR,
    ispId: 1,
    isp: "Northlink",
    nasId: null,
    nas: null,
    sessions: 10,
    sessionsMost: null,
    accepted: 1,
    rejected: 2,
    inputOctets: 10,
    outputOctets: 20,
  });
});

test("a report over too many samples says what to ask for", async () => {
  using store = await aStore();
  const options = { resolution: "minute", group: "nas" } as const;
  expect(() => reportOnline(store.db, by, { ...options, from: NOW - 60 * DAY, to: NOW })).toThrow(
    "check to: it is too long a range for 2 routers: take at most 26.0 days, one router (nas_id), or hours in place of minutes",
  );
  expect(() => reportOnline(store.db, by, { ...options, from: NOW, to: NOW - 1 })).toThrow(
    "check to: it must not be before from",
  );
});

test("logins are counted by day, router and reason, in words", async () => {
  using store = await aStore();
  const { db } = store;
  decide(db, NOW, [1, "accepted"], [1, "accepted"], [1, "expired"], [2, "expired"]);
  decide(db, NOW - DAY, [1, "expired"]);
  const range = { from: NOW - DAY, to: NOW };
  const rows = (group: "nas" | "reason" | "day") =>
    columns(reportLogins(db, by, { ...range, group }).rows, "day", "nas", "accepted", "reason", "logins");
  expect(rows("nas")).toEqual([
    [null, "core", 1, "accepted", 2],
    [null, "core", 0, "expired", 2],
    [null, "south", 0, "expired", 1],
  ]);
  expect(rows("reason")).toEqual([
    [null, null, 0, "expired", 3],
    [null, null, 1, "accepted", 2],
  ]);
  expect(rows("day")).toEqual([
    [localDay(NOW - DAY), null, 0, null, 1],
    [localDay(NOW), null, 1, null, 2],
    [localDay(NOW), null, 0, null, 2],
  ]);
  expect(reportLogins(db, by, { ...range, group: "nas", nasId: 2 }).rows).toEqual([
    {
      day: null,
      nasId: 2,
      nas: "south",
      accepted: 0,
      reason: "expired",
      logins: 1,
      words: "rejected: expired; activate a package",
    },
  ]);
});
