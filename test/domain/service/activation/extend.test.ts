import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { extensions, services } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { type Extension, extend } from "../../../../src/domain/service/activation/extend.ts";
import { reportConcessions } from "../../../../src/domain/around/reports/concessions.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { aPackage, by, DAY, undoneIspStores, newSubscriber } from "../../../support/isp.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

const HOUR = 3600;
const END = NOW + 30 * DAY;
const clerk: Actor = {
  staffId: 1,
  subscriberId: null,
  name: "ada",
  source: "192.0.2.1",
  admin: false,
  scope: { ispId: 1, branchId: null, salespersonId: null },
  flags: new Set(["subscriber_extend"]),
};

/** Subscriber 1 has package 2 (30 days) from NOW on, 2 was never activated, 3 is disabled. */
async function isp(): Promise<TemporaryStore> {
  const store = await ispStore({
    packages: [
      aPackage(2, { duration: 30, duration_unit: "day" }),
      aPackage(3, { duration: 1, duration_unit: "hour" }),
    ],
    subscribers: [newSubscriber(1), newSubscriber(2), newSubscriber(3, { status: 0 })],
  });
  sell(store.db, NOW);
  return store;
}

const sell = (db: Db, now: number, packageId = 2) =>
  activate(db, by, { subscriberId: 1, packageId }, { now }).expiresAt;
const give = (db: Db, now: number, more: Partial<Extension> = {}, who = by) =>
  extend(db, who, { subscriberId: 1, reason: "storm", trust: false, ...more }, { now });
const theService = (db: Db) => db.select().from(services).get();

describe("an extension", () => {
  test("counts from the end while the service runs, and from now afterwards; the quota stays", async () => {
    using store = await isp();
    const { db } = store;
    db.$client.run("UPDATE services SET quota_used = 7");
    expect(give(db, NOW + DAY, { hours: 48 })).toEqual({
      subscriberId: 1,
      expiresAt: END + 2 * DAY,
      paidUntil: END,
    });
    expect(give(db, END + 5 * DAY, { until: END + 6 * DAY })).toMatchObject({
      expiresAt: END + 6 * DAY,
      paidUntil: END,
    });
    // the report of what was given away counts no time in which nobody was let in
    const range = { from: NOW, to: END + 6 * DAY, by: "staff" } as const;
    expect(reportConcessions(db, by, range).rows).toMatchObject([{ times: 2, seconds: 3 * DAY }]);
    expect(give(db, END + 9 * DAY, { hours: 1 }).expiresAt).toBe(END + 9 * DAY + HOUR);
    expect(theService(db)).toMatchObject({ quotaUsed: 7, paidUntil: END, renewsFrom: null });
    expect(
      db
        .select()
        .from(extensions)
        .all()
        .map(({ before, after, paidUntil, actor }) => [before, after, paidUntil, actor]),
    ).toEqual([
      [END, END + 2 * DAY, END, "root"],
      [END + 2 * DAY, END + 6 * DAY, END, "root"],
      [END + 6 * DAY, END + 9 * DAY + HOUR, END, "root"],
    ]);
  });

  const when = { hours: 1 };
  test.each<[string, Partial<Extension>, string]>([
    ["neither hours nor until", {}, "say how long"],
    ["both", { hours: 1, until: END + DAY }, "say how long"],
    ["an end that is not later", { until: END }, "would not be later"],
    ["an end in eleven years", { until: NOW + 11 * 366 * DAY }, "more than 10 years"],
    ["never activated", { ...when, subscriberId: 2 }, "never activated"],
    ["an unknown subscriber", { ...when, subscriberId: 9 }, "there is no subscriber 9"],
  ])("is refused: %s", async (_, more, words) => {
    using store = await isp();
    expect(() => give(store.db, NOW, more)).toThrow(words);
  });

  test("is refused to who is disabled, or frozen", async () => {
    using store = await isp();
    const { db } = store;
    db.$client.run(`UPDATE services SET frozen_at = ${NOW}`);
    expect(() => give(db, NOW, when)).toThrow("thaw first");
    expect(() => sell(db, NOW + 200)).toThrow("thaw first");
    db.$client.run("UPDATE subscribers SET status = 0");
    expect(() => give(db, NOW, when)).toThrow("enable it first");
  });

  test("of who is no Admin ends at most seven days after the last paid period, all together; an Admin's need not", async () => {
    using store = await isp();
    const { db } = store;
    give(db, NOW, { hours: 6 * 24 }, clerk);
    expect(() => give(db, NOW, { hours: 25 }, clerk)).toThrow("ask an Admin");
    expect(give(db, NOW, { hours: 24 }, clerk).expiresAt).toBe(END + 7 * DAY);
    expect(() => give(db, END + 8 * DAY, { hours: 1 }, clerk)).toThrow("ask an Admin");
    expect(give(db, END + 8 * DAY, { hours: 1 }).expiresAt).toBe(END + 8 * DAY + HOUR);
    const renewed = sell(db, END + 8 * DAY);
    expect(give(db, END + 8 * DAY, { hours: 7 * 24 }, clerk).expiresAt).toBe(renewed + 7 * DAY);
  });
});

describe("the renewal after it", () => {
  const give48 = { hours: 48 };
  const trust = { hours: 48, trust: true };
  test.each<[string, [at: number, Partial<Extension>][], renewedAt: number, expected: number]>([
    ["free: from the extended end", [[NOW, give48]], NOW + 10 * DAY, END + 32 * DAY],
    ["free, while it runs", [[NOW, give48]], END + DAY, END + 32 * DAY],
    ["free, and over: from now", [[NOW, give48]], END + 5 * DAY, END + 35 * DAY],
    ["on trust: from the paid end", [[NOW, trust]], NOW + 10 * DAY, END + 30 * DAY],
    ["on trust, while it runs", [[NOW, trust]], END + DAY, END + 30 * DAY],
    ["on trust, and over: from now less two days", [[NOW, trust]], END + 5 * DAY, END + 33 * DAY],
    ["on trust after the end: from where it began", [[END + 5 * DAY, trust]], END + 6 * DAY, END + 35 * DAY],
    ["on trust after the end, and over", [[END + 5 * DAY, trust]], END + 9 * DAY, END + 37 * DAY],
    [
      "free and then on trust: what was free stays free",
      [
        [NOW, give48],
        [NOW, trust],
      ],
      NOW + DAY,
      END + 32 * DAY,
    ],
    [
      "on trust and then free",
      [
        [NOW, trust],
        [NOW, give48],
      ],
      NOW + DAY,
      END + 32 * DAY,
    ],
    [
      "twice on trust, and over",
      [
        [NOW, trust],
        [END + 4 * DAY, trust],
      ],
      END + 10 * DAY,
      END + 36 * DAY,
    ],
    [
      "on trust for longer than a period: from now",
      [[NOW, { hours: 40 * 24, trust: true }]],
      END + 35 * DAY,
      END + 65 * DAY,
    ],
  ])("%s", async (_, value, renewedAt, expected) => {
    using store = await isp();
    const { db } = store;
    for (const [at, more] of value) give(db, at, more);
    expect(sell(db, renewedAt)).toBe(expected);
    expect(theService(db)).toMatchObject({ paidUntil: null, renewsFrom: null });
    // and the next one is as any other
    expect(sell(db, renewedAt + 200)).toBe(expected + 30 * DAY);
  });

  test("another package counts from now", async () => {
    using store = await isp();
    give(store.db, NOW, trust);
    expect(sell(store.db, NOW + DAY, 3)).toBe(NOW + DAY + HOUR);
  });
});
