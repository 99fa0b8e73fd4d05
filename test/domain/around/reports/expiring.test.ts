import { expect, test } from "bun:test";
import { reportExpiring } from "../../../../src/domain/around/reports/renewals.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp } from "../../../support/isp.ts";
import { NOW, templateStore } from "../../../support/store.ts";

const ends = (days: number, values: object = {}) => ({
  current_expiration_date: formatTime(NOW + days * DAY),
  ...values,
});

const store = templateStore(async (db) => {
  await loadIsp(db, {
    packages: [aPackage(2, { billing_type: "postpaid" })],
    subscribers: [
      aSubscriber(1, ends(0.1)),
      aSubscriber(2, ends(3, { auto_renew: 1 })),
      aSubscriber(3, ends(3, { auto_renew: 1, balance: "14.99" })),
      aSubscriber(4, ends(3, { auto_renew: 1, balance: "0.00", package_id: 2 })),
      aSubscriber(5, ends(3)),
      aSubscriber(6, ends(3, { status: 0 })),
      aSubscriber(7, ends(3)),
      aSubscriber(8, ends(3)),
      aSubscriber(9, ends(-1)),
      aSubscriber(10, ends(14)),
    ],
  });
  db.$client.run("UPDATE subscribers SET auto_renew = 1 WHERE id IN (2, 3, 4)");
  db.$client.run(`UPDATE services SET frozen_at = ${NOW} WHERE subscriber_id = 7`);
  db.$client.run(`UPDATE subscribers SET archived_at = ${NOW} WHERE id = 8`);
});

test("services end on their days, without those of who is disabled, frozen or gone, and some can renew by themselves", async () => {
  using opened = await store();
  const { rows } = reportExpiring(opened.db, by, { days: 14 }, { now: NOW });
  expect(rows.map(({ day, expiring, autoRenew, covered }) => [day, expiring, autoRenew, covered])).toEqual([
    [20300115, 1, 0, 0],
    [20300118, 4, 3, 2],
  ]);
  const more = reportExpiring(opened.db, by, { days: 15 }, { now: NOW });
  expect(more.rows.map(({ day }) => day)).toEqual([20300115, 20300118, 20300129]);
});

test("a day ends at local midnight, also where it has 23 or 25 hours", async () => {
  const was = process.env["TZ"];
  process.env["TZ"] = "Europe/Berlin"; // summer time begins on 2030-03-31
  try {
    using opened = await store();
    const now = Date.UTC(2030, 2, 30, 12) / 1000;
    const midnight = Date.UTC(2030, 2, 31, 22) / 1000; // of April
    opened.db.$client.run(`UPDATE services SET expires_at = ${midnight - 1} WHERE subscriber_id = 1`);
    opened.db.$client.run(`UPDATE services SET expires_at = ${midnight} WHERE subscriber_id = 5`);
    const days = (count: number) =>
      reportExpiring(opened.db, by, { days: count }, { now }).rows.map(({ day, expiring }) => [
        day,
        expiring,
      ]);
    expect(days(1)).toEqual([]);
    expect(days(2)).toEqual([[20300331, 1]]);
    expect(days(3)).toEqual([
      [20300331, 1],
      [20300401, 1],
    ]);
  } finally {
    if (was === undefined) delete process.env["TZ"];
    else process.env["TZ"] = was;
  }
});
