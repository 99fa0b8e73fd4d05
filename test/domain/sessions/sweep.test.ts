import { expect, test } from "bun:test";
import { write } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import { closeLostSessions } from "../../../src/domain/sessions/sweep.ts";
import { storeSetting } from "../../../src/domain/settings/settings.ts";
import { by } from "../../support/isp.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

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
