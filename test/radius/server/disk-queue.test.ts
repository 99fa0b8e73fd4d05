import { expect, test } from "bun:test";
import { DiskQueue } from "../../../src/radius/server/disk-queue.ts";
import { FakeDisk } from "../../support/fake-disk.ts";

test("what is committed while a sync is under way shares the next", () => {
  const disk = new FakeDisk();
  const queue = new DiskQueue<number>(disk);
  queue.begin(); // nothing to sync
  expect(disk.begun).toBe(0);
  queue.add(1);
  expect(queue.ended()).toBeUndefined(); // not begun
  queue.begin();
  queue.add(2);
  queue.add(3);
  queue.begin(); // one is under way
  expect([disk.begun, queue.ended()]).toEqual([1, undefined]);
  disk.end();
  expect(queue.ended()).toEqual({ batches: [1], failure: undefined });
  expect([queue.isUnderWay, queue.isEmpty]).toEqual([false, false]);
  queue.begin();
  disk.end();
  expect(queue.ended()).toEqual({ batches: [2, 3], failure: undefined });
  expect([disk.begun, queue.isEmpty]).toEqual([2, true]);
});

test("all that is left is synced in turn", () => {
  const disk = new FakeDisk();
  const queue = new DiskQueue<number>(disk);
  queue.add(1);
  queue.begin();
  queue.add(2);
  expect([...queue.settle()]).toEqual([
    { batches: [1], failure: undefined },
    { batches: [2], failure: undefined },
  ]);
  expect([...queue.settle()]).toEqual([]);
  expect([disk.begun, disk.waitedFor]).toEqual([1, 1]);
});

test("behind a sync that failed nothing counts that was committed since", () => {
  const disk = new FakeDisk();
  const queue = new DiskQueue<number>(disk);
  queue.add(1);
  queue.begin();
  queue.add(2);
  disk.failure = new Error("EIO");
  disk.end();
  expect(queue.ended()).toEqual({ batches: [1, 2], failure: disk.failure });
  expect(queue.isEmpty).toBe(true);
  queue.add(3);
  expect([...queue.settle()]).toEqual([{ batches: [3], failure: disk.failure }]);
});
