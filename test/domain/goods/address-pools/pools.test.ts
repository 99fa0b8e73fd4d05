import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { quote, sell } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { listRenewals } from "../../../../src/domain/service/activation/renewals.ts";
import { voidInvoice } from "../../../../src/domain/desk/void/void.ts";
import { checkAddresses } from "../../../../src/domain/machine/check/addresses.ts";
import { freeExpiredAddresses } from "../../../../src/domain/goods/address-pools/free.ts";
import {
  createPool,
  deletePool,
  listPools,
  updatePool,
} from "../../../../src/domain/goods/address-pools/pools.ts";
import {
  addressAt,
  numberIn,
  readRange,
  type Range,
  rangeText,
} from "../../../../src/domain/goods/address-pools/range.ts";
import { applyPackage } from "../../../../src/domain/service/control/apply-package.ts";
import { exportDataSet } from "../../../../src/domain/machine/imports/data-set/export.ts";
import { importDataSet } from "../../../../src/domain/machine/imports/data-set/import.ts";
import { updatePackage } from "../../../../src/domain/goods/packages/packages.ts";
import { archiveOne, restoreSubscriber } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { write } from "../../../../db/open.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp, newSubscriber } from "../../../support/isp.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

const at = { now: NOW };
const options = () => ({ now: NOW, shown: { secrets: true } }) as never;

const assigned = (db: Db) =>
  db.$client
    .query<{ id: number; ip: string | null; prefix: string | null }, []>(
      "SELECT id, pool_ip AS ip, pool_prefix AS prefix FROM subscribers ORDER BY id",
    )
    .all();
const ipOf = (db: Db, id: number) => assigned(db).find((row) => row.id === id)?.ip ?? null;

const pools = [
  { id: 1, isp_id: 1, name: "homes", range: "10.20.0.2-10.20.0.4" },
  { id: 2, isp_id: 1, name: "prefixes", range: "2001:db8::/54", length: 56 },
];
const pooled = (id: number, more = {}) =>
  aPackage(id, { address_pool: "homes", delegated_ipv6_from: "prefixes", price: "0.00", ...more });
const who = (id: number, more = {}) =>
  newSubscriber(id, { package_id: 2, salesperson_id: 1, balance: "0.00", ...more });

async function isp(subscribers: Record<string, unknown>[], more: Record<string, unknown> = {}) {
  const store = temporaryStore();
  await loadIsp(store.db, { address_pools: pools, packages: [pooled(2)], subscribers, ...more });
  return store;
}

const activate = (db: Db, id: number, now = NOW, packageId = 2) =>
  write(db, (tx) => sell(tx, by, { subscriberId: id, packageId }, { now }));

describe("ranges", () => {
  test.each([
    ["10.0.0.2-10.0.0.9", null, "10.0.0.2-10.0.0.9", 8],
    ["10.0.0.0/30", null, "10.0.0.1-10.0.0.2", 2],
    ["2001:db8::/40", 56, "2001:db8::/40", 65_536],
    ["2001:DB8:0:ff00::/56", 64, "2001:db8:0:ff00::/56", 256],
  ] as const)("%s of %s is %s", (text, length, canonical, size) => {
    const range = readRange(text, length) as Range;
    expect([rangeText(range), range.size]).toEqual([canonical, size]);
    for (const number of [0, 1, size - 1]) expect(numberIn(range, addressAt(range, number))).toBe(number);
    expect(numberIn(range, "10.9.9.9")).toBeUndefined();
  });

  test.each([
    ["10.0.0.9-10.0.0.2", null, "ends before it begins"],
    ["10.0.0.1", null, "must be addresses"],
    ["010.0.0.0/24", null, "must be addresses"],
    ["10.1/16", null, "must be addresses"],
    ["10.0.0.2-10.0.0.9-10.0.0.99", null, "must be addresses"],
    ["10.0.0.2-10.0.0.9, 10.0.1.2-10.0.1.9", null, "must be addresses"],
    ["2001:db8::/40", null, "say which length"],
    ["2001:db8::/40", 36, "has prefixes of"],
    ["2001:db8::1/40", 56, "has bits behind"],
    ["10.0.0.0/8", null, "has at most"],
    ["0.0.0.2-0.0.0.9", null, "no line can have"],
    ["126.255.255.250-127.0.0.5", null, "no line can have"],
    ["224.0.0.0/24", null, "no line can have"],
    ["255.255.255.250-255.255.255.254", null, "no line can have"],
  ] as const)("%s of %s: %s", (text, length, fault) => {
    expect(String(readRange(text, length))).toContain(fault);
  });
});

describe("addresses of pools", () => {
  test("an activation gives an address and a prefix, and a renewal leaves both", async () => {
    using store = await isp([who(1)]);
    activate(store.db, 1);
    expect(assigned(store.db)).toEqual([{ id: 1, ip: "10.20.0.2", prefix: "2001:db8::/56" }]);
    activate(store.db, 1, NOW + DAY);
    expect(assigned(store.db)).toEqual([{ id: 1, ip: "10.20.0.2", prefix: "2001:db8::/56" }]);
  });

  test("a full pool refuses in words, and nothing of the activation is left", async () => {
    using store = await isp([1, 2, 3, 4].map((id) => who(id)));
    for (const id of [1, 2, 3]) activate(store.db, id);
    expect(() => activate(store.db, 4)).toThrow("the address pool homes is full");
    expect(ipOf(store.db, 4)).toBeNull();
    expect(store.db.$client.query("SELECT count(*) AS n FROM services").get()).toEqual({ n: 3 });
    expect(checkAddresses(store.db).map(({ severity }) => severity)).toContain("warning");
  });

  test("a full pool is told before: by the quote, and of renewals by themselves", async () => {
    const rows = [1, 2, 3].map((id) => who(id));
    using store = await isp([...rows, who(4, { package_id: 1, balance: "100.00" })]);
    const { db } = store;
    for (const id of [1, 2, 3]) activate(db, id);
    activate(db, 4, NOW, 1);
    db.$client.run("UPDATE subscribers SET package_id = 2, auto_renew = 1 WHERE id IN (3, 4)");
    expect(() => quote(db, by, { subscriberId: 4, packageId: 2 }, { now: NOW + DAY })).toThrow(
      "the address pool homes is full",
    );
    const { renewals } = listRenewals(
      db,
      by,
      { limit: 9, offset: 0, descending: false },
      { now: NOW + 29 * DAY },
    );
    expect(renewals.map(({ id, reason }) => [id, reason])).toEqual([
      [3, null],
      [4, expect.stringContaining("the address pool homes is full")],
    ]);
  });

  test("the check says how many are in use and free, and which one two have", async () => {
    using store = await isp([who(1), who(2)]);
    activate(store.db, 1);
    const found = () => checkAddresses(store.db).map(({ severity, message }) => `${severity} ${message}`);
    expect(found()).toEqual(["ok 2 of 7 in 2 pools are in use, 5 are free, none is that of two"]);
    updateSubscriber(store.db, by, { username: "user2", static_ip: "10.20.0.4" }, options());
    expect(found()).toEqual(["ok 3 of 7 in 2 pools are in use, 4 are free, none is that of two"]);
    // as no operation writes it
    store.db.$client.run("UPDATE subscribers SET static_ip = '10.20.0.2' WHERE id = 2");
    expect(found()).toEqual([expect.stringContaining("error 10.20.0.2 is that of user1, user2")]);
    store.db.$client.run(
      "UPDATE subscribers SET static_ip = NULL, framed_ipv6_prefix = '2001:db8::/56' WHERE id = 2",
    );
    expect(found()).toEqual([expect.stringContaining("error 2001:db8::/56 is that of user1, user2")]);
  });

  test("the check warns of a pool that is filled by hand", async () => {
    using store = await isp([2, 3, 4].map((id) => who(id, { static_ip: `10.20.0.${id}` })));
    expect(checkAddresses(store.db).map(({ message }) => message)).toEqual([
      expect.stringContaining("of the pool homes (10.20.0.2-10.20.0.4) 3 of 3 are in use"),
    ]);
  });

  test("what somebody has by hand is never given, and what was given is nobody's to set", async () => {
    using store = await isp([who(1), who(2, { static_ip: "10.20.0.2" }), who(3)]);
    activate(store.db, 1);
    expect(ipOf(store.db, 1)).toBe("10.20.0.3");
    const set = (static_ip: string) =>
      updateSubscriber(store.db, by, { username: "user3", static_ip }, options());
    expect(() => set("10.20.0.3")).toThrow("static_ip");
    set("10.20.0.4");
    expect(() => activate(store.db, 2)).not.toThrow();
    expect(ipOf(store.db, 2)).toBeNull();
  });

  test("an address set by hand frees the one of the pool, and without it there is one again", async () => {
    using store = await isp([who(1)]);
    activate(store.db, 1);
    updateSubscriber(store.db, by, { username: "user1", static_ip: "10.9.0.1" }, options());
    expect(ipOf(store.db, 1)).toBeNull();
    updateSubscriber(store.db, by, { username: "user1", static_ip: "" }, options());
    expect(ipOf(store.db, 1)).toBe("10.20.0.3");
  });

  test("kept over expiry, freed after thirty days, with an entry of who had it", async () => {
    using store = await isp([who(1)]);
    activate(store.db, 1);
    const end = NOW + 31 * DAY;
    expect(freeExpiredAddresses(store.db, by, { now: end + 29 * DAY })).toBe(0);
    expect(ipOf(store.db, 1)).toBe("10.20.0.2");
    expect(freeExpiredAddresses(store.db, by, { now: end + 31 * DAY })).toBe(1);
    expect(assigned(store.db)).toEqual([{ id: 1, ip: null, prefix: null }]);
    const entry = store.db.$client
      .query<{ before: string }, []>(
        "SELECT before FROM audit_entries WHERE action = 'subscriber.free_address'",
      )
      .get();
    expect(JSON.parse(entry?.before ?? "")).toEqual({ pool_ip: "10.20.0.2", pool_prefix: "2001:db8::/56" });
  });

  test("an extension after that gives one again", async () => {
    using store = await isp([who(1)]);
    activate(store.db, 1);
    const later = NOW + 80 * DAY;
    freeExpiredAddresses(store.db, by, { now: later });
    expect(ipOf(store.db, 1)).toBeNull();
    const extension = { subscriberId: 1, hours: 48, reason: "was away", trust: false };
    extend(store.db, by, extension, { now: later });
    expect(assigned(store.db)).toEqual([{ id: 1, ip: "10.20.0.3", prefix: "2001:db8:0:100::/56" }]);
  });

  test("who expired longer ago is given none and refused nothing because of it", async () => {
    using store = await isp([1, 2, 3, 4].map((id) => who(id)));
    const { db } = store;
    const later = { now: NOW + 80 * DAY };
    activate(db, 1);
    freeExpiredAddresses(db, by, later);
    for (const id of [2, 3, 4]) activate(db, id, later.now);
    const change = () => updatePackage(db, by, { id: 2, input: { idle_timeout: 600 } }, later);
    expect(change().holders).toBe(4); // by its timeout
    await applyPackage(db, by, { packageId: 2 }, { clock: () => later.now, routers: new RecordedRouters() });
    expect(change().holders).toBe(0);
    write(db, (tx) => archiveOne(tx, by, { subscriberId: 1 }, later));
    restoreSubscriber(db, by, { subscriberId: 1 }, later);
    for (const static_ip of ["10.9.0.1", ""])
      updateSubscriber(db, by, { username: "user1", static_ip }, {
        ...later,
        shown: { secrets: true },
      } as never);
    expect(ipOf(db, 1)).toBeNull();
    db.$client.run("UPDATE subscribers SET status = 1 WHERE id = 1");
    expect(() => activate(db, 1, later.now)).toThrow("the address pool homes is full");
  });

  test("with no days to keep it an address is free at the end, and a service that ended is given none", async () => {
    using store = await isp(
      [1, 2].map((id) => who(id)),
      { settings: { address_kept_days: 0 } },
    );
    activate(store.db, 1);
    const end = NOW + 31 * DAY;
    expect(freeExpiredAddresses(store.db, by, { now: end - DAY })).toBe(0);
    expect(freeExpiredAddresses(store.db, by, { now: end })).toBe(1);
    for (const static_ip of ["10.9.0.1", ""])
      updateSubscriber(store.db, by, { username: "user1", static_ip }, {
        now: end,
        shown: { secrets: true },
      } as never);
    expect(ipOf(store.db, 1)).toBeNull();
    activate(store.db, 1, end + 1);
    expect(ipOf(store.db, 1)).toBe("10.20.0.3");
  });

  test("who is archived gives it up, and has another one when it comes back", async () => {
    using store = await isp([who(1)]);
    activate(store.db, 1);
    write(store.db, (tx) => archiveOne(tx, by, { subscriberId: 1 }, at));
    expect(assigned(store.db)).toEqual([{ id: 1, ip: null, prefix: null }]);
    restoreSubscriber(store.db, by, { subscriberId: 1 }, at);
    expect(ipOf(store.db, 1)).toBe("10.20.0.3");
  });

  test("another pool of the package is given when its terms are applied, and with another package", async () => {
    using store = await isp([who(1)], { packages: [pooled(2), aPackage(3, { price: "0.00" })] });
    activate(store.db, 1);
    createPool(store.db, by, { isp_id: 1, name: "other", range: "10.30.0.0/29" }, at);
    expect(updatePackage(store.db, by, { id: 2, input: { address_pool: "other" } }, at).holders).toBe(1);
    expect(ipOf(store.db, 1)).toBe("10.20.0.2");
    await applyPackage(store.db, by, { packageId: 2 }, { clock: () => NOW, routers: new RecordedRouters() });
    expect(ipOf(store.db, 1)).toBe("10.30.0.1");
    activate(store.db, 1, NOW + DAY, 3);
    expect(assigned(store.db)).toEqual([{ id: 1, ip: null, prefix: null }]);
  });

  test("an import gives what is missing, keeps what the file says, and takes no address twice", async () => {
    using first = await isp([1, 2].map((id) => aSubscriber(id, { package_id: 2 })));
    expect(assigned(first.db).map(({ ip }) => ip)).toEqual(["10.20.0.2", "10.20.0.3"]);
    const data = JSON.parse(JSON.stringify(exportDataSet(first.db, by, { secrets: true })));
    data.subscribers.reverse();
    using second = temporaryStore();
    await importDataSet(second.db, by, data, { now: NOW });
    expect(assigned(second.db)).toEqual(assigned(first.db));
    for (const row of data.subscribers) Object.assign(row, { pool_ip: "10.20.0.4" });
    using third = temporaryStore();
    await importDataSet(third.db, by, data, { now: NOW });
    expect(assigned(third.db).map(({ ip }) => ip)).toEqual(["10.20.0.4", "10.20.0.2"]);
  });

  test("an import changes who has which address, and takes none from who has it", async () => {
    using store = await isp([1, 2].map((id) => aSubscriber(id, { package_id: 2 })));
    const { db } = store;
    const bring = (...subscribers: Record<string, unknown>[]) => importDataSet(db, by, { subscribers }, at);
    const [first, second] = ["10.20.0.2", "10.20.0.3"];
    await bring({ id: 1, pool_ip: second }, { id: 2, pool_ip: first });
    expect(assigned(db).map(({ ip }) => ip)).toEqual([second, first]);
    await bring({ id: 1, pool_ip: first });
    expect(assigned(db).map(({ ip }) => ip)).toEqual(["10.20.0.4", first]);
    await bring({ id: 2, pool_prefix: "2001:db8::/56" });
    expect(assigned(db).map(({ prefix }) => prefix)).toEqual(["2001:db8::/56", "2001:db8:0:200::/56"]);
    await bring({ id: 1, pool_ip: first }, { id: 2, archived_at: formatTime(NOW), status: 0 });
    expect(assigned(db)).toEqual([
      { id: 1, ip: first, prefix: "2001:db8::/56" },
      { id: 2, ip: null, prefix: null },
    ]);
  });

  test("an import that gives a service another package gives what that has of pools", async () => {
    const packages = [
      pooled(2),
      pooled(3, { address_pool: "other", delegated_ipv6_from: null }),
      aPackage(4),
      pooled(5),
    ];
    const other = { id: 3, isp_id: 1, name: "other", range: "10.30.0.0/29" };
    const rows = [1, 2, 3].map((id) => aSubscriber(id, { package_id: 2 }));
    using store = await isp(rows, { packages, address_pools: [...pools, other] });
    const until = formatTime(NOW + 20 * DAY);
    const moved = [1, 2, 3].map((id) => ({ id, package_id: id + 2, current_expiration_date: until }));
    await importDataSet(store.db, by, { subscribers: moved }, at);
    expect(assigned(store.db)).toEqual([
      { id: 1, ip: "10.30.0.1", prefix: null },
      { id: 2, ip: null, prefix: null },
      { id: 3, ip: "10.20.0.4", prefix: "2001:db8:0:200::/56" },
    ]);
  });

  test("an import of another package, and an activation that is undone, give nothing to who is archived", async () => {
    using store = await isp([aSubscriber(1, { package_id: 2, balance: "0.00" }), who(2)], {
      packages: [pooled(2), pooled(3), aPackage(4, { price: "0.00" })],
    });
    const { db } = store;
    activate(db, 2);
    activate(db, 2, NOW + DAY, 4);
    for (const subscriberId of [1, 2]) write(db, (tx) => archiveOne(tx, by, { subscriberId }, at));
    const end = formatTime(NOW + 20 * DAY);
    const row = { id: 1, package_id: 3, current_expiration_date: end };
    await importDataSet(db, by, { subscribers: [row] }, at);
    const seeing = { ...by, scope: { ...by.scope, archived: true } };
    const voiding = { invoiceId: 2, reason: "mistaken", endService: true };
    write(db, (tx) => voidInvoice(tx, seeing, voiding, { now: NOW + DAY + 1 }));
    expect(assigned(db).map(({ ip }) => ip)).toEqual([null, null]);
  });

  test("an import gives nothing to who expired longer ago than addresses are kept", async () => {
    const ended = (id: number, days: number) =>
      aSubscriber(id, { package_id: 2, current_expiration_date: formatTime(NOW - days * DAY) });
    using store = await isp([
      ended(1, 29),
      ended(2, 31),
      ...[3, 4].map((id) => aSubscriber(id, { package_id: 2 })),
    ]);
    expect(assigned(store.db).map(({ ip }) => ip)).toEqual(["10.20.0.2", null, "10.20.0.3", "10.20.0.4"]);
  });

  test("an import of more than a pool has is refused as a whole", async () => {
    await expect(isp([1, 2, 3, 4].map((id) => aSubscriber(id, { package_id: 2 })))).rejects.toThrow(
      "is full",
    );
  });

  test("an import of thousands takes no square of their number, for everybody else who writes waits for it", async () => {
    /** Milliseconds of the processor that it takes. */
    const settle = async (many: number) => {
      using store = await isp([], {
        address_pools: [
          { ...pools[0], range: "10.20.0.0/18" },
          { ...pools[1], range: "2001:db8::/43" },
        ],
      });
      const rows = Array.from({ length: many }, (_, index) => aSubscriber(index + 1, { package_id: 2 }));
      const before = process.cpuUsage();
      await importDataSet(store.db, by, { subscribers: rows }, at);
      expect(new Set(assigned(store.db).flatMap(({ ip, prefix }) => [ip, prefix])).size).toBe(2 * many);
      await importDataSet(store.db, by, { subscribers: [{ id: 1, isp_id: 1, name: "Other" }] }, at);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const few = await settle(500);
    const many = await settle(4000);
    expect(many).toBeLessThan(24 * few);
  });

  test("an import in which two have one line is refused", async () => {
    const line = { circuit_id: "port 1", remote_id: "olt-3" };
    await expect(isp([who(1, line), who(2, line)])).rejects.toThrow(
      "the line port 1 at olt-3 is that of user1, user2",
    );
    using store = await isp([who(1, line), who(2, { ...line, remote_id: "olt-4" })]);
    expect(assigned(store.db)).toHaveLength(2);
  });

  test("two lines at once have no address of a pool", async () => {
    using store = await isp([who(1)]);
    expect(() => updatePackage(store.db, by, { id: 2, input: { simultaneous_use: 2 } }, at)).toThrow();
    expect(() => updatePackage(store.db, by, { id: 2, input: { address_pool: "none" } }, at)).toThrow();
    expect(() => updatePackage(store.db, by, { id: 2, input: { address_pool: "prefixes" } }, at)).toThrow();
  });
});

describe("pools", () => {
  test("do not meet within an ISP, shrink where nobody is, and go when nobody needs them", async () => {
    using store = await isp([who(1)]);
    activate(store.db, 1);
    const add = (input: Record<string, unknown>) => createPool(store.db, by, { isp_id: 1, ...input }, at);
    expect(() => add({ name: "x", range: "10.20.0.0/16" })).toThrow("range");
    expect(() => add({ name: "homes", range: "10.21.0.0/24" })).toThrow("name");
    for (const [range, length, field] of [
      ["2001:db9::1/40", 56, "range"],
      ["2001:db9::/40", 36, "length"],
      ["10.21.0.0/24", 56, "length"],
    ])
      expect(() => add({ name: "x", range, length })).toThrow(
        expect.objectContaining({ fields: { [String(field)]: [expect.anything()] } }) as never,
      );
    expect(() =>
      createPool(store.db, by, { isp_id: 2, name: "homes", range: "10.20.0.0/24" }, at),
    ).not.toThrow();
    const set = (input: Record<string, unknown>) => updatePool(store.db, by, { id: 1, input }, at);
    expect(() => set({ range: "10.20.0.3-10.20.0.9" })).toThrow("user1 (10.20.0.2)");
    expect(set({ range: "10.20.0.2-10.20.0.9", name: "flats" })).toMatchObject({ size: 8, used: 1 });
    expect(
      listPools(store.db, by, { name: "flats", sort: "id", descending: false, limit: 9, offset: 0 }).records,
    ).toMatchObject([{ packages: ["Home 2"] }]);
    expect(() => deletePool(store.db, by, { id: 1 }, at)).toThrow("the package Home 2");
  });

  test("to give one of many takes no look at every subscriber of the ISP", async () => {
    using store = await isp([who(1), who(2)]);
    const { $client } = store.db;
    const texts = new Set<string>();
    const query = $client.query.bind($client);
    $client.query = ((text: string) => {
      texts.add(text);
      return query(text);
    }) as typeof $client.query;
    activate(store.db, 1);
    updateSubscriber(
      store.db,
      by,
      { username: "user2", static_ip: "10.20.0.4", circuit_id: "eth 0/7" },
      options(),
    );
    $client.query = query;
    expect(assigned(store.db)[0]).toMatchObject({ ip: "10.20.0.2", prefix: "2001:db8::/56" });
    const read = [...texts].filter((text) => /^\s*SELECT/.test(text) && /\bsubscribers\b/.test(text));
    expect(read.length).toBeGreaterThan(5);
    const slow = read.filter((text) =>
      query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .some(({ detail }) => /^SCAN (s|subscribers)\b|subscribers_isp\b/.test(detail)),
    );
    expect(slow).toEqual([]);
  });

  test("of addresses does not become one of prefixes while a package gives them, nor the other way", async () => {
    using store = await isp([who(1)]);
    const set = (id: number, input: Record<string, unknown>) => updatePool(store.db, by, { id, input }, at);
    expect(() => set(1, { range: "2001:db9::/40", length: 56 })).toThrow(
      "the package Home 2 gives addresses of the pool homes",
    );
    expect(() => set(2, { range: "10.9.0.0/24", length: "" })).toThrow("gives prefixes of the pool prefixes");
    updatePackage(store.db, by, { id: 2, input: { address_pool: "" } }, at);
    expect(set(1, { range: "2001:db9::/40", length: 56 })).toMatchObject({ size: 65_536 });
  });

  test("the prefix of a link is not the one that is delegated behind it", async () => {
    using store = await isp([who(1)]);
    activate(store.db, 1);
    const set = (framed_ipv6_prefix: string) =>
      updateSubscriber(store.db, by, { username: "user1", framed_ipv6_prefix }, options());
    expect(() => set("2001:db8::/56")).toThrow("framed_ipv6_prefix");
    set("2001:db8:0:300::/56");
  });

  test("a prefix by hand does not lie across those of a pool", async () => {
    using store = await isp([who(1)]);
    const set = (delegated_ipv6_prefix: string) =>
      updateSubscriber(store.db, by, { username: "user1", delegated_ipv6_prefix }, options());
    expect(() => set("2001:db8::/48")).toThrow("delegated_ipv6_prefix");
    expect(() => set("2001:db8:0:1::/64")).toThrow("delegated_ipv6_prefix");
    set("2001:db8::/56");
    expect(() => updatePool(store.db, by, { id: 2, input: { length: 57 } }, at)).toThrow("range");
  });
});

test("whatever happens, no two have one address", async () => {
  const many = 12;
  using store = await isp(
    Array.from({ length: many }, (_, index) => who(index + 1)),
    {
      address_pools: [
        { ...pools[0], range: "10.20.0.1-10.20.0.8" },
        { ...pools[1], range: "2001:db8::/53" },
      ],
    },
  );
  const { db } = store;
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  let refused = 0;
  for (let step = 0; step < 600; step++) {
    const id = 1 + random(many);
    const now = NOW + step * DAY;
    const deeds = [
      () => activate(db, id, now),
      () => activate(db, id, now),
      () =>
        updateSubscriber(db, by, { username: `user${id}`, static_ip: `10.20.0.${1 + random(8)}` }, {
          now,
        } as never),
      () => updateSubscriber(db, by, { username: `user${id}`, static_ip: "" }, { now } as never),
      () =>
        updateSubscriber(
          db,
          by,
          { username: `user${id}`, delegated_ipv6_prefix: `2001:db8:0:${random(8)}00::/56` },
          { now } as never,
        ),
      () => updateSubscriber(db, by, { username: `user${id}`, delegated_ipv6_prefix: "" }, { now } as never),
      () => write(db, (tx) => archiveOne(tx, by, { subscriberId: id }, { now })),
      () => restoreSubscriber(db, by, { subscriberId: id }, { now }),
      () => db.$client.run(`UPDATE subscribers SET status = 1 WHERE id = ${id} AND archived_at IS NULL`),
      () => freeExpiredAddresses(db, by, { now }),
    ];
    try {
      deeds[random(deeds.length)]?.();
    } catch {
      refused++;
    }
    const faults = checkAddresses(db).filter(({ severity }) => severity === "error");
    expect(faults).toEqual([]);
  }
  expect(refused).toBeGreaterThan(20);
  expect(assigned(db).filter(({ ip }) => ip !== null).length).toBeGreaterThan(0);
});
