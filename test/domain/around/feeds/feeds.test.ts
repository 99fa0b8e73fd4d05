import { afterEach, beforeEach, expect, test } from "bun:test";
import { setBoxCapacity } from "../../../../src/domain/around/feeds/capacity.ts";
import { dueFeeds } from "../../../../src/domain/around/feeds/due.ts";
import {
  createFeed,
  deleteFeed,
  feedById,
  feedNamed,
  listFeeds,
  setFeedEnabled,
  updateFeed,
} from "../../../../src/domain/around/feeds/feeds.ts";
import { checkFeeds } from "../../../../src/domain/machine/check/feeds.ts";
import { shaperFiles } from "../../../../src/domain/around/feeds/files.ts";
import { aPackage, aSubscriber, by, undoneIspStores } from "../../../support/isp.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

/* Which shapers there are, and the files of LibreQoS. */

const now = NOW;
let store: TemporaryStore;
beforeEach(async () => {
  store = await ispStore({
    packages: [
      aPackage(2, { rate_limit: "512k/1500k" }),
      aPackage(3, { rate_limit: "0/50M" }),
      aPackage(4, { rate_limit: "" }),
    ],
    subscribers: [
      aSubscriber(1, { box_number: "B#1", static_ip: "10.0.0.7", name: 'Ann "A", 1' }),
      aSubscriber(2, { package_id: 2, box_number: "B-2" }),
      aSubscriber(3, { package_id: 3 }),
      aSubscriber(4, { package_id: 4 }),
    ],
  });
});
afterEach(() => store[Symbol.dispose]());

const lq = { isp_id: 1, name: "lq", address: "10.0.0.20", secret: "s" };

test("a shaper has a name of its own, an address, and routers of its ISP", () => {
  const { db } = store;
  const added = createFeed(db, by, { ...lq, router_ids: "1" }, { now });
  expect(added).toMatchObject({
    name: "lq",
    address: "10.0.0.20",
    port: 1813,
    allRouters: 0,
    routers: "core",
  });
  expect(() => createFeed(db, by, lq, { now })).toThrow("check name");
  const faulty = { ...lq, name: "b" };
  expect(() => createFeed(db, by, { ...faulty, address: "shaper.example" }, { now })).toThrow(
    "check address",
  );
  for (const router_ids of ["1, 2", "core", "0x1", "1,"])
    expect(() => createFeed(db, by, { ...faulty, router_ids }, { now })).toThrow("check router_ids");
  const input = { port: 18130, router_ids: "all" };
  const changed = updateFeed(db, by, { id: added.id, input }, { now });
  expect(changed).toMatchObject({ port: 18_130, allRouters: 1, routers: "", routerIds: "[]" });
  expect(listFeeds(db, by)).toEqual([changed]);
  expect(feedById(db, by, { id: added.id })).toEqual(changed);
  // what is not named stays
  const kept = updateFeed(db, by, { id: added.id, input: { router_ids: "1" } }, { now });
  expect(updateFeed(db, by, { id: added.id, input: { name: "lq" } }, { now })).toEqual(kept);
  expect(feedNamed(db, by, String(added.id)).name).toBe("lq");
  expect(() => feedNamed(db, by, "none")).toThrow("no shaper none is fed; see: gatehouse feed list");
});

test("one that is switched off is told nothing, is behind of nothing, and is told anew when it is on again", () => {
  const { db } = store;
  const { id } = createFeed(db, by, lq, { now });
  db.$client.run("UPDATE feeds SET silent_since = 1, behind_since = 1, waiting = 9");
  expect(checkFeeds(db)).toHaveLength(1);
  const off = setFeedEnabled(db, by, { id, enabled: false }, { now });
  expect(off).toMatchObject({ disabledAt: now, silentSince: null, behindSince: null, waiting: 0 });
  expect(dueFeeds(db)).toEqual([]);
  // what came of the last request is written after it was switched off
  db.$client.run("UPDATE feeds SET behind_since = 1");
  expect(checkFeeds(db)).toEqual([]);
  expect(setFeedEnabled(db, by, { id, enabled: true }, { now }).disabledAt).toBeNull();
  expect(dueFeeds(db)).toMatchObject([{ id }]);
  deleteFeed(db, by, { id }, { now });
  expect(listFeeds(db, by)).toEqual([]);
});

test("the files have every line with its username and rate, no # in an id, and the boxes whose capacity is known", () => {
  const { db } = store;
  setBoxCapacity(db, by, { ispId: 1, boxNumber: "B#1", capacity: { down: 1000, up: 500 } }, { now });
  expect(() => setBoxCapacity(db, by, { ispId: 1, boxNumber: "B-9", capacity: null }, { now })).toThrow(
    "no line hangs on a box B-9",
  );
  expect(() =>
    setBoxCapacity(db, by, { ispId: 1, boxNumber: "B-2", capacity: { down: 1, up: 1 } }, { now }),
  ).toThrow("check capacity");
  const { devices, network, lines, withoutRate } = shaperFiles(db, by, { ispId: 1 }, { now });
  expect(devices.split("\n")).toEqual([
    "Circuit ID,Circuit Name,Device ID,Device Name,Parent Node,Parent Node ID,Anchor Node ID,MAC,IPv4,IPv6,Download Min Mbps,Upload Min Mbps,Download Max Mbps,Upload Max Mbps,Comment",
    "gatehouse-1,gatehouse-1,gatehouse-1,gatehouse-1,B-1,gatehouse-box-B-1,,user1,10.0.0.7,,1,1,20,10,",
    "gatehouse-2,gatehouse-2,gatehouse-2,gatehouse-2,,,,user2,,,1,1,2,2,",
    "gatehouse-3,gatehouse-3,gatehouse-3,gatehouse-3,,,,user3,,,1,1,50,10000,",
    "",
  ]);
  expect(JSON.parse(network)).toEqual({
    "B-1": { downloadBandwidthMbps: 1000, uploadBandwidthMbps: 500, type: "AP", id: "gatehouse-box-B-1" },
  });
  expect([lines, withoutRate]).toEqual([3, 1]);
  const named = shaperFiles(db, by, { ispId: 1, withNames: true }, { now }).devices.split("\n")[1];
  expect(named).toStartWith('gatehouse-1,"Ann ""A"", 1",gatehouse-1,"Ann ""A"", 1",B-1,');
  setBoxCapacity(db, by, { ispId: 1, boxNumber: "B#1", capacity: null }, { now });
  expect(shaperFiles(db, by, { ispId: 1 }, { now }).network).toBe("{}\n");
});
