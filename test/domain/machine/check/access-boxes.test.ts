import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { removeAccessBox } from "../../../../src/domain/machine/access-boxes/boxes.ts";
import {
  type PrimaryLinkState,
  keepLinkState,
} from "../../../../src/domain/machine/access-boxes/link-state.ts";
import { keepReport, noteRemovedSeen } from "../../../../src/domain/service/box-standing/standing.ts";
import { checkAccessBoxes } from "../../../../src/domain/machine/check/access-boxes.ts";
import { formatNear } from "../../../../src/domain/core/time/time.ts";
import { aBoxReport, addBox } from "../../../support/access-boxes.ts";
import { by, loadIsp } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const link: PrimaryLinkState = {
  at: NOW,
  isConnected: true,
  since: NOW - 600,
  waiting: 0,
  behindSince: null,
  published: 10,
  lag: 2,
  rebuiltAt: null,
  spoiltAt: null,
  reached: 0,
  behind: { changes: 0, since: null },
  booked: 0,
  claims: [],
  fault: null,
};

const messages = (db: Db, now = NOW) =>
  checkAccessBoxes(db, now).map(({ severity, message }) => `${severity} ${message}`);

test("nothing is said where there are no boxes, and that all hear where they do", () => {
  using store = temporaryStore();
  expect(messages(store.db)).toEqual([]);
  addBox(store.db, by, "tower-1");
  keepLinkState(store.db, link);
  expect(messages(store.db)).toEqual(["ok tower-1 hears these books"]);
});

test.each<[string, Partial<PrimaryLinkState>, RegExp]>([
  ["NATS is away", { isConnected: false }, /^error NATS is away since .*systemctl status nats-server$/],
  ["publishing is behind", { waiting: 800, behindSince: NOW - 90 }, /^warning 800 changes wait to be told/],
  ["the bucket was lost", { rebuiltAt: NOW - 60 }, /^warning NATS had lost .*store_dir/],
  ["somebody writes", { spoiltAt: NOW - 60 }, /^error somebody else wrote .*gatehouse box remove/],
  ["nothing runs", { at: NOW - 3600 }, /^warning nothing has told .*GATEHOUSE_NATS_URL/],
])("%s", (_, values, words) => {
  using store = temporaryStore();
  addBox(store.db, by, "tower-1");
  keepLinkState(store.db, { ...link, ...values });
  expect(messages(store.db)).toEqual([expect.stringMatching(words)]);
});

test("of each box what is wrong, and what to do", () => {
  using store = temporaryStore();
  const { db } = store;
  keepLinkState(db, link);
  addBox(db, by, "tower-1", { heardAt: NOW - 300 });
  addBox(db, by, "tower-2", { heardAt: null });
  addBox(db, by, "tower-3", { report: { at: NOW - 45 } });
  addBox(db, by, "tower-4", { report: { waiting: 900, waitingFor: 400 } });
  addBox(db, by, "tower-5", { report: { disk: { free: 3e8, total: 1e11 } } });
  expect(messages(db)).toEqual([
    expect.stringMatching(
      new RegExp(`^error tower-1 is cut off since ${formatNear(NOW - 300, NOW)}: logins go on`),
    ),
    expect.stringMatching(/^warning tower-2 was added and has not been heard; .*gatehouse box join/),
    expect.stringMatching(/^warning the clock of tower-3 is 45 s behind this one; .*timedatectl/),
    expect.stringMatching(/^warning tower-4 has 900 reports to tell, the oldest 400 s old/),
    expect.stringMatching(/^warning the disk of tower-5 has 300 MB left/),
  ]);
});

test("routers that ask the books themselves, and a box that was removed and goes on", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { subscribers: [] });
  addBox(db, by, "tower-1");
  addBox(db, by, "tower-2");
  keepLinkState(db, link);
  db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, started_at, updated_at)
     VALUES (1, '127.0.0.1', '1', 'sam', ?1, ?1)`,
    [NOW - 60],
  );
  removeAccessBox(db, by, { name: "tower-2" }, { now: NOW - 100 });
  expect(noteRemovedSeen(db, "tower-2", NOW - 10)).toBe(true);
  expect(noteRemovedSeen(db, "tower-1", NOW)).toBe(false);
  expect(keepReport(db, { box: "tower-2", report: aBoxReport() }, NOW)).toBe(false);
  expect(messages(db)).toEqual([
    expect.stringMatching(/^warning tower-2 was removed, and still signs in to NATS/),
    expect.stringMatching(
      /still tell these books of sessions themselves; .*gatehouse nas script .* --server/,
    ),
  ]);
});
