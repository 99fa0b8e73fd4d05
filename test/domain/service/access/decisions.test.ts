import { expect, test } from "bun:test";
import { decisions, decisionsNow } from "../../../../src/domain/service/access/decisions.ts";
import { fillCards } from "../../../support/cards.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";

/** 60,000 decisions of the last minutes, ten a second: one that is rare is the very first. */
const stores = undoneTemplate(async (db) => {
  await loadIsp(db);
  db.$client.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
     INSERT INTO auth_log (at, nas_id, nas_address, username, accepted, reason)
     SELECT ${NOW} - (60000 - i) / 10, 1, '127.0.0.1', printf('x%d', i % 100), i % 2, iif(i = 1, 'frozen', iif(i % 2, 'accepted', 'unknown_user')) FROM n`,
  );
});
const withCards = undoneTemplate(async (db) => {
  await loadIsp(db, { subscribers: [aSubscriber(1)] });
  fillCards(db, NOW);
});
const newest = Number.MAX_SAFE_INTEGER;

test("pages lead from the newest to the oldest, and what is rare is looked for further back page by page", async () => {
  using store = await stores();
  const first = decisions(store.db, by, {}, { limit: 2, before: newest });
  expect([first.rows.map(({ id }) => id), first.older]).toEqual([[60_000, 59_999], 59_999]);
  expect(decisions(store.db, by, {}, { limit: 2, before: 59_999 }).rows.map(({ id }) => id)).toEqual([
    59_998, 59_997,
  ]);
  const rare = decisions(store.db, by, { reason: "frozen" }, { limit: 2, before: newest });
  expect(rare).toEqual({ rows: [], older: 10_001 });
  const found = decisions(store.db, by, { reason: "frozen" }, { limit: 2, before: 10_001 });
  expect([found.rows.map(({ id }) => id), found.older]).toEqual([[1], null]);
});

test("a name counts its refusals of the hour before, and no others", async () => {
  using store = await stores();
  const [row] = decisions(store.db, by, { username: "x98" }, { limit: 1, before: newest }).rows;
  expect(row).toMatchObject({ id: 59_998, username: "x98", refusedInHour: 360 });
});

test("of a flood the last ten thousand are counted, and since when is said", async () => {
  using store = await stores();
  expect(decisionsNow(store.db, by, { now: NOW })).toEqual({
    since: NOW - 1000,
    isWhole: false,
    accepted: 5000,
    confined: 0,
    rejected: [{ reason: "unknown_user", logins: 5001 }],
    guessing: null,
  });
  store.db.$client.run("DELETE FROM auth_log WHERE id < 59901");
  expect(decisionsNow(store.db, by, { now: NOW })).toMatchObject({
    since: NOW - 3600,
    isWhole: true,
    accepted: 50,
  });
  expect(decisionsNow(store.db, by, { now: NOW + 4000 })).toMatchObject({
    isWhole: true,
    accepted: 0,
    rejected: [],
  });
});

test("a card that was let in says its package and the address that it got", async () => {
  using store = await withCards();
  store.db.$client.run("UPDATE sessions SET framed_ip = '10.0.0.7' WHERE card_id = 3");
  expect(decisions(store.db, by, {}, { limit: 1, before: newest }).rows).toMatchObject([
    { username: "C-000003", subscriberId: null, packageName: "Home 1", framedIp: "10.0.0.7" },
  ]);
});
