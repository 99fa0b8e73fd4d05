import { expect, test } from "bun:test";
import { shareTurns } from "../../../db/turns.ts";
import { TurnQueue } from "../../../src/radius/server/turn-queue.ts";
import { aSubscriber } from "../../support/isp.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";

test("one that sends a lot makes no other wait, and each comes in its own order", () => {
  const queue = new TurnQueue<string>(1000);
  for (let i = 0; i < 300; i++) queue.add(1, `a${i}`);
  for (let i = 0; i < 3; i++) queue.add(2, `b${i}`);
  queue.add(3, "c0");
  const first = queue.take(8);
  expect(first.toSorted()).toEqual(["a0", "a1", "a2", "a3", "b0", "b1", "b2", "c0"].toSorted());
  expect(queue.size).toBe(296);
  expect(queue.take(1000)).toEqual(Array.from({ length: 296 }, (_, i) => `a${i + 4}`));
  expect(queue.take(1)).toEqual([]);
});

test("nobody has more than half of the room, and all together no more than all", () => {
  const queue = new TurnQueue<number>(10);
  const drained = (sender: number, item: number) => {
    const hasRoom = queue.hasRoom(sender);
    if (hasRoom) queue.add(sender, item);
    return hasRoom;
  };
  expect(Array.from({ length: 7 }, (_, i) => drained(1, i))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  for (let i = 0; i < 5; i++) expect(drained(2, i)).toBe(true);
  expect(drained(3, 0)).toBe(false);
  queue.take(1);
  expect(drained(3, 0)).toBe(true);
});

test("more senders than turns: those left out come first the next time", () => {
  const queue = new TurnQueue<number>(100);
  for (let sender = 1; sender <= 5; sender++) for (let i = 0; i < 2; i++) queue.add(sender, sender);
  expect(queue.take(3)).toEqual([1, 2, 3]);
  expect(queue.take(3)).toEqual([4, 5, 1]);
  expect(queue.take(10).toSorted()).toEqual([2, 3, 4, 5]);
});

test("accounting stands back while a person writes, for a moment at the most", async () => {
  await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
  const waiting = new Int32Array(shareTurns(handlers.writer));
  Atomics.add(waiting, 0, 1);
  const { accountingHandler: handler } = handlers;
  const answered: Buffer[] = [];
  const { datagram } = handlers.client.prepareAccounting("Start", [
    ["User-Name", "user1"],
    ["Acct-Session-Id", "81000001"],
  ]);
  handler.receive(datagram, FROM, handlers.clock.uptime, (reply) => void answered.push(reply));
  handler.commit();
  expect({ answered, isLockedOut: handler.isLockedOut }).toEqual({ answered: [], isLockedOut: true });
  while (answered.length === 0) {
    await Bun.sleep(5);
    handler.commit();
  }
  expect(Atomics.load(waiting, 0)).toBe(1);
  expect(handler.isLockedOut).toBe(false);
});
