import { expect, test } from "bun:test";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { DAY } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, aMovedSession, at, edge, home, Mover, somebody } from "./mover.ts";

test("everything that a source gives is there afterwards", async () => {
  using mover = await Mover.withIsp();
  const moved = aMoved({
    packages: [{ ...home, data_quota_bytes: 1e9, quota_exceeded: "1M/1M" }],
    routers: [edge],
    subscribers: [
      somebody("ann", {
        name: "Ann Lee",
        mobile_number: "0770 1",
        phone_number: "555-12345",
        email: "ann@isp.example",
        address: "1 High St",
        latitude: "51,5",
        longitude: "-0.12",
        static_ip: "10.0.0.7/32",
        mac_address: "aabbccddeeff",
        macLock: true,
        macLogin: true,
        autoRenew: true,
        router: "edge",
        branch: "North",
        city: "Riverton",
        area: "East",
        subarea: "Block 4",
        salesperson: "REX",
        createdAt: NOW - 400 * DAY,
        balance: "-12.50",
        nic_number: "ID 7",
        global_note: "calls often",
        service: { expiresAt: NOW + DAY, quotaUsed: 1000 },
        usage: [
          { month: "2029-12", up: 10, down: 200 },
          { month: "2030-01", up: 5, down: 50 },
        ],
        history: [{ at: NOW - 5 * DAY, text: "paid 15.00 in cash" }],
      }),
    ],
    sessions: [aMovedSession("ann")],
    vouchers: [{ at, code: "ABC-123", kind: "access", package: "home", price: "5.00", batch: null }],
  });
  const { report, moveId } = await mover.run(moved);
  expect(moveId).toBe(1);
  expect(report.counts.subscribers).toEqual({ found: 1, new: 1, changed: 0, same: 0, refused: 0 });
  expect(mover.subscriber("ann")).toMatchObject({
    name: "Ann Lee",
    mobile_number: "0770 1",
    phone_number: "555-12345",
    email: "ann@isp.example",
    latitude: 51.5,
    longitude: -0.12,
    static_ip: "10.0.0.7",
    mac_address: "AA:BB:CC:DD:EE:FF",
    mac_lock: 1,
    mac_login: 1,
    auto_renew: 1,
    salesperson_id: 2,
    nic_number: "ID 7",
    status: 1,
    created_at: NOW - 400 * DAY,
    expires_at: NOW + DAY,
    quota_used: 1000,
    balance: -1250,
    package: "Home",
    rate_limit: "5M/20M",
    global_note: "calls often",
    connection_type_id: 1,
    any_connection: 0,
  });
  const place = mover.row(
    `SELECT b.name AS branch, c.name AS city, a.name AS area, a.city_id = c.id AS lies, u.name AS subarea, n.name AS nas
     FROM subscribers s JOIN branches b ON b.id = s.branch_id JOIN cities c ON c.id = s.city_id
       JOIN areas a ON a.id = s.area_id JOIN subareas u ON u.id = s.subarea_id JOIN nas n ON n.id = s.nas_id`,
  );
  expect(place).toEqual({
    branch: "North",
    city: "Riverton",
    area: "East",
    lies: 1,
    subarea: "Block 4",
    nas: "edge",
  });
  expect(mover.passwordOf("ann")).toEqual(["pw-ann", "pw-ann"]);
  expect(mover.rows("SELECT day, input_octets, output_octets FROM usage_days ORDER BY day")).toEqual([
    { day: 20_291_231, input_octets: 10, output_octets: 200 },
    { day: 20_300_115, input_octets: 5, output_octets: 50 },
  ]);
  expect(mover.rows("SELECT kind, amount, balance_after, reason FROM ledger_entries ORDER BY id")).toEqual([
    { kind: "history", amount: 0, balance_after: 0, reason: "paid 15.00 in cash" },
    { kind: "opening", amount: -1250, balance_after: -1250, reason: null },
  ]);
  expect(
    mover.row("SELECT moved_in, input_octets, counter_output, subscriber_id, nas_id FROM sessions"),
  ).toEqual({
    moved_in: 1,
    input_octets: 1000,
    counter_output: 20_000,
    nas_id: 1,
    subscriber_id: mover.subscriber("ann")?.["id"] ?? null,
  });
  expect(report.cards).toEqual([{ name: null, kind: "access", package: "Home", price: "5.00", cards: 1 }]);
  expect(report.packages).toEqual([
    {
      name: "Home",
      key: "home",
      from: "old.sql:1",
      holders: 1,
      price: "15.00",
      terms: "5M/20M, 1.0 GB, then 1M/1M, 1 month",
    },
  ]);
});

test("a second run with nothing new changes nothing", async () => {
  using mover = await Mover.withIsp();
  const moved = aMoved({
    routers: [edge, { ...edge, key: "b", name: "b", address: "10.0.0.2", secret: null }],
    subscribers: [
      somebody("ann", { balance: "10.00", mobile_number: "111222", area: "East", router: "edge" }),
      somebody("bob", {
        password: { lost: "hashed" },
        service: { expiresAt: null },
        connection: null,
        package: null,
      }),
      somebody("cat", { mobile_number: "111222", service: null, history: [{ at: NOW - 9, text: "a" }] }),
      somebody("dan", {
        usage: [{ month: "2030-01", up: 5, down: 50 }],
        service: { expiresAt: NOW, quotaUsed: 5 },
      }),
    ],
    sessions: [aMovedSession("ann")],
  });
  await mover.run(moved);
  const before = mover.dump();
  const { report } = await mover.run(moved, { now: NOW + 7 * DAY });
  expect(report.counts).toMatchObject({
    packages: { found: 2, new: 0, changed: 0, same: 2 },
    routers: { found: 2, new: 0, changed: 0, same: 2 },
    subscribers: { found: 4, new: 0, changed: 0, same: 4, refused: 0 },
    sessions: { found: 1, same: 1 },
  });
  expect(mover.dump()).toEqual(before);
  expect(mover.kept?.dataSet["packages"]).toBeUndefined();
  expect(mover.noticesOf("kept_here")).toEqual([]);
});

test("a dry run writes nothing and reports all", async () => {
  using mover = await Mover.withIsp();
  const before = mover.dump();
  const { report, moveId } = await mover.run(aMoved({ subscribers: [somebody("ann")] }), { dryRun: true });
  expect(moveId).toBeNull();
  expect(report.counts.subscribers.new).toBe(1);
  expect(mover.dump()).toEqual(before);
  expect(mover.rows("SELECT * FROM moves")).toEqual([]);
  expect(mover.kept).toBeUndefined();
});

test("who has no end there ends one period from now, or at --expires", async () => {
  using mover = await Mover.withIsp();
  const subscribers = [somebody("ann", { service: { expiresAt: null } })];
  await mover.run(aMoved({ subscribers }));
  expect(formatTime(Number(mover.subscriber("ann")?.["expires_at"]))).toBe("2030-02-15 12:00:00");
  expect(mover.noticesOf("no_expiry")).toEqual([["ann", "ends here on 2030-02-15 12:00:00"]]);
  using other = await Mover.withIsp();
  await other.run(aMoved({ subscribers }), { expires: NOW + 3 * DAY });
  expect(other.subscriber("ann")?.["expires_at"]).toBe(NOW + 3 * DAY);
});
