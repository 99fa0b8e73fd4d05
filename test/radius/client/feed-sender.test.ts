import { afterEach, beforeEach, expect, test } from "bun:test";
import { write } from "../../../db/open.ts";
import {
  createFeed,
  deleteFeed,
  listFeeds,
  setFeedEnabled,
  updateFeed,
} from "../../../src/domain/around/feeds/feeds.ts";
import { storeSetting } from "../../../src/domain/core/settings/settings.ts";
import { checkFeeds } from "../../../src/domain/machine/check/feeds.ts";
import { FeedSender } from "../../../src/radius/client/feed-sender.ts";
import { aPackage, aSubscriber, by, undoneIspStores } from "../../support/isp.ts";
import { eventually } from "../../support/radius-server.ts";
import { insertSessions } from "../../support/sessions.ts";
import { Shaper } from "../../support/shaper.ts";
import { NOW, type TemporaryStore } from "../../support/store.ts";

const ispStore = undoneIspStores();

/* A shaper hears of each session what the books say of it, with the rate in force. */

const SECRET = "shaper-secret-Kestrel";
let store: TemporaryStore;
let shaper: Shaper;
let now = NOW;
const senders: FeedSender[] = [];

beforeEach(async () => {
  now = NOW;
  store = await ispStore({
    packages: [
      aPackage(2, { tiers: "1GB 2M/4M" }),
      aPackage(3, { hours: "daily 00:00-23:59 5M/6M" }),
      aPackage(4, { expired_address_list: "late" }),
      aPackage(5, { rate_limit: "0/20M 0/30M 0/10M 8/8" }),
    ],
    subscribers: [1, 2, 3, 4, 5].map((id) => aSubscriber(id, { package_id: id })),
  });
  shaper = await Shaper.start(SECRET);
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
  await shaper[Symbol.asyncDispose]();
  store[Symbol.dispose]();
});

function feed(nasIds: number[] | null = null, port = shaper.port) {
  const input = { isp_id: 1, name: "lq", address: "127.0.0.1", port, secret: SECRET };
  return createFeed(store.db, by, { ...input, router_ids: nasIds?.join(",") ?? "all" }, { now });
}

function sender(): FeedSender {
  const failed = (error: unknown) => {
    throw error;
  };
  const made = new FeedSender({ db: store.db, by, clock: () => now, failed });
  senders.push(made);
  return made;
}

/** Looks each moment, as its job does each second, until it is so. */
const until = (work: FeedSender, isSo: () => boolean) =>
  eventually(() => {
    work.run();
    return isSo();
  });

const open = (id: number, values: object = {}) =>
  insertSessions(store.db, {
    username: `user${id}`,
    subscriberId: id,
    acctSessionId: `8100000${id}`,
    framedIp: `10.5.0.${id}`,
    ...values,
  })[0]?.id ?? 0;

const rates = () =>
  Object.fromEntries(
    [...shaper.circuits.values()].map(({ username, upload, download }) => [username, [upload, download]]),
  );

test("a session is told under our own number with its addresses, given ones too, and is gone after its end", async () => {
  store.db.$client.run("UPDATE subscribers SET delegated_ipv6_prefix = '2001:db8:1::/56' WHERE id = 1");
  feed();
  const work = sender();
  work.run();
  const id = open(1, { mac: "AA:BB:CC:00:00:01", nasIp: "10.0.0.1", framedIpv6Prefix: "2001:db8::/64" });
  expect(await until(work, () => shaper.circuits.size === 1)).toBe(true);
  expect([...shaper.circuits]).toEqual([
    [
      `10.0.0.1 ${id}`,
      {
        username: "user1",
        mac: "AA:BB:CC:00:00:01",
        nas: "10.0.0.1",
        ip: "10.5.0.1",
        prefixes: ["004020010db800000000", "003820010db8000100"],
        upload: 10_000_000,
        download: 20_000_000,
      },
    ],
  ]);
  store.db.$client.run("UPDATE sessions SET stopped_at = ?, closed_by = 'lost' WHERE id = ?", [now, id]);
  expect(await until(work, () => shaper.circuits.size === 0)).toBe(true);
  expect(shaper.taken).toEqual({ start: 0, interim: 1, stop: 1, other: 0 });
  expect(shaper.refused).toEqual([]);
});

test("the rate is the one in force, by tier, hours and walled garden, and a change of it is told at once", async () => {
  for (const id of [1, 2, 3, 4, 5]) open(id);
  feed();
  const work = sender();
  expect(await until(work, () => shaper.circuits.size === 5)).toBe(true);
  const plain = [10_000_000, 20_000_000];
  expect(rates()).toEqual({
    user1: plain,
    user2: plain,
    user3: [5_000_000, 6_000_000],
    user4: plain,
    user5: [10_000_000_000, 20_000_000],
  });
  store.db.$client.run(
    "UPDATE services SET quota_used = 2000000000, free_bytes = free_bytes WHERE subscriber_id = 2",
  );
  store.db.$client.run("UPDATE services SET expires_at = ? WHERE subscriber_id IN (1, 4)", [now - 1]);
  store.db.$client.run("UPDATE services SET hours = NULL WHERE subscriber_id = 3");
  write(store.db, (tx) => storeSetting(tx, "garden_rate", "256k/512k"));
  const garden = [256_000, 512_000];
  expect(
    await until(work, () =>
      Bun.deepEquals(rates(), {
        user1: garden,
        user2: [2_000_000, 4_000_000],
        user3: plain,
        user4: garden,
        user5: [10_000_000_000, 20_000_000],
      }),
    ),
  ).toBe(true);
});

test("a report of the router goes on, and an open session is told again after 300 s whatever it sends", async () => {
  const id = open(1);
  feed();
  const work = sender();
  expect(await until(work, () => shaper.taken.interim === 1)).toBe(true);
  store.db.$client.run("UPDATE sessions SET updated_at = ?, input_octets = 6000000000 WHERE id = ?", [
    now,
    id,
  ]);
  expect(await until(work, () => shaper.taken.interim === 2)).toBe(true);
  now += 299;
  for (let looks = 0; looks < 5; looks++) work.run();
  expect(shaper.taken.interim).toBe(2);
  now += 1;
  expect(await until(work, () => shaper.taken.interim === 3)).toBe(true);
});

test("of one router alone, until all are named, and of none of another ISP", async () => {
  const other = insertSessions(store.db, {
    nasId: 2,
    username: "else",
    subscriberId: null,
    acctSessionId: "8x",
  });
  open(1);
  const { id } = feed([1]);
  const work = sender();
  expect(await until(work, () => shaper.circuits.size === 1)).toBe(true);
  store.db.$client.run("DELETE FROM feed_routers"); // its router is removed
  expect(await until(work, () => shaper.circuits.size === 0)).toBe(true);
  updateFeed(store.db, by, { id, input: { router_ids: "all" } }, { now });
  expect(await until(work, () => shaper.circuits.size === 1)).toBe(true);
  expect(other).toHaveLength(1);
  setFeedEnabled(store.db, by, { id, enabled: false }, { now });
  const { interim } = shaper.taken;
  open(2);
  for (let turns = 0; turns < 3; turns++) work.run();
  setFeedEnabled(store.db, by, { id, enabled: true }, { now });
  expect(await until(work, () => shaper.circuits.size === 2)).toBe(true);
  expect(shaper.taken.interim - interim).toBeLessThanOrEqual(2);
  deleteFeed(store.db, by, { id }, { now });
  work.run();
  expect(listFeeds(store.db, by)).toEqual([]);
});

test("after a restart of ours everybody who is open is told, and who ended meanwhile", async () => {
  const [first, second] = [open(1), open(2)];
  feed();
  const before = sender();
  expect(await until(before, () => shaper.circuits.size === 2)).toBe(true);
  await before.stop();
  senders.length = 0;
  store.db.$client.run("UPDATE sessions SET stopped_at = ?, closed_by = 'stop' WHERE id = ?", [now, first]);
  const third = open(3);
  expect(await until(sender(), () => shaper.circuits.size === 2 && shaper.taken.stop === 1)).toBe(true);
  expect([...shaper.circuits.keys()].sort()).toEqual([`127.0.0.1 ${second}`, `127.0.0.1 ${third}`]);
});

test("a shaper that begins anew hears of everybody once it answers, and the check says how far it is behind meanwhile", async () => {
  for (const id of [1, 2, 3, 4, 5]) open(id);
  const { port } = shaper;
  feed();
  const work = sender();
  expect(await until(work, () => shaper.circuits.size === 5)).toBe(true);
  await shaper[Symbol.asyncDispose]();
  store.db.$client.run("UPDATE services SET rate_limit = '1M/1M' WHERE subscriber_id = 1");
  expect(await until(work, () => listFeeds(store.db, by)[0]?.silentSince !== null)).toBe(true);
  expect(checkFeeds(store.db)).toEqual([]);
  now += 70;
  expect(await until(work, () => listFeeds(store.db, by)[0]?.behindSince !== null)).toBe(true);
  expect(checkFeeds(store.db)[0]).toMatchObject({ severity: "warning", subject: "feeds" });
  shaper = await Shaper.start(SECRET, port);
  expect(await until(work, () => shaper.circuits.size === 5)).toBe(true);
  expect(rates()["user1"]).toEqual([1_000_000, 1_000_000]);
  expect(await until(work, () => listFeeds(store.db, by)[0]?.behindSince === null)).toBe(true);
});
