import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { reportGrowth } from "../../../../src/domain/around/reports/growth.ts";
import { reportTopUsers } from "../../../../src/domain/around/reports/top-users.ts";
import { reportTraffic } from "../../../../src/domain/around/reports/traffic.ts";
import { sumDays } from "../../../../src/domain/money/sums/days.ts";
import { dayBefore, localDay, parseTime } from "../../../../src/domain/core/time/time.ts";
import { columns } from "../../../support/columns.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

async function aStore(...subscribers: Record<string, unknown>[]) {
  const store = temporaryStore();
  await loadIsp(store.db, { subscribers, packages: [aPackage(2)] });
  return store;
}

function use(db: Db, subscriberId: number, day: number, input: number, output: number): void {
  db.$client
    .query("INSERT OR REPLACE INTO usage_days VALUES (?, ?, ?, ?)")
    .run(subscriberId, day, input, output);
}

const TODAY = localDay(NOW);
const YESTERDAY = dayBefore(TODAY);

test("traffic by day, package and month, as the newest run found it", async () => {
  using store = await aStore(
    aSubscriber(1),
    aSubscriber(2, { branch_id: 11, package_id: 2 }),
    aSubscriber(3),
  );
  const { db } = store;
  use(db, 1, TODAY, 1, 10);
  use(db, 2, TODAY, 2, 20);
  use(db, 3, YESTERDAY, 4, 40);
  await sumDays(db, by, { now: NOW });
  use(db, 1, TODAY, 100, 1000);
  use(db, 3, TODAY, 5, 50);
  db.$client.run("UPDATE services SET package_id = 2 WHERE subscriber_id = 1");
  await sumDays(db, by, { now: NOW });
  const range = { from: NOW - DAY, to: NOW };
  const rows = (per: "day" | "month", group?: "package" | "branch" | "seller") =>
    columns(
      reportTraffic(db, by, { ...range, per, group }).rows,
      "period",
      "name",
      "subscribers",
      "inputOctets",
      "outputOctets",
    );
  expect(rows("day")).toEqual([
    [YESTERDAY, null, 1, 4, 40],
    [TODAY, null, 3, 107, 1070],
  ]);
  expect(rows("day", "package")).toEqual([
    [YESTERDAY, "Home 1", 1, 4, 40],
    [TODAY, "Home 2", 2, 102, 1020],
    [TODAY, "Home 1", 1, 5, 50],
  ]);
  const months = rows("month", "branch");
  expect(months.reduce((sum, [, , , input]) => sum + Number(input), 0)).toBe(111);
  expect(months[0]?.[2]).toBeNull();
});

test("days that nobody summed are summed, whatever the appliance did on them", async () => {
  using store = await aStore(aSubscriber(1));
  const { db } = store;
  for (let age = 0; age < 70; age += 7) use(db, 1, localDay(NOW - age * DAY), 1, 1);
  await sumDays(db, by, { now: NOW });
  const { rows } = reportTraffic(db, by, { from: NOW - 100 * DAY, to: NOW, per: "day" });
  expect(rows).toHaveLength(10);
  const sum = db.$client.query("SELECT sum(input_octets) FROM usage_months").values();
  expect(sum).toEqual([[10]]);
});

test("who used the most, by day and by month; what was forgotten of a month stays in its sum", async () => {
  using store = await aStore(aSubscriber(1), aSubscriber(2));
  const { db } = store;
  const month = Math.floor(TODAY / 100) * 100;
  use(db, 1, month + 1, 5, 5);
  use(db, 2, TODAY, 3, 3);
  await sumDays(db, by, { now: NOW });
  db.$client.run("DELETE FROM usage_days WHERE subscriber_id = 1");
  await sumDays(db, by, { now: NOW });
  const top = (per: "day" | "month", limit: number) =>
    reportTopUsers(db, by, { per, at: NOW, limit }).rows.map(({ username, inputOctets }) => [
      username,
      inputOctets,
    ]);
  expect(top("day", 5)).toEqual([["user2", 3]]);
  expect(top("month", 5)).toEqual([
    ["user1", 5],
    ["user2", 3],
  ]);
  expect(top("month", 1)).toEqual([["user1", 5]]);
});

const time = (text: string) => parseTime(text) ?? 0;

test("growth: the ends of past months from invoices, once; then each day as its last run found it", async () => {
  using store = await aStore(aSubscriber(1), aSubscriber(2, { branch_id: 11 }), newSubscriber(3));
  const { db } = store;
  const at = (day: string) => time(`${day} 12:00:00`);
  db.$client.query("UPDATE subscribers SET created_at = ?").run(at("2029-11-10"));
  const invoice = db.$client.query(
    `INSERT INTO invoices (isp_id, branch_id, seller_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at, voided_at)
     VALUES (1, ?, 1, ?, 1, 'Home', 1500, 'USD', ?, ?, ?1, ?)`.replace("?1", "0"),
  );
  invoice.run(null, 1, at("2029-11-10"), at("2029-12-10"), null);
  invoice.run(null, 1, at("2029-11-20"), at("2029-12-05"), null); // counted once
  invoice.run(11, 2, at("2029-11-10"), at("2030-02-10"), null);
  invoice.run(null, 3, at("2029-12-10"), at("2030-01-10"), at("2029-12-11")); // void
  const now = at("2030-02-15");
  db.$client.query("UPDATE services SET expires_at = ?").run(now + DAY);
  await sumDays(db, by, { now });
  const rows = () =>
    columns(
      reportGrowth(db, by, { from: at("2029-11-01"), to: now }).rows,
      "month",
      "joined",
      "left",
      "total",
      "active",
    );
  expect(rows()).toEqual([
    [202911, 3, 0, 3, 2],
    [202912, 0, 0, 3, 1],
    [203001, 0, 0, 3, 1],
    [203002, 0, 0, 3, 2],
  ]);
  db.$client.query("UPDATE services SET frozen_at = ? WHERE subscriber_id = 1").run(now);
  db.$client.query("UPDATE subscribers SET archived_at = ? WHERE id = 3").run(now);
  db.$client.run("DELETE FROM invoices");
  await sumDays(db, by, { now: now + 60 });
  expect(rows().at(-1)).toEqual([203002, 0, 1, 2, 1]);
  expect(rows()).toHaveLength(4);
});

test("it breaks off when it is told to, and the next run does it all", async () => {
  using store = await aStore(aSubscriber(1));
  const { db } = store;
  use(db, 1, TODAY, 1, 1);
  await sumDays(db, by, { now: NOW, signal: AbortSignal.abort() });
  expect(db.$client.query("SELECT * FROM traffic_days").all()).toEqual([]);
  expect(db.$client.query("SELECT * FROM subscriber_days").all()).toEqual([]);
  await sumDays(db, by, { now: NOW });
  expect(db.$client.query("SELECT count(*) FROM traffic_days").values()).toEqual([[1]]);
});
