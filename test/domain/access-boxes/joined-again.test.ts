import { expect, test } from "bun:test";
import { type Db, write } from "../../../db/open.ts";
import { takeHome } from "../../../src/domain/access-boxes/homecoming.ts";
import { homecomings, Journal } from "../../../src/domain/access-boxes/journal.ts";
import { reportOfBox } from "../../../src/domain/access-boxes/report.ts";
import { joinBooks } from "../../../src/domain/access-boxes/boxes.ts";
import { AccountingBooks } from "../../../src/domain/sessions/accounting.ts";
import { addBox } from "../../support/access-boxes.ts";
import { aReport } from "../../support/boxes-and-books.ts";
import { by, loadIsp } from "../../support/isp.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

const elapsed = { boot: "a", uptime: () => 0 };

test("what a box tells that has joined again with another disk is booked, as what it told before", async () => {
  using books = temporaryStore();
  using first = temporaryStore();
  using second = temporaryStore();
  await loadIsp(books.db, {});
  const joining = addBox(books.db, by, "tower-1", { heardAt: null });
  const accounting = new AccountingBooks(books.db);
  const waiting = ({ db, folder }: { db: Db; folder: string }) =>
    reportOfBox(db, { folder, version: "1", clock: () => NOW, elapsed, begun: 0 }).waiting;
  const tell = (db: Db, session: number) => {
    const journal = new Journal(db, { elapsed, clock: () => NOW });
    const kept = new AccountingBooks(db, { told: (told) => journal.accounted(told) });
    const report = aReport({ acctSessionId: `8100000${session}`, nasPortId: `port ${session}` });
    const named = {
      ...report,
      nasId: null,
      framedIp: null,
      mac: `02:00:00:00:00:0${session}`,
      username: `user${session}`,
    };
    write(db, () =>
      kept.book({ kind: "session", report: named, login: named.username, ispId: 1, arrival: NOW }),
    );
  };
  const goHome = (db: Db) => {
    const { home } = db.$client.query<{ home: number }, []>("SELECT home FROM access_state").get() ?? {
      home: 0,
    };
    const rows = homecomings(db, { after: home, limit: 500, bytes: 1e6, elapsed, now: NOW });
    const take = () => {};
    const told = { box: "tower-1", after: home, rows };
    const committed = takeHome(books.db, told, { books: accounting, now: NOW, take, refused: take });
    db.$client.query("UPDATE access_state SET home = ?").run(committed?.journal ?? home);
  };
  const booked = () =>
    books.db.$client.query("SELECT acct_session_id FROM sessions ORDER BY id").values().flat();

  joinBooks(first.db, joining, { now: NOW - 86_400 });
  for (const session of [1, 2, 3]) tell(first.db, session);
  for (let times = 0; times < 3; times++) goHome(first.db);
  expect(booked()).toEqual(["81000001", "81000002", "81000003"]);

  joinBooks(second.db, joining, { now: NOW });
  expect(waiting(second)).toBe(0);
  for (const session of [4, 5]) tell(second.db, session);
  expect(waiting(second)).toBe(2);
  goHome(second.db);
  expect(waiting(second)).toBe(2);
  for (let times = 0; times < 2; times++) goHome(second.db);
  expect(waiting(second)).toBe(0);
  expect(booked()).toEqual(["81000001", "81000002", "81000003", "81000004", "81000005"]);
});
