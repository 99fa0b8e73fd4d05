import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cachedHoursAt, hoursAt, readHours, writeHours } from "../../../../src/domain/goods/windows/hours.ts";
import { splitOctets } from "../../../../src/domain/service/fair-use/split.ts";
import { type FairTerms, termsInForce } from "../../../../src/domain/service/fair-use/terms.ts";
import { readTiers, writeTiers } from "../../../../src/domain/goods/windows/tiers.ts";
import { fairWindows, windowAt } from "../../../../src/domain/goods/windows/window.ts";

const isRate = (rate: string) => /^\d+[kM]?(\/\d+[kM]?)?$/.test(rate);
const read = (text: string) => readHours(text, isRate) ?? [];

let zone: string | undefined;
beforeAll(() => void (zone = process.env["TZ"]));
afterAll(() => inZone(zone ?? "UTC"));
const inZone = (name: string) => void (process.env["TZ"] = name);

/** Numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

describe("what is written", () => {
  test("is read back as it was meant", () => {
    expect(writeTiers(readTiers("50 GB 5M/5M;\n100000000000 1M/1M", isRate) ?? [])).toBe(
      "50GB 5M/5M; 100GB 1M/1M",
    );
    expect(writeTiers(readTiers("1500MB 512k", isRate) ?? [])).toBe("1500MB 512k");
    expect(writeHours(read("Fri-Mon 22:00 - 6:00 FREE 20M/20M; daily 01:00-24:00 1M"))).toBe(
      "mon,fri,sat,sun 22:00-06:00 free 20M/20M; daily 01:00-24:00 1M",
    );
    expect(writeHours(read("mon-fri 08:00-12:00 counted 2M"))).toBe("mon-fri 08:00-12:00 2M");
  });

  test.each([
    ...["50GB", "5M/5M", "50GB fast", "0 5M", "10GB 5M; 10GB 1M", "20GB 5M; 10GB 1M", ""],
    ...["1GB 6M; 2GB 5M; 3GB 4M; 4GB 3M; 5GB 2M; 6GB 1M"],
  ])("tiers that cannot be: %s", (text) => {
    expect(readTiers(text, isRate)).toBeUndefined();
  });

  test.each([
    ...["22:00-06:00 free", "daily 22:00-22:00 free", "daily 25:00-26:00 free", "daily 10:60-11:00 free"],
    ...[
      "someday 10:00-11:00 free",
      "daily 10:00-11:00",
      "daily 10:00-11:00 quick",
      "daily 24:00-06:00 free",
      "",
    ],
  ])("hours that cannot be: %s", (text) => {
    expect(readHours(text, isRate)).toBeUndefined();
  });
});

describe("a night over a change of the clock", () => {
  const at = (text: string) => Math.floor(Date.parse(text) / 1000);
  const span = (text: string, moment: string) => {
    const { from, until, hours } = hoursAt(read(text), at(moment));
    return [
      hours?.isFree ?? false,
      new Date(from * 1000).toISOString(),
      new Date(until * 1000).toISOString(),
    ];
  };

  test("is an hour shorter in spring and longer in autumn", () => {
    inZone("Europe/Berlin");
    const night = "daily 22:00-06:00 free";
    expect(span(night, "2030-03-31T00:30:00Z")).toEqual([
      true,
      "2030-03-30T21:00:00.000Z",
      "2030-03-31T04:00:00.000Z",
    ]);
    expect(span(night, "2030-10-27T00:30:00Z")).toEqual([
      true,
      "2030-10-26T20:00:00.000Z",
      "2030-10-27T05:00:00.000Z",
    ]);
  });

  test("hours that the clock leaps over are not on; those that come twice are on once, and as long", () => {
    inZone("Europe/Berlin");
    expect(span("sun 02:00-03:00 free", "2030-03-31T01:00:00Z")[0]).toBe(false);
    expect(span("sun 02:00-03:00 free", "2030-10-27T00:30:00Z")).toEqual([
      true,
      "2030-10-27T00:00:00.000Z",
      "2030-10-27T02:00:00.000Z",
    ]);
  });

  test("the day on which a night begins says whether it is on", () => {
    inZone("UTC");
    const text = "fri 22:00-06:00 free";
    expect(span(text, "2030-01-05T03:00:00Z")[0]).toBe(true); // Saturday morning
    expect(span(text, "2030-01-04T03:00:00Z")[0]).toBe(false);
  });
});

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Africa/Casablanca",
  "Australia/Lord_Howe",
  "America/Havana",
];
const texts = [
  "daily 22:00-06:00 free 20M",
  "mon-fri 18:00-23:00 2M; sat,sun 00:00-24:00 free",
  "sun 00:00-03:00 free; daily 01:30-02:45 3M",
  "daily 00:00-24:00 5M",
];

describe("whatever the zone, at any moment", () => {
  test.each(zones)(
    "in %s hours stand until they say, and the same is on before and after what is remembered",
    (name) => {
      inZone(name);
      const roll = dice(7);
      for (let count = 0; count < 150; count++) {
        const text = texts[roll(texts.length)] ?? "";
        // around changes of the clock too: any second of 2029 and 2030
        const at = 1_861_920_000 + roll(2 * 365 * 86_400);
        const { hours, from, until } = hoursAt(read(text), at);
        expect(from <= at && at < until).toBe(true);
        const on = (moment: number) =>
          writeHours([hoursAt(read(text), moment).hours].filter((one) => one !== undefined));
        expect(on(until - 1)).toBe(on(at));
        if (text !== "daily 00:00-24:00 5M") expect(on(until)).not.toBe(on(at));
        expect(on(from + roll(until - from))).toBe(on(at));
        expect(cachedHoursAt(text, at).hours?.rate ?? null).toBe(hours?.rate ?? null);
      }
    },
  );

  test.each(zones)("in %s windows follow one another without a hole", (name) => {
    inZone(name);
    const roll = dice(11);
    for (let count = 0; count < 200; count++) {
      const kind = fairWindows[1 + roll(3)] ?? "day";
      const at = 1_861_920_000 + roll(2 * 365 * 86_400);
      const window = windowAt(kind, at);
      expect(window && window.start <= at && at < window.end).toBe(true);
      expect(windowAt(kind, window?.end ?? 0)?.start).toBe(window?.end ?? NaN);
    }
  });

  test.each(zones)("in %s no byte of a report is lost or doubled", (name) => {
    inZone(name);
    const roll = dice(13);
    for (let count = 0; count < 200; count++) {
      const fairWindow = fairWindows[roll(4)] ?? "day";
      const hours = [null, ...texts][roll(5)] ?? null;
      const to = 1_861_920_000 + roll(2 * 365 * 86_400);
      const octets = roll(2 ** 31) * (1 + roll(1000));
      const parts = splitOctets({ fairWindow, hours }, { from: to - roll(5 * 86_400), to, octets });
      expect(parts.reduce((sum, part) => sum + part.octets, 0)).toBe(octets);
      expect(parts.every((part) => part.octets > 0)).toBe(true);
    }
  });
});

describe("the terms in force", () => {
  const terms: FairTerms = {
    rateLimit: "10M",
    quotaTotal: 0,
    quotaUsed: 0,
    quotaExceeded: "reject",
    fairWindow: "period",
    hours: null,
    tiers: "50GB 5M; 100GB 1M",
    windowStart: null,
    extraBytes: 0,
    rollingBytes: 0,
  };
  const night = Math.floor(Date.parse("2030-01-01T23:00:00Z") / 1000);
  const noon = Math.floor(Date.parse("2030-01-01T12:00:00Z") / 1000);
  const rate = (values: Partial<FairTerms>, at = noon) => termsInForce({ ...terms, ...values }, at).rate;

  test("a tier begins at its byte, and a top-up moves it", () => {
    expect([49_999_999_999, 50e9, 100e9].map((quotaUsed) => rate({ quotaUsed }))).toEqual([
      "10M",
      "5M",
      "1M",
    ]);
    expect(rate({ quotaUsed: 50e9, extraBytes: 1 })).toBe("10M");
    expect(termsInForce({ ...terms, quotaUsed: 50e9 }, noon)).toMatchObject({ tier: 1, nextAfter: 100e9 });
    expect(termsInForce({ ...terms, quotaUsed: 100e9 }, noon)).toMatchObject({ tier: 2, nextAfter: null });
  });

  test("the volume's slower rate is the last tier", () => {
    expect(rate({ quotaTotal: 80e9, quotaUsed: 80e9, quotaExceeded: "256k" })).toBe("256k");
  });

  test("hours have their rate; of a line that is slowed down only where their bytes do not count", () => {
    inZone("UTC");
    const free = { hours: "daily 22:00-06:00 free 20M" };
    const counted = { hours: "daily 22:00-06:00 20M" };
    expect([rate(free), rate(free, night), rate(counted, night)]).toEqual(["10M", "20M", "20M"]);
    const quotaUsed = 60e9;
    expect([rate({ ...free, quotaUsed }, night), rate({ ...counted, quotaUsed }, night)]).toEqual([
      "20M",
      "5M",
    ]);
    expect(rate({ hours: "daily 22:00-06:00 free", quotaUsed }, night)).toBe("5M");
  });

  test("a window that has begun since has used nothing, and what rolls over of top-ups is there", () => {
    inZone("UTC");
    const before = windowAt("month", noon - 86_400 * 3)?.start ?? 0;
    const old = { fairWindow: "month" as const, windowStart: before, quotaUsed: 55e9 };
    expect(termsInForce({ ...terms, ...old }, noon)).toMatchObject({ used: 0, rate: "10M", extra: 0 });
    const topped = { ...old, extraBytes: 15e9, rollingBytes: 8e9 };
    expect(termsInForce({ ...terms, ...topped }, noon)).toMatchObject({ used: 0, extra: 8e9 });
    expect(termsInForce({ ...terms, ...topped, quotaUsed: 60e9 }, noon)).toMatchObject({ extra: 5e9 });
    expect(termsInForce({ ...terms, ...topped, quotaUsed: 70e9 }, noon)).toMatchObject({ extra: 0 });
    // a clock that was set back does not bring the window before
    const ahead = windowAt("month", noon + 86_400 * 40)?.start ?? 0;
    expect(termsInForce({ ...terms, ...old, windowStart: ahead }, noon).used).toBe(55e9);
  });
});
