import { expect, test } from "bun:test";
import { services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { readUsage } from "../../../../src/domain/service/sessions/usage-of.ts";
import { localDay } from "../../../../src/domain/core/time/time.ts";
import { aSubscriber, by, DAY, loadIsp } from "../../../support/isp.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";

const isp = undoneTemplate(async (db) => {
  await loadIsp(db, { subscribers: [aSubscriber(1)] });
  const used = db.$client.query("INSERT INTO usage_days VALUES (1, ?, ?, ?)");
  for (const ago of [0, 1, 40]) used.run(localDay(NOW - ago * DAY), ago + 1, 10);
});

test("by day and month, today's last", async () => {
  using store = await isp();
  const { days, months, quota, pace } = readUsage(
    store.db,
    by,
    { subscriber: 1, days: 14, months: 3 },
    { now: NOW },
  );
  expect(days.length).toBe(14);
  expect(days.at(-1)).toEqual({ period: 20300115, down: 10, up: 1 });
  expect(days.at(-3)).toEqual({ period: 20300113, down: 0, up: 0 });
  expect(months).toEqual([
    { period: 202912, down: 10, up: 41 },
    { period: 203001, down: 20, up: 3 },
  ]);
  expect([quota, pace]).toEqual([null, null]);
});

test.each<[string, object, object | null]>([
  ["enough", { quotaUsed: 400 }, { atEnd: 800, isEnough: true }],
  ["too little", { quotaUsed: 600 }, { atEnd: 1200, isEnough: false }],
  ["used up: nothing to reckon", { quotaUsed: 1000 }, null],
  ["of a day", { activatedAt: NOW - 3600, quotaUsed: 400 }, null],
  ["frozen", { frozenAt: NOW - 5, quotaUsed: 400 }, null],
  ["expired", { expiresAt: NOW - 5, quotaUsed: 400 }, null],
])("at this pace: %s", async (_, values, expected) => {
  using store = await isp();
  const half = { quotaTotal: 1000, activatedAt: NOW - 10 * DAY, expiresAt: NOW + 10 * DAY };
  update(store.db, services, { ...half, ...values }, { subscriberId: 1 });
  const { pace } = readUsage(store.db, by, { subscriber: 1, days: 1, months: 1 }, { now: NOW });
  if (expected) expect(pace).toMatchObject(expected);
  else expect(pace).toBeNull();
});
