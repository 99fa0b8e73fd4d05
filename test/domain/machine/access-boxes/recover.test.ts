import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bookColumns, bookKey } from "../../../../db/book-keys.ts";
import { bookTables } from "../../../../db/book-tables.ts";
import { type Db, write } from "../../../../db/open.ts";
import {
  type BookBatch,
  primaryBehind,
  noteBooked,
  readBookChanges,
} from "../../../../src/domain/machine/access-boxes/book-changes.ts";
import {
  removeAccessBox,
  sealedKeys,
  takeSealedKey,
} from "../../../../src/domain/machine/access-boxes/boxes.ts";
import { listDeeds } from "../../../../src/domain/machine/access-boxes/deeds.ts";
import { heldBecause, promotePrimary } from "../../../../src/domain/machine/access-boxes/promote.ts";
import { beginMarking, endMarking } from "../../../../src/domain/machine/access-boxes/publishing.ts";
import { putBack } from "../../../../src/domain/machine/access-boxes/put-back.ts";
import {
  declineRecovery,
  readRecovery,
  recoverPrimary,
} from "../../../../src/domain/machine/access-boxes/recover.ts";
import {
  accessState,
  keepBoxesKey,
  noteOver,
  recordSeal,
} from "../../../../src/domain/machine/access-boxes/state.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { waitForRecovery } from "../../../../src/domain/machine/backup/wait-recovery.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { AccountingWriter } from "../../../../src/domain/service/accounting/accounting.ts";
import { addBox, joinBox } from "../../../support/access-boxes.ts";
import { aSession } from "../../../support/sessions.ts";
import { aSubscriber, by, ispStore } from "../../../support/isp.ts";
import { NOW, temporaryStore, type TemporaryStore } from "../../../support/store.ts";

const now = NOW;

async function books(): Promise<TemporaryStore> {
  const store = await ispStore({ subscribers: [1, 2].map((id) => aSubscriber(id)) });
  write(store.db, (tx) => {
    keepBoxesKey(tx, Buffer.alloc(32, 7), 1);
    tx.$client.run("UPDATE access_state SET epoch = 1");
    beginMarking(tx);
  });
  return store;
}

/** A copy of the store as a backup of it that was put in place. */
function restored({ db, folder }: TemporaryStore): TemporaryStore {
  db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const backup = mkdtempSync(join(tmpdir(), "gatehouse-"));
  cpSync(folder, backup, { recursive: true });
  try {
    expect(waitForRecovery(join(backup, "gatehouse.db"), now)).toBe(true);
    return temporaryStore(backup);
  } finally {
    rmSync(backup, { recursive: true });
  }
}

function published(db: Db): BookBatch {
  const batch = readBookChanges(db);
  if (!batch) throw new Error("nothing has changed");
  noteBooked(db, batch.number);
  return JSON.parse(JSON.stringify(batch)) as BookBatch;
}

const pay = (db: Db, subscriberId: number, amount = 1500) =>
  takePayment(db, by, { subscriberId, amount, method: "cash" }, { now });

const tables = (db: Db) =>
  Object.fromEntries(
    bookTables
      .filter(({ name }) => !["audit_entries", "access_state"].includes(name))
      .map(({ name }) => {
        const key = bookKey(name).map((column) => column.name);
        return [name, db.$client.query(`SELECT * FROM ${name} ORDER BY ${key.join(", ")}`).all()];
      }),
  );

test("what was done since the backup is put back with its ids, numbers and dates, each once", async () => {
  using lost = await books();
  pay(lost.db, 1);
  const before = published(lost.db);
  using fresh = restored(lost);
  const first = pay(lost.db, 1);
  const stream = [before, published(lost.db)];
  pay(lost.db, 2, 700);
  activate(lost.db, by, { subscriberId: 2, packageId: 1 }, { now });
  reversePayment(lost.db, by, { paymentId: first.payment.id, reason: "twice" }, { now });
  write(lost.db, ({ $client }) => {
    $client.run("UPDATE subscribers SET username = 'x', username_key = 'x' WHERE id = 1");
    $client.run("UPDATE subscribers SET username = 'user1', username_key = 'user1' WHERE id = 2");
    $client.run("UPDATE services SET quota_used = 77 WHERE subscriber_id = 1");
  });
  stream.push(published(lost.db));
  write(lost.db, ({ $client }) => {
    $client.run("UPDATE subscribers SET username = 'user2', username_key = 'user2' WHERE id = 1");
    $client.run("UPDATE services SET quota_used = 0 WHERE subscriber_id = 1"); // of the boxes' journals
  });
  stream.push(published(lost.db));
  expect(primaryBehind(lost.db).changes).toBe(0);

  expect(String(heldBecause(fresh.db))).toContain("gatehouse box promote, then gatehouse recover");
  expect(() => recoverPrimary(fresh.db, by, readRecovery(fresh.db, stream), { now })).toThrow(
    "gatehouse box promote",
  );
  expect(promotePrimary(fresh.db, by, { epoch: 6 }, { now })).toBe(7);
  const recovery = readRecovery(fresh.db, stream);
  expect(recovery.gaps).toEqual([]);
  expect(listDeeds(recovery.images).map(({ type }) => type)).toContain("payment.reversed");
  expect(recoverPrimary(fresh.db, by, recovery, { now }).left).toEqual([]);
  expect(heldBecause(fresh.db)).toBeUndefined();
  expect(tables(fresh.db)).toEqual(tables(lost.db));
  // once: nothing waits any more
  expect(() => recoverPrimary(fresh.db, by, recovery, { now })).toThrow("nothing waits");
  // and the next receipt is the next
  expect(pay(fresh.db, 1).payment.number).toBe(pay(lost.db, 1).payment.number);
  expect(accessState(fresh.db)).toMatchObject({ epoch: 7, pending: null, marking: 1 });
});

test("numbers of changes go on in books that had never changed", async () => {
  using lost = await books();
  using fresh = restored(lost);
  fresh.db.$client.run("DELETE FROM sqlite_sequence WHERE name = 'book_changes'");
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  recoverPrimary(fresh.db, by, readRecovery(fresh.db, []), { now });
  pay(fresh.db, 1);
  expect(published(fresh.db).images.length).toBeGreaterThan(0);
});

test("a row of the books is more than its key, so that there is something to put back", () => {
  for (const { name } of bookTables) {
    const keys = new Set(bookKey(name).map((column) => column.name));
    expect([name, bookColumns(name).every((column) => keys.has(column))]).toEqual([name, false]);
  }
});

test("what books wrote that were over by then is left out, and what the stream lacks is said", async () => {
  using lost = await books();
  pay(lost.db, 1);
  const first = published(lost.db);
  using fresh = restored(lost);
  pay(lost.db, 1);
  const second = published(lost.db);
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  recoverPrimary(fresh.db, by, readRecovery(fresh.db, [first, second]), { now });
  pay(lost.db, 2, 9900); // nobody has told it yet
  const over = published(lost.db);
  pay(fresh.db, 1, 100);
  const third = published(fresh.db);
  using again = restored(fresh);
  pay(fresh.db, 1, 200);
  const fourth = published(fresh.db);
  promotePrimary(again.db, by, { epoch: 2 }, { now });
  const stream = [first, second, over, third, fourth];
  expect(readRecovery(again.db, stream).batches).toEqual([fourth]);
  recoverPrimary(again.db, by, readRecovery(again.db, stream), { now });
  expect(tables(again.db)).toEqual(tables(fresh.db));

  using late = restored(again);
  pay(again.db, 1);
  published(again.db);
  pay(again.db, 1);
  promotePrimary(late.db, by, { epoch: 3 }, { now });
  expect(readRecovery(late.db, [published(again.db)]).gaps).toHaveLength(1);
});

test("a migration of the restored store takes the number of no change that the stream has", async () => {
  using lost = await books();
  pay(lost.db, 1);
  const before = published(lost.db);
  using fresh = restored(lost);
  const { payment } = pay(lost.db, 1);
  const since = published(lost.db);
  // as a migration fills a new column
  for (let n = 0; n <= since.number - since.after; n++) fresh.db.$client.run("UPDATE nas SET dhcp = 0");
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  recoverPrimary(fresh.db, by, readRecovery(fresh.db, [before, since]), { now });
  expect(fresh.db.$client.query("SELECT number FROM payments WHERE id = ?").get(payment.id)).toEqual({
    number: payment.number,
  });
});

test("a backup of books that still wait to recover goes on from where the first one was", async () => {
  using lost = await books();
  pay(lost.db, 1);
  const before = published(lost.db);
  using fresh = restored(lost);
  const { payment } = pay(lost.db, 1);
  const stream = [before, published(lost.db)];
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  using again = restored(fresh);
  expect(promotePrimary(again.db, by, { epoch: 2 }, { now })).toBe(3);
  recoverPrimary(again.db, by, readRecovery(again.db, stream), { now });
  expect(again.db.$client.query("SELECT number FROM payments WHERE id = ?").get(payment.id)).toEqual({
    number: payment.number,
  });
});

test("what a newer program wrote is not put back in part", async () => {
  using lost = await books();
  using fresh = restored(lost);
  pay(lost.db, 1);
  const batch = published(lost.db);
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  const first = batch.images.find(({ row }) => row !== null);
  if (!first) throw new Error("nothing was written");
  const newer = [
    { ...first, row: { ...first.row, of_tomorrow: 1 } },
    { ...first, table: "of_tomorrow" },
  ];
  for (const image of newer)
    expect(() => readRecovery(fresh.db, [{ ...batch, images: [...batch.images, image] }])).toThrow(
      "a newer gatehouse",
    );
});

test("declined, numbers and ids go on 1,000 later", async () => {
  using lost = await books();
  const { payment } = pay(lost.db, 1);
  using fresh = restored(lost);
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  declineRecovery(fresh.db, by, { now });
  const next = pay(fresh.db, 1).payment;
  expect(next.id).toBe(payment.id + 1001);
  expect(next.number).toMatch(/1002$/);
});

test("declined, a series that had begun anew, or for the first time, since the backup gives out none of its numbers again", async () => {
  using lost = await books();
  const { payment } = pay(lost.db, 1);
  using empty = await books();
  const nextYear = now + 366 * 86_400;
  for (const [store, at] of [[lost, nextYear] as const, [empty, now] as const]) {
    using fresh = restored(store);
    const after = takePayment(store.db, by, { subscriberId: 2, amount: 100, method: "cash" }, { now: at });
    promotePrimary(fresh.db, by, { epoch: 1 }, { now: at });
    declineRecovery(fresh.db, by, { now: at });
    const next = takePayment(fresh.db, by, { subscriberId: 2, amount: 100, method: "cash" }, { now: at });
    expect(next.payment.number).toBe(after.payment.number.replace(/-000001$/, "-001001"));
    expect(next.payment.id).toBeGreaterThan(1000);
  }
  expect(payment.id).toBe(1);
});

test("where the stream lacks something, no number of what it lacks is given out again", async () => {
  using lost = await books();
  pay(lost.db, 1);
  const before = published(lost.db);
  using fresh = restored(lost);
  const { payment } = pay(lost.db, 1);
  published(lost.db); // and nats-server lost it
  write(lost.db, ({ $client }) => $client.run("UPDATE subscribers SET name = 'Ann' WHERE id = 2"));
  const stream = [before, published(lost.db)];
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  expect(recoverPrimary(fresh.db, by, readRecovery(fresh.db, stream), { now }).left).toEqual([]);
  const next = pay(fresh.db, 1).payment;
  expect(next.number).not.toBe(payment.number);
  expect(next.number).toMatch(/1002$/);
  expect(next.id).toBeGreaterThan(payment.id + 900);
  // and the stream has it from there on
  using again = restored(lost);
  promotePrimary(again.db, by, { epoch: 2 }, { now });
  recoverPrimary(again.db, by, readRecovery(again.db, [...stream, published(fresh.db)]), { now });
  expect(pay(again.db, 1).payment.number).toMatch(/[12]003$/);
});

test("what was done while there was no box is said to be missing", async () => {
  using lost = await books();
  pay(lost.db, 1);
  const before = published(lost.db);
  using fresh = restored(lost);
  write(lost.db, endMarking);
  const { payment } = pay(lost.db, 1);
  write(lost.db, beginMarking);
  pay(lost.db, 2, 700);
  const stream = [before, published(lost.db)];
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  const recovery = readRecovery(fresh.db, stream);
  expect(recovery.gaps).toHaveLength(1);
  recoverPrimary(fresh.db, by, recovery, { now });
  expect(pay(fresh.db, 1).payment.number).not.toBe(payment.number);
});

test("declined, boxes that have a later key than the backup take the one that follows", async () => {
  using lost = await books();
  using tower = temporaryStore();
  joinBox(tower.db, addBox(lost.db, by, "tower-1", { heardAt: null }));
  addBox(lost.db, by, "tower-2", { heardAt: null });
  using fresh = restored(lost);
  const tell = (db: Db) =>
    sealedKeys(db)
      .filter(({ name }) => name === "tower-1")
      .map(({ bytes }) => takeSealedKey(tower.db, bytes));
  removeAccessBox(lost.db, by, { name: "tower-2" }, { now });
  expect(tell(lost.db)).toEqual([true]);
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  declineRecovery(fresh.db, by, { now });
  expect(tell(fresh.db)).toEqual([true]);
  const sealed = recordSeal(fresh.db)?.seal("a", { epoch: 1, number: 1, isGone: false }, "told");
  expect(recordSeal(tower.db)?.open("a", sealed ?? new Uint8Array())).toBe("told");
});

test("addresses that two subscribers have exchanged since are put back", async () => {
  using lost = await books();
  lost.db.$client.run(
    "INSERT INTO address_pools (isp_id, name, range, created_at) VALUES (1, 'p', '10.9.0.0/24', 0)",
  );
  const give = (id: number, ip: string | null) =>
    write(lost.db, ({ $client }) =>
      $client.run(
        "UPDATE subscribers SET pool_ip = ?1, pool_ip_from = iif(?1 IS NULL, NULL, 1) WHERE id = ?2",
        [ip, id],
      ),
    );
  give(1, "10.9.0.1");
  give(2, "10.9.0.2");
  const before = published(lost.db);
  using fresh = restored(lost);
  give(1, null);
  give(2, "10.9.0.1");
  give(1, "10.9.0.2");
  pay(lost.db, 1);
  const stream = [before, published(lost.db)];
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  expect(recoverPrimary(fresh.db, by, readRecovery(fresh.db, stream), { now }).left).toEqual([]);
  expect(tables(fresh.db)).toEqual(tables(lost.db));
});

test("old books that are to count again give out no number that the others have given out", async () => {
  using old = await books();
  pay(old.db, 1);
  const before = published(old.db);
  using fresh = restored(old);
  promotePrimary(fresh.db, by, { epoch: 1 }, { now });
  recoverPrimary(fresh.db, by, readRecovery(fresh.db, [before]), { now });
  const { payment } = pay(fresh.db, 2);
  write(old.db, (tx) => noteOver(tx, now));
  promotePrimary(old.db, by, { epoch: 2 }, { now });
  const next = pay(old.db, 1).payment;
  expect(next.number).not.toBe(payment.number);
  expect(next.id).not.toBe(payment.id);
});

test("what was used before an activation is not counted in the period that begins with it", async () => {
  using store = await books();
  const { db } = store;
  db.$client.run("UPDATE services SET quota_total = 5000, quota_used = 0, activated_at = ?", [now]);
  const accounting = new AccountingWriter(db);
  const account = (status: "start" | "interim", at: number, inputOctets: number) =>
    write(db, () => {
      const report = { ...aSession(), status, at, sessionTime: 60, inputOctets, outputOctets: 0, nasId: 1 };
      const received = { ...report, octetsAre32Bit: false, terminateCause: undefined };
      accounting.book({ kind: "session", report: received, login: "user1", ispId: 1, arrival: now + 900 });
    });
  account("start", now - 120, 0);
  account("interim", now - 60, 1000);
  account("interim", now + 60, 1700);
  expect(db.$client.query("SELECT quota_used AS used FROM services WHERE subscriber_id = 1").get()).toEqual({
    used: 700,
  });
});

test("codes that open an account once are published under the hex of their bytes, put back, and gone when they are", async () => {
  using store = await books();
  using copy = restored(store);
  const rows = ({ db }: TemporaryStore) =>
    db.$client.query("SELECT staff_id, hex(code_hash) AS code FROM staff_recovery_codes ORDER BY code").all();
  const insert = "INSERT INTO staff_recovery_codes (staff_id, code_hash) VALUES (1, ?)";
  for (const byte of [1, 2]) store.db.$client.query(insert).run(Buffer.alloc(32, byte));
  const made = published(store.db);
  expect(made.images.map(({ table }) => table)).toEqual(["staff_recovery_codes", "staff_recovery_codes"]);
  write(copy.db, (tx) => putBack(tx, made.images));
  expect(rows(copy)).toEqual(rows(store));
  store.db.$client.query("DELETE FROM staff_recovery_codes WHERE code_hash = ?").run(Buffer.alloc(32, 1));
  const gone = published(store.db);
  write(copy.db, (tx) => putBack(tx, gone.images));
  expect(rows(copy)).toEqual(rows(store));
  expect(rows(copy)).toHaveLength(1);
});
