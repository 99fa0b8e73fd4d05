import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { accessBox } from "../../../../src/domain/machine/access-boxes/overview.ts";
import { addAccessBox, removeAccessBox } from "../../../../src/domain/machine/access-boxes/boxes.ts";
import { closeOwnLost } from "../../../../src/domain/machine/access-boxes/hearing.ts";
import { forgetJournal, Journal } from "../../../../src/domain/machine/access-boxes/journal.ts";
import { makeRoom } from "../../../../src/domain/machine/access-boxes/make-room.ts";
import { makeBoxReport } from "../../../../src/domain/machine/access-boxes/report.ts";
import { createPlace } from "../../../../src/domain/people/places/places.ts";
import { makeNkey } from "../../../../src/nats/nkeys.ts";
import { aSubscriber, by, undoneIspStores } from "../../../support/isp.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

const DAY = 86_400;
const elapsed = { boot: "a", uptime: () => 90_000 };

/** Sessions of routers that ask this box, by when they were heard of last; one that is told by another box. */
function openSessions({ $client }: ReturnType<typeof temporaryStore>["db"], ...seenAt: number[]): void {
  const add = $client.query<unknown, [string, number, number | null]>(
    `INSERT INTO sessions (nas_address, acct_session_id, username, started_at, updated_at, via_box)
     VALUES ('127.0.0.1', ?1, 'user1', ?2, ?2, ?3)`,
  );
  for (const [nth, at] of seenAt.entries()) add.run(String(nth), at, null);
  add.run("other", 0, 2);
}

test("a box closes sessions of its own routers that nobody has told of for too long, when they were heard of last", () => {
  using store = temporaryStore();
  const { db } = store;
  openSessions(db, NOW - 30 * DAY, NOW - 60);
  expect(closeOwnLost(db, { since: NOW, now: NOW })).toBe(0);
  expect(closeOwnLost(db, { since: 0, now: NOW })).toBe(1);
  expect(
    db.$client
      .query("SELECT acct_session_id AS id, stopped_at AS at, closed_by AS closedBy FROM sessions")
      .all(),
  ).toEqual([
    { id: "0", at: NOW - 30 * DAY, closedBy: "lost" },
    { id: "1", at: null, closedBy: null },
    { id: "other", at: null, closedBy: null },
  ]);
});

test("a box forgets of its journal what the books have, the oldest first, and what is old or too much", () => {
  using store = temporaryStore();
  const { db } = store;
  for (const at of [NOW - 20 * DAY, NOW, NOW, NOW])
    new Journal(db, { elapsed, clock: () => at }).add("seen", "abc");
  const numbers = () =>
    db.$client
      .query<{ number: number }, []>("SELECT number FROM journal ORDER BY number")
      .all()
      .map(({ number }) => number);
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers();
  const forget = (home: number, bytes?: number) =>
    forgetJournal(db, { home, now: NOW, limit: 10, ...(bytes !== undefined && { bytes }) });
  expect(forget(first - 1)).toBe(0);
  expect(forget(third)).toBe(1);
  expect(numbers()).toEqual([second, third, fourth]);
  expect(forget(third)).toBe(0);
  expect(forget(third, 10)).toBe(2);
  expect(numbers()).toEqual([fourth]);
});

test("a box says how it is", () => {
  using store = temporaryStore();
  const { db, folder } = store;
  const report = () => makeBoxReport(db, { folder, version: "1", clock: () => NOW, elapsed, begun: 30_000 });
  expect(report()).toMatchObject({
    uptime: 60,
    waiting: 0,
    sessions: 0,
    loginAgo: null,
    accountingAgo: null,
  });
  openSessions(db, NOW - 70, NOW - 50);
  db.$client.run(
    "INSERT INTO auth_log (at, nas_address, username, accepted, reason) VALUES (?, '127.0.0.1', 'user1', 1, 'accepted')",
    [NOW - 5],
  );
  new Journal(db, { elapsed, clock: () => NOW }).add("seen", "abc");
  expect(report()).toMatchObject({
    waiting: 1,
    sessions: 2,
    loginAgo: 5,
    accountingAgo: 50,
    isKeyInFile: true,
  });
});

test("room for a box is made of a store that has no more than its first Admin", async () => {
  using store = temporaryStore();
  const { db, folder } = store;
  expect(makeRoom(folder, NOW)).toBeUndefined();
  const admin =
    "INSERT INTO staff (name, username, username_key, password_hash, profile_type, created_at, updated_at)";
  db.$client.run(`${admin} VALUES ('Ada', 'ada', 'ada', 'x', 1, 0, 0)`);
  db.$client.close();
  const kept = makeRoom(folder, NOW) ?? "";
  expect(existsSync(join(kept, "gatehouse.db"))).toBe(true);
  expect(existsSync(join(folder, "gatehouse.db"))).toBe(false);

  using used = await ispStore({ subscribers: [] });
  expect(makeRoom(used.folder, NOW)).toBeUndefined();
});

test("the page of a box names its ISPs and branches, and removes it by its number", async () => {
  using store = await ispStore({ subscribers: [aSubscriber(1)] });
  const { db } = store;
  const { id: branch } = createPlace(db, by, "branch", { isp_id: 1, name: "Harbour" }, { now: NOW });
  const scope = {
    isps: [1],
    branches: [
      { isp: 1, branch },
      { isp: 1, branch: 99 },
    ],
  };
  const { id } = addAccessBox(db, by, { name: "tower-1", scope }, { now: NOW, makeNkey });
  const [isp] = db.$client.query<{ name: string }, []>("SELECT name FROM isps").all();
  expect(accessBox(db, by, { id }, { now: NOW }).places).toEqual([isp?.name ?? "", "Harbour", "99"]);
  expect(removeAccessBox(db, by, { id }, { now: NOW })).toMatchObject({ name: "tower-1", removedAt: NOW });
  expect(() => removeAccessBox(db, by, { id }, { now: NOW })).toThrow(`there is no access box ${id}`);
});
