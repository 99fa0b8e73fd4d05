import { afterAll, expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { sessions } from "../../../../db/schema.ts";
import { listSessions } from "../../../../src/domain/service/sessions/list.ts";
import { networkOf } from "../../../../src/domain/core/networks/networks.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { addressHolders } from "../../../../src/domain/service/sessions/address-holders.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const store = temporaryStore();
const { db } = store;
await loadIsp(db, { subscribers: [aSubscriber(1), aSubscriber(2, { username: "user_2" })] });
afterAll(() => store[Symbol.dispose]());

type Row = Partial<typeof sessions.$inferInsert>;
const add = (id: string, startedAt: number, stoppedAt: number | null, row: Row) =>
  write(db, (tx) =>
    tx
      .insert(sessions)
      .values({
        acctSessionId: id,
        username: "user1",
        subscriberId: 1,
        nasId: 1,
        nasAddress: "127.0.0.1",
        startedAt: NOW + startedAt,
        updatedAt: NOW + (stoppedAt ?? startedAt),
        stoppedAt: stoppedAt === null ? null : NOW + stoppedAt,
        ...row,
      })
      .run(),
  );
add("a", 0, 100, { framedIp: "10.0.0.5", framedIpv6Prefix: "2001:db8:1::/64", mac: "02:00:00:00:00:01" });
add("b", 200, null, { framedIp: "10.0.0.5", delegatedIpv6Prefix: "2001:db8:100::/56" });
add("c", 50, 300, {
  framedIp: "10.0.0.6",
  framedIpv6Prefix: "2001:db8:1:1::9/128",
  nasId: null,
  nasAddress: "10.9.9.9",
});
add("d", 60, 300, { username: "CORP\\user_2", subscriberId: 2, framedIpv6Prefix: "2001:db8::/32" });
add("e", 400, null, { username: "userX2", subscriberId: null });

test.each<[string, number, string[]]>([
  ["10.0.0.5", 0, ["a"]],
  ["10.0.0.5", 100, ["a"]],
  ["10.0.0.5", 150, []],
  ["10.0.0.5", 200, ["b"]],
  ["10.0.0.5", 99_999, ["b"]],
  ["10.0.0.5", -1, []],
  ["10.0.0.50", 50, []],
  ["2001:db8:1::1", 10, ["a"]],
  ["2001:0db8:0001:0000:ffff:ffff:ffff:ffff", 10, ["a"]],
  ["2001:db8:1::1", 70, ["d", "a"]],
  ["2001:db8:1:1::9", 70, ["d", "c"]],
  ["2001:db8:1:1::8", 70, ["d"]],
  ["2001:db8:100:ff:1::", 250, ["b", "d"]],
  ["2001:db8:100:ff:1::", 350, ["b"]],
  ["2001:db8:100:100::", 350, []],
  ["2001:db9::1", 70, []],
  ["2001:db8:100::/56", 350, ["b"]],
  ["2001:db8:100:20::/64", 350, ["b"]],
  ["2001:DB8:100:0:1::/56", 350, ["b"]],
  ["2001:db8:100::/48", 350, []],
  ["2001:db8::/32", 70, ["d"]],
])("%s at %d", (address, at, expected) => {
  expect(
    addressHolders(db, by, { address, at: NOW + at }).map(({ session }) => session.acctSessionId),
  ).toEqual(expected);
});

test("says who, on which router, since and until when", () => {
  expect(addressHolders(db, by, { address: "10.0.0.5", at: NOW })).toMatchObject([
    {
      session: { username: "user1", mac: "02:00:00:00:00:01", startedAt: NOW, stoppedAt: NOW + 100 },
      subscriberName: "User 1",
      nasName: "core",
    },
  ]);
});

test.each(["", "10.0.0", "10.0.0.0/24", "2001:db8::/129", "x"])("%p is no address", (address) => {
  expect(() => addressHolders(db, by, { address, at: NOW })).toThrow("is no IP address");
});

test("uses an index for every kind of address", () => {
  const plan = (column: string) =>
    db.$client
      .query<{ detail: string }, []>(
        `EXPLAIN QUERY PLAN SELECT * FROM sessions WHERE ${column} IN ('a', 'b') AND started_at <= 5`,
      )
      .all()
      .map(({ detail }) => detail)
      .join();
  for (const column of ["framed_ip", "framed_ipv6_prefix", "delegated_ipv6_prefix"])
    expect(plan(column)).toContain("USING INDEX");
});

test("a network has no bits beyond its length", () => {
  const bytes = Buffer.from("20010db8ffffffffffffffffffffffff", "hex");
  expect([0, 1, 33, 64, 127, 128].map((length) => networkOf(bytes, length))).toEqual([
    "::/0",
    "::/1",
    "2001:db8:8000::/33",
    "2001:db8:ffff:ffff::/64",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:fffe/127",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff/128",
  ]);
});

test.each<[string, Parameters<typeof listSessions>[2], string[]]>([
  ["who is online, the oldest first", {}, ["b", "e"]],
  ["every session, the newest first", { all: true }, ["e", "b", "d", "c", "a"]],
  ["of a subscriber, whatever name the router sent", { all: true, username: "USER_2" }, ["d"]],
  ["of a name that we do not know", { username: "userX2" }, ["e"]],
  ["of a router by name", { all: true, nas: "core" }, ["e", "b", "d", "a"]],
  ["of a router by address", { all: true, nas: "10.9.9.9" }, ["c"]],
  ["of a device", { all: true, mac: "02:00:00:00:00:01" }, ["a"]],
  ["with an address", { framedIp: "10.0.0.5" }, ["b"]],
  ["open at some moment between two", { all: true, from: NOW + 150, until: NOW + 250 }, ["b", "d", "c"]],
  ["so many", { all: true, limit: 2 }, ["e", "b"]],
])("list: %s", (_, filter, expected) => {
  expect(listSessions(db, by, filter).map(({ session }) => session.acctSessionId)).toEqual(expected);
});
