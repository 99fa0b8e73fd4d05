import { expect, spyOn, test } from "bun:test";
import { renameSync } from "node:fs";
import { openReader, openStore } from "../../../db/open.ts";
import { isUnsynced, shareTurns } from "../../../db/turns.ts";
import { listEvents } from "../../../src/domain/around/webhooks/events.ts";
import { changedSessions } from "../../../src/domain/service/sessions/log.ts";
import { DiskQueue } from "../../../src/radius/server/disk-queue.ts";
import type { Stored } from "../../../src/radius/server/accounting-handler.ts";
import { FakeDisk } from "../../support/fake-disk.ts";
import { aSubscriber, by } from "../../support/isp.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const subscribers = [aSubscriber(1)];

/** Handlers whose accounting leaves its syncs to a disk that the test has in its hand, and for which no time passes: it would part a transaction. */
class Served implements AsyncDisposable {
  readonly disk = new FakeDisk();
  readonly answered: number[] = [];
  readonly handlers: TestHandlers;
  readonly #time = spyOn(performance, "now").mockReturnValue(1000);
  #sent = 0;

  private constructor(handlers: TestHandlers) {
    this.handlers = handlers;
    handlers.accountingHandler.syncBy(new DiskQueue<Stored>(this.disk));
  }

  static async open(): Promise<Served> {
    return new Served(await TestHandlers.open({ subscribers }));
  }

  get handler() {
    return this.handlers.accountingHandler;
  }

  /** So many Starts, of sessions of their own, and a turn of the thread. */
  start(count: number): void {
    for (let i = 0; i < count; i++) this.send(this.#sent++);
    this.handler.commit();
  }

  /** The Start of a session, perhaps once more. */
  send(number: number): void {
    const attributes = [
      ["User-Name", "user1"],
      ["Acct-Session-Id", String(number)],
      ["Framed-IP-Address", `10.6.0.${number}`],
    ] as const;
    const { datagram } = this.handlers.client.prepareAccounting("Start", attributes);
    this.handler.receive(datagram, FROM, this.handlers.clock.uptime, () => this.answered.push(number));
  }

  get booked(): number {
    const { $client } = this.handlers.db;
    return $client.query<{ count: number }, []>("SELECT count(*) AS count FROM sessions").get()?.count ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#time.mockRestore();
    await this.handlers[Symbol.asyncDispose]();
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

test("what is committed is acknowledged when it is on the disk, and at once where nothing else came", async () => {
  await using served = await Served.open();
  served.start(1);
  expect([served.booked, served.answered, served.handler.isWaiting]).toEqual([1, [], true]);
  served.handler.commit();
  expect([served.answered, served.disk.waitedFor, served.handler.isWaiting]).toEqual([[0], 1, false]);
});

test("what comes while a sync is under way is booked meanwhile, and shares the next", async () => {
  await using served = await Served.open();
  served.start(10);
  served.start(10);
  expect([served.booked, served.answered, served.disk.begun]).toEqual([20, [], 1]);
  served.disk.end();
  served.handler.commit();
  expect([served.answered, served.disk.begun]).toEqual([upTo(10), 2]);
  served.disk.end();
  served.handler.commit();
  expect([served.answered, served.handler.isWaiting]).toEqual([upTo(20), false]);
});

test("whoever was answered sends the next at once: what was booked meanwhile is synced beside that", async () => {
  await using served = await Served.open();
  served.start(10);
  served.start(10);
  served.disk.end();
  served.start(10);
  expect([served.answered, served.disk.begun, served.booked]).toEqual([upTo(10), 2, 30]);
  served.disk.end();
  served.start(10);
  expect([served.answered, served.disk.begun, served.booked]).toEqual([upTo(20), 3, 40]);
});

test.each([
  [10, 2],
  [10, 70],
  [40, 15],
])(
  "behind %i, %i wait for the sync under way, and share a transaction with what comes until then",
  async (before, more) => {
    await using served = await Served.open();
    served.start(before);
    served.start(more);
    expect([served.booked, served.disk.begun]).toEqual([before, 1]);
    served.disk.end();
    served.start(5);
    expect([served.booked, served.answered]).toEqual([before + more + 5, upTo(before)]);
  },
);

test("where the lock is another's, what is committed is acknowledged nevertheless", async () => {
  await using served = await Served.open();
  served.start(10);
  served.handlers.db.$client.run("BEGIN IMMEDIATE");
  served.start(10);
  expect([served.answered, served.handler.isLockedOut]).toEqual([upTo(10), true]);
  served.handlers.db.$client.run("ROLLBACK");
  await served.handler.drain(60_000);
  expect(served.answered).toEqual(upTo(20));
});

test("at its end it books and acknowledges all that has come", async () => {
  await using served = await Served.open();
  served.start(10);
  served.start(10);
  served.send(20);
  await served.handler.drain(60_000);
  expect([served.answered, served.booked, served.handler.isWaiting]).toEqual([upTo(21), 21, false]);
});

test("a sync that fails acknowledges nothing that is behind it, and the repetitions once the log has no gap", async () => {
  await using served = await Served.open();
  served.start(10);
  served.start(10);
  served.disk.failure = Object.assign(new Error("EIO: fdatasync failed"), { code: "EIO" });
  served.disk.end();
  served.handler.commit();
  expect(served.answered).toEqual([]);
  expect(served.handlers.failures).toEqual([served.disk.failure]);
  expect(served.handlers.counters.all()).toContainEqual({
    nas: "core",
    kind: "Accounting-Request",
    outcome: "failed",
    count: 20,
  });
  // one that reads what was before keeps the log from being emptied
  const reader = openReader(served.handlers.store.folder);
  reader.$client.run("BEGIN");
  reader.$client.query("SELECT count(*) FROM sessions").get();
  served.handlers.db.$client.run("UPDATE subscribers SET name = 'another'");
  served.disk.failure = undefined;
  served.start(10);
  expect([served.answered, served.booked, served.handler.isLockedOut]).toEqual([[], 20, true]);
  reader.$client.close();
  await served.handler.drain(60_000);
  expect(served.answered).toEqual(upTo(30).slice(20));
  for (const number of upTo(20)) served.send(number);
  await served.handler.drain(60_000);
  expect(served.answered.toSorted((a, b) => a - b)).toEqual(upTo(30));
  expect(served.booked).toBe(30);
});

test("others know whether something is not on the disk yet", async () => {
  await using served = await Served.open();
  const main = openStore(served.handlers.store.folder, { now: NOW });
  shareTurns(served.handlers.writer, shareTurns(main));
  expect(isUnsynced(main)).toBe(false);
  served.start(10);
  expect(isUnsynced(main)).toBe(true);
  served.handler.commit();
  served.handler.commit();
  expect(isUnsynced(main)).toBe(false);
  main.$client.close();
});

test("what is told by number is on the disk first: the power takes no number back that somebody goes on from", async () => {
  await using served = await Served.open();
  const { db, writer } = served.handlers;
  shareTurns(writer, shareTurns(db));
  const readings = {
    changes: () => changedSessions(db, by, { limit: 10 }),
    events: () => listEvents(db, by, { limit: 10 }),
  };
  const log = `${db.$client.filename}-wal`;
  const outcomes = () => {
    renameSync(log, `${log}.away`); // so that a sync of it is seen
    const told = Object.entries(readings).map(([name, read]) => {
      try {
        read();
        return `${name} as it is`;
      } catch (error) {
        return `${name} ${error instanceof Error && "code" in error ? String(error.code) : "failed"}`;
      }
    });
    renameSync(`${log}.away`, log);
    return told;
  };
  expect(outcomes()).toEqual(["changes as it is", "events as it is"]);
  served.start(1);
  expect(outcomes()).toEqual(["changes ENOENT", "events ENOENT"]);
  for (const read of Object.values(readings)) read();
});
