import { expect, test } from "bun:test";
import { openWriter, write } from "../../db/open.ts";
import { isps } from "../../db/schema.ts";
import { isPersonWaiting, shareTurns, standBack, untilUnlocked } from "../../db/turns.ts";
import { temporaryStore } from "../support/store.ts";

/** A store whose write lock another connection holds, until `free` is called. */
function lockedStore() {
  const store = temporaryStore();
  const other = openWriter(store.folder, { busyTimeout: 0 });
  store.db.$client.run("PRAGMA busy_timeout = 0");
  other.$client.run("BEGIN IMMEDIATE");
  return {
    db: store.db,
    other,
    free: () => void other.$client.run("ROLLBACK"),
    add: (id: number) => write(store.db, (tx) => tx.insert(isps).values({ id, name: "x" }).run()),
    ids: () => store.db.$client.query<{ id: number }, []>("SELECT id FROM isps ORDER BY id").all(),
    [Symbol.dispose]: () => {
      other.$client.close();
      store[Symbol.dispose]();
    },
  };
}

const failureOf = (promise: Promise<unknown>) => promise.then(() => "none", String);

test("what a person asks for is done whole when the lock is free, and once", async () => {
  using store = lockedStore();
  let begun = 0;
  const done = untilUnlocked(store.db, () => {
    if (++begun === 2) store.free();
    store.add(begun);
    return "done";
  });
  expect(await done).toBe("done");
  expect(store.ids()).toEqual([{ id: 2 }]);
  expect(begun).toBe(2);
});

test("an operation that ends in a promise is tried again where it had not waited for anything", async () => {
  using store = lockedStore();
  let begun = 0;
  await untilUnlocked(store.db, async () => {
    if (++begun === 3) store.free();
    store.add(7);
    await Bun.sleep(1);
  });
  expect({ begun, ids: store.ids() }).toEqual({ begun: 3, ids: [{ id: 7 }] });
});

test("what has waited for something else, or has written, is not done a second time", async () => {
  using store = lockedStore();
  let sent = 0;
  const afterSending = untilUnlocked(store.db, async () => {
    sent++;
    await Bun.sleep(1);
    store.add(1);
  });
  expect(await failureOf(afterSending)).toContain("locked");
  expect(sent).toBe(1);

  store.free();
  let begun = 0;
  const halfDone = untilUnlocked(store.db, () => {
    begun++;
    store.add(1);
    store.other.$client.run("BEGIN IMMEDIATE");
    store.add(2);
  });
  expect(await failureOf(halfDone)).toContain("locked");
  expect({ begun, ids: store.ids() }).toEqual({ begun: 1, ids: [{ id: 1 }] });
});

test("a lock that is held for seconds, and any other failure, is thrown", async () => {
  using store = lockedStore();
  expect(await failureOf(untilUnlocked(store.db, () => store.add(1)))).toContain("locked");
  let begun = 0;
  const refused = () => {
    begun++;
    throw new Error("refused");
  };
  expect(await failureOf(untilUnlocked(store.db, refused))).toContain("refused");
  expect(begun).toBe(1);
});

test("another thread's connection sees that a person writes, and stands back until it is done, but not for ever", async () => {
  using store = lockedStore();
  store.free();
  shareTurns(store.other, shareTurns(store.db));
  expect(isPersonWaiting(store.other)).toBe(false);
  await untilUnlocked(store.db, () => {
    store.ids();
    expect(isPersonWaiting(store.other)).toBe(false); // who reads is in nobody's way
    write(store.db, () => expect(isPersonWaiting(store.other)).toBe(true));
  });
  expect(isPersonWaiting(store.other)).toBe(false);

  const shared = new Int32Array(shareTurns(store.db));
  shareTurns(store.other, shared.buffer as SharedArrayBuffer);
  Atomics.add(shared, 0, 1);
  await standBack(store.other); // returns, though nobody is done
  expect(isPersonWaiting(store.other)).toBe(true);
});
