import { expect, test } from "bun:test";
import type { Moved, MovedSubscriber } from "../../../../src/domain/machine/imports/model.ts";
import { DAY } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, aMovedSession, Mover, somebody } from "./mover.ts";
import { runs } from "../../../support/runs.ts";

/** Texts that break what was not made for them. */
const texts = [
  ...["", " ", "0", "-1", "NaN", "1e308", "99999999999999999999", "__proto__", "constructor", "toString"],
  ...["=cmd|'/C calc'!A0", "<script>alert(1)</script>", "'; DROP TABLE subscribers; --", "../../etc/passwd"],
  ...[
    "a\0b",
    "\ud800",
    "\u202eevil",
    "x".repeat(300),
    "x".repeat(100_000),
    "é".repeat(130),
    "😀".repeat(200),
  ],
  ...["10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32", "2001:db8::/129", "02:00:00:00:00:07", "a@b.example"],
  ...[
    "12,50",
    "12.505",
    "-0.01",
    "1\n2",
    "2026-13-45",
    "00:00:00:00:00:00",
    "\\N",
    "\u00a0",
    "100M/100M",
    "5m/",
  ],
];
const numbers = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 63, -(2 ** 40), 4e11, 1e15];

/** The same for the same seed, so that what fails can be had again. */
function dice(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return { next, one, text: () => one(texts), number: () => one(numbers) };
}

function hostile(seed: number): Moved {
  const { next, one, text, number } = dice(seed);
  const maybe = <T>(value: () => T, usual: T): T => (next() < 0.3 ? value() : usual);
  const where = { file: text(), line: number() };
  const packages = Array.from({ length: 6 }, (_, index) => ({
    at: where,
    key: `${index}${text()}`,
    name: text(),
    price: maybe<string | null>(text, "1.00"),
    duration: maybe<{ count: number; unit: "hour" | "day" | "month" }>(
      () => ({ count: number(), unit: one(["hour", "day", "month"] as const) }),
      { count: 1, unit: "month" },
    ),
    rate_limit: text(),
    framed_pool: text(),
    address_list: text(),
    data_quota_bytes: number(),
    simultaneous_use: number(),
    idle_timeout: number(),
    quota_exceeded: text(),
  }));
  const routers = Array.from({ length: 4 }, (_, index) => ({
    at: where,
    key: `${index}${text()}`,
    name: text(),
    address: text(),
    secret: text(),
  }));
  const columns = [
    ...["name", "nic_number", "mobile_number", "phone_number", "email", "address", "latitude", "longitude"],
    ...["box_number", "box_address", "uplink_port", "static_ip", "framed_ipv6_prefix", "global_note"],
    ...["delegated_ipv6_prefix", "mac_address", "branch", "city", "area", "subarea", "salesperson"],
  ];
  const subscribers = Array.from({ length: 12 }, (_, index): MovedSubscriber => ({
    ...Object.fromEntries(columns.map((name) => [name, text()])),
    at: where,
    username: maybe(text, `user-${index}`),
    password: text(),
    package: maybe<string | null>(text, one(packages).key),
    router: maybe<string | null>(text, null),
    connection: one(["ppp", "hotspot", null] as const),
    service: maybe<MovedSubscriber["service"]>(() => ({ expiresAt: number(), quotaUsed: number() }), null),
    enabled: one([true, false, null]),
    macLock: next() < 0.5,
    macLogin: next() < 0.5,
    createdAt: number(),
    balance: text(),
    usage: [{ month: maybe(text, "2026-01"), up: number(), down: number() }],
    history: [{ at: number(), text: text() }],
  }));
  const sessions = subscribers.map(({ username }) =>
    aMovedSession(username, {
      at: where,
      nasAddress: text(),
      acctSessionId: text(),
      startedAt: number(),
      updatedAt: number(),
      sessionTime: number(),
      inputOctets: number(),
      outputOctets: number(),
      framedIp: text(),
      mac: text(),
      nasPortId: text(),
      calledStationId: text(),
    }),
  );
  const vouchers = Array.from({ length: 6 }, () => ({
    at: where,
    code: maybe(text, "GOOD-CODE-77"),
    kind: one(["access", "package", "refill"] as const),
    package: maybe<string | null>(text, one(packages).key),
    price: text(),
    batch: text(),
    endsAt: maybe<number | null>(number, null),
  }));
  return { packages, routers, subscribers, sessions, vouchers, afterwards: [] };
}

test("whatever a source hands over, the rows that can come do, and the others are told", async () => {
  for (let seed = 1; seed <= runs(15, 60).numRuns; seed++) {
    using mover = await Mover.withIsp();
    const moved = hostile(seed);
    const faults: unknown = await mover.run(moved).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect({ seed, faults }).toEqual({ seed, faults: undefined });
    const report = JSON.stringify(mover.rows("SELECT report FROM moves"));
    expect({ seed, isCut: !report.includes("x".repeat(1000)) }).toEqual({ seed, isCut: true });
  }
});

test("counters that add up to more than can be counted, and an end beyond all calendars, come as far as they can", async () => {
  using mover = await Mover.withIsp();
  const moved = aMoved({
    subscribers: [
      somebody("ann", {
        service: { expiresAt: Date.UTC(9999, 11, 31, 23, 59, 59) / 1000 + 5 * 3600, quotaUsed: 2 ** 60 },
        usage: [{ month: "2030-01", up: 2 ** 54, down: Number.NaN }],
      }),
    ],
  });
  await mover.run(moved);
  expect(mover.subscriber("ann")).toMatchObject({ quota_used: Number.MAX_SAFE_INTEGER });
  expect(Number(mover.subscriber("ann")?.["expires_at"])).toBeGreaterThan(NOW + 7000 * 365 * DAY);
  const { report } = await mover.run(moved);
  expect(report.counts.subscribers).toMatchObject({ same: 1 });
});

test("a session that stands there twice is one here, as it was heard of last", async () => {
  using mover = await Mover.withIsp();
  const [early, late] = [NOW - 600, NOW - 60].map((updatedAt) =>
    aMovedSession("ann", { updatedAt, inputOctets: updatedAt }),
  );
  const sessions = [early, late, early].flatMap((session) => session ?? []);
  const { report } = await mover.run(aMoved({ subscribers: [somebody("ann")], sessions }));
  expect(report.counts.sessions).toEqual({ found: 3, new: 1, changed: 0, same: 2, refused: 0 });
  expect(mover.rows("SELECT updated_at, input_octets FROM sessions")).toEqual([
    { updated_at: NOW - 60, input_octets: NOW - 60 },
  ]);
});

test("a session at a router of another ISP stays away, and nothing of that ISP is told", async () => {
  using mover = await Mover.withIsp();
  mover.db.$client.run("INSERT INTO isps (id, name) VALUES (9, 'Rival')");
  mover.db.$client.run("UPDATE nas SET isp_id = 9, name = 'rival-core' WHERE address = '127.0.0.2'");
  const sessions = [aMovedSession("ann", { nasAddress: "127.0.0.2" })];
  const { report } = await mover.run(aMoved({ subscribers: [somebody("ann")], sessions }));
  expect(report.counts.sessions).toMatchObject({ new: 0, refused: 1 });
  expect(mover.rows("SELECT id FROM sessions")).toEqual([]);
  expect(JSON.stringify(mover.notices.rows)).not.toMatch(/rival/i);
});

test("a source whose month has turned before ours is counted once, however often it comes", async () => {
  using mover = await Mover.withIsp();
  const moved = (up: number) =>
    aMoved({ subscribers: [somebody("ann", { usage: [{ month: "2030-02", up, down: 0 }] })] });
  const counted = () => mover.row("SELECT sum(input_octets) AS bytes FROM usage_days");
  for (const up of [100, 100, 150]) await mover.run(moved(up));
  expect(counted()).toEqual({ bytes: 150 });
});

test("prepaid codes become cards, of one day more than a batch may have", async () => {
  using mover = await Mover.withIsp();
  const count = 10_500; // of day 0 more than a batch has
  const vouchers = Array.from({ length: count }, (_, index) => ({
    at: { file: "old.sql", line: index + 1 },
    code: `QX7-${index + 1_000_000}`,
    kind: "access" as const,
    package: "home",
    price: "1.00",
    batch: `day ${index < 10_100 ? 0 : index % 3}`,
  }));
  const { report } = await mover.run(aMoved({ vouchers }));
  expect(report.counts.vouchers).toEqual({ found: count, new: count, changed: 0, same: 0, refused: 0 });
  expect(
    mover.row(
      "SELECT count(*) AS cards, max(quantity) AS most FROM cards JOIN card_batches b ON b.id = batch_id",
    ),
  ).toEqual({ cards: count, most: 10_000 });
  const again = await mover.run(aMoved({ vouchers }));
  expect(again.report.counts.vouchers).toMatchObject({ new: 0, same: count });
});
