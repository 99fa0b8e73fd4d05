import { afterEach, describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { invoices, services } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { importDataSet } from "../../../../src/domain/machine/imports/data-set/import.ts";
import {
  addDuration,
  type Anchor,
  formatTime,
  parseTime,
  type Seconds,
} from "../../../../src/domain/core/time/time.ts";
import { aPackage, aSubscriber, by, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";
import { runs } from "../../../support/runs.ts";

const temporaryStore = undoneEmptyStores();

const zoneOfTests = Temporal.Now.timeZoneId();
afterEach(() => {
  process.env["TZ"] = zoneOfTests;
});

const at = (text: string): Seconds => {
  const seconds = parseTime(text);
  if (seconds === undefined) throw new Error(`${text} is not a time`);
  return seconds;
};
const two = (value: number) => String(value).padStart(2, "0");

/** Changes of clocks by an hour, by half an hour, at midnight and across midnight, in both halves of the year; and none. */
const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Havana",
  "Asia/Beirut",
  "America/Scoresbysund",
  "America/Asuncion",
  "Pacific/Auckland",
  "Asia/Kathmandu",
  "UTC",
];
const moment = {
  zone: fc.constantFrom(...zones),
  year: fc.integer({ min: 2027, max: 2037 }),
  month: fc.integer({ min: 1, max: 12 }),
  time: fc.integer({ min: 0, max: 86_399 }),
};
const clock = (time: number) =>
  `${two(Math.floor(time / 3600))}:${two(Math.floor(time / 60) % 60)}:${two(time % 60)}`;
const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** What the wall shows at a local time; one that the clock leaps over is as much later as the leap is long. */
const textAt = (text: string) => formatTime(at(text));

describe("property: renewals keep the day and the hour", () => {
  test("monthly from the 29th, 30th and 31st for two years: the same day wherever the month has it, else its last, at the same hour", () => {
    fc.assert(
      fc.property(
        fc.record({ ...moment, day: fc.integer({ min: 27, max: 31 }) }),
        ({ zone, year, month, day, time }) => {
          process.env["TZ"] = zone;
          const first = `${year}-${two(month)}-${two(Math.min(day, daysIn(year, month)))} ${clock(time)}`;
          fc.pre(textAt(first) === first);
          let end = at(first);
          let anchor: Anchor | null = null;
          for (let count = 1; count <= 24; count++) {
            ({ end, anchor } = addDuration(end, { count: 1, unit: "month" }, anchor));
            const index = month - 1 + count;
            const [y, m] = [year + Math.floor(index / 12), (index % 12) + 1];
            const due = Math.min(day, daysIn(year, month), daysIn(y, m));
            expect(formatTime(end)).toBe(textAt(`${y}-${two(m)}-${two(due)} ${clock(time)}`));
          }
        },
      ),
      runs(80, 300),
    );
  });

  test("by days across every change of the clock: the same hour, each day once", () => {
    fc.assert(
      fc.property(
        fc.record({ ...moment, days: fc.integer({ min: 1, max: 40 }) }),
        ({ zone, year, month, time, days }) => {
          process.env["TZ"] = zone;
          const first = `${year}-${two(month)}-01 ${clock(time)}`;
          fc.pre(textAt(first) === first);
          let end = at(first);
          let anchor: Anchor | null = null;
          for (let count = 1; count <= 30; count++) {
            ({ end, anchor } = addDuration(end, { count: days, unit: "day" }, anchor));
            const date = new Date(Date.UTC(year, month - 1, 1 + count * days)).toISOString().slice(0, 10);
            expect(formatTime(end)).toBe(textAt(`${date} ${clock(time)}`));
          }
        },
      ),
      runs(60, 200),
    );
  });

  test("hours are 3600 s and remember nothing; whatever is remembered, a period ends after it began", () => {
    const unit = fc.constantFrom("hour", "day", "month");
    const anchors = fc.record({
      day: fc.integer({ min: 1, max: 31 }),
      time: fc.integer({ min: 0, max: 86_399 }),
    });
    fc.assert(
      fc.property(
        fc.record({ ...moment, unit, count: fc.integer({ min: 1, max: 12 }), anchor: anchors }),
        ({ zone, year, month, time, unit, count, anchor }) => {
          process.env["TZ"] = zone;
          const start = at(`${year}-${two(month)}-15 ${clock(time)}`);
          const period = addDuration(start, { count, unit }, anchor);
          if (unit === "hour") expect(period).toEqual({ end: start + count * 3600, anchor: null });
          else expect(period.end).toBeGreaterThan(start);
          // one that does not belong to the start is not kept to
          if (anchor.day !== 15) expect(period).toEqual(addDuration(start, { count, unit }));
        },
      ),
      runs(80, 300),
    );
  });
});

test("a zone that changes under a service does not cut what was paid", () => {
  process.env["TZ"] = "Europe/Berlin";
  const { end, anchor } = addDuration(at("2030-01-01 00:30:00"), { count: 1, unit: "month" });
  process.env["TZ"] = "UTC";
  expect(formatTime(end)).toBe("2030-01-31 23:30:00");
  expect(formatTime(addDuration(end, { count: 1, unit: "month" }, anchor).end)).toBe("2030-02-28 23:30:00");
});

/** Renews a month ahead, again and again, and says where the periods end. */
function renewals(db: Parameters<typeof activate>[0], now: Seconds, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const { expiresAt } = activate(db, by, { subscriberId: 1, packageId: 1 }, { now: now + index * 200 });
    return formatTime(expiresAt).slice(0, 10);
  });
}

test("renewals of a service from the 31st come back to the 31st, and the invoices say so", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { subscribers: [newSubscriber(1)] });
  const ends = renewals(db, at("2030-01-31 23:30:00"), 4);
  expect(ends).toEqual(["2030-02-28", "2030-03-31", "2030-04-30", "2030-05-31"]);
  const periods = db.select().from(invoices).all();
  expect(periods.map(({ periodEnd }) => formatTime(periodEnd).slice(0, 10))).toEqual(ends);
});

test("a service whose day was never written down renews by the day at which it ends", async () => {
  using store = temporaryStore();
  const subscribers = [aSubscriber(1, { current_expiration_date: "2030-01-30 10:00:00" })];
  await loadIsp(store.db, { subscribers });
  expect(renewals(store.db, NOW, 3)).toEqual(["2030-02-28", "2030-03-30", "2030-04-30"]);
});

test("what sets the expiration otherwise sets the day anew: an activation from now, and an import", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { subscribers: [newSubscriber(1, { balance: "900.00" })] });
  expect(renewals(db, at("2030-01-31 12:00:00"), 1)).toEqual(["2030-02-28"]);
  const change = (current_expiration_date: string) =>
    importDataSet(db, by, { subscribers: [{ id: 1, current_expiration_date }] }, { now: NOW });
  await change("2030-02-28 12:00:00"); // says what the store has already
  expect(renewals(db, at("2030-02-01 12:00:00"), 1)).toEqual(["2030-03-31"]);
  await change("2030-04-28 12:00:00");
  await change("2030-02-28 12:00:00");
  expect(renewals(db, at("2030-02-02 12:00:00"), 2)).toEqual(["2030-03-28", "2030-04-28"]);
  expect(renewals(db, at("2030-05-31 12:00:00"), 2)).toEqual(["2030-06-30", "2030-07-31"]);
});

test("an import of other terms with the same expiration leaves the day as it is", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { subscribers: [newSubscriber(1)] });
  renewals(db, at("2030-01-31 12:00:00"), 1);
  const subscriber = { id: 1, current_expiration_date: "2030-02-28 12:00:00" };
  await importDataSet(
    db,
    by,
    { packages: [aPackage(1, { rate_limit: "1M/1M" })], subscribers: [subscriber] },
    { now: NOW },
  );
  expect(db.select().from(services).get()).toMatchObject({ rateLimit: "1M/1M", anchorDay: 31 });
});

test("at most ten years ahead can be sold", async () => {
  using store = temporaryStore();
  const { db } = store;
  const long = aPackage(2, { duration: 9, duration_unit: "month", price: 0 });
  const century = aPackage(3, { duration: 10_000, duration_unit: "month", price: 0 });
  const far = aSubscriber(2, { current_expiration_date: "9999-12-31 23:59:59" });
  await loadIsp(db, { packages: [long, century], subscribers: [newSubscriber(1), far] });
  const sell = (subscriberId: number, packageId: number, now: Seconds) =>
    activate(db, by, { subscriberId, packageId }, { now });
  for (let count = 0; count < 13; count++) sell(1, 2, NOW + count * 200);
  expect(() => sell(1, 2, NOW + 13 * 200)).toThrow(/more than 10 years from now, after 2040-01-15/);
  expect(() => sell(2, 1, NOW)).toThrow(/more than 10 years from now/);
  expect(() => sell(2, 3, NOW)).toThrow(/more than 10 years from now/);
  expect(db.select().from(invoices).all()).toHaveLength(13);
});
