import { expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { sessions } from "../../../../db/schema.ts";
import { keepReport } from "../../../../src/domain/service/box-standing/standing.ts";
import { closeLostSessions } from "../../../../src/domain/service/sessions/sweep.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { aBoxReport, addBox } from "../../../support/access-boxes.ts";
import { by } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

type Store = ReturnType<typeof temporaryStore>;

function openSessions({ db }: Store, count: number, silentFor: number): void {
  write(db, (tx) => {
    for (let i = 0; i < count; i++) {
      const at = NOW - silentFor;
      tx.insert(sessions)
        .values({
          nasAddress: "10.0.0.1",
          acctSessionId: String(i),
          username: "sam",
          startedAt: at,
          updatedAt: at,
        })
        .run();
    }
  });
}

const open = ({ db }: Store) =>
  db.$client.query("SELECT count(*) FROM sessions WHERE stopped_at IS NULL").values()[0]?.[0];

test.each([
  [300, 3, 900, 0],
  [300, 3, 901, 1],
  [60, 5, 300, 0],
  [60, 5, 301, 1],
])(
  "interim interval %d s, %d missed, silent for %d s: %d closed",
  async (interval, missed, silent, closed) => {
    using store = temporaryStore();
    write(store.db, (tx) => {
      storeSetting(tx, "acct_interim_interval", interval);
      storeSetting(tx, "stale_session_after", missed);
    });
    openSessions(store, 1, silent);
    expect(await closeLostSessions(store.db, by, { since: 0 }, { now: NOW })).toBe(closed);
  },
);

test("while this program did not listen, nobody could tell news", async () => {
  using store = temporaryStore();
  openSessions(store, 1, 10_000);
  const sweep = (since: number) => closeLostSessions(store.db, by, { since }, { now: NOW });
  expect(await sweep(NOW)).toBe(0);
  expect(await sweep(NOW - 900)).toBe(0);
  expect(await sweep(NOW - 901)).toBe(1);
});

test("very many are closed in steps that let others write", async () => {
  using store = temporaryStore();
  openSessions(store, 1300, 10_000);
  const sweeping = closeLostSessions(store.db, by, { since: 0 }, { now: NOW });
  expect(open(store)).toBe(800);
  openSessions(store, 1, 0);
  expect(await sweeping).toBe(1300);
  expect(open(store)).toBe(1);
});

test("sessions through an access box are lost only by what the box has told", async () => {
  using store = temporaryStore();
  const { db } = store;
  const tower = addBox(db, by, "tower-1");
  const other = addBox(db, by, "tower-2");
  openSessions(store, 3, 10_000);
  write(db, (tx) => {
    tx.$client.run("UPDATE sessions SET via_box = ? WHERE acct_session_id = '0'", [tower.id]);
    tx.$client.run("UPDATE sessions SET via_box = ? WHERE acct_session_id = '1'", [other.id]);
  });
  const events = (box: string, at: number, report = {}) =>
    keepReport(db, { box, report: aBoxReport({ at, ...report }) }, at);
  const openOnes = () =>
    db.$client
      .query("SELECT acct_session_id FROM sessions WHERE stopped_at IS NULL ORDER BY 1")
      .values()
      .flat();
  const sweep = () => closeLostSessions(db, by, { since: 0 }, { now: NOW });

  // one is cut off, the other tells what it kept: only what asked here is lost
  events("tower-1", NOW - 9500);
  events("tower-2", NOW, { waiting: 1000, waitingFor: 9500 });
  expect(await sweep()).toBe(1);
  expect(openOnes()).toEqual(["0", "1"]);
  expect(db.$client.query("SELECT count(*) FROM events WHERE type = 'session.stopped'").values()).toEqual([
    [0],
  ]);

  // a box that has just begun has heard nobody yet
  events("tower-1", NOW, { uptime: 60 });
  events("tower-2", NOW);
  expect(await sweep()).toBe(1);
  expect(openOnes()).toEqual(["0"]);
  events("tower-1", NOW);
  expect(await sweep()).toBe(1);
});
