import { expect, test } from "bun:test";
import { FairQueue } from "../../../../src/domain/people/staff/fair-queue.ts";

const attacker = "198.51.100.7";
const subscriber = "203.0.113.9";

/** A queue whose turns are ended one after the other by the test, and who had them. */
function aQueue(maxWaiting: number) {
  const queue = new FairQueue({ atOnce: 1, maxWaiting });
  const served: string[] = [];
  const refused: string[] = [];
  const ends: ((outcome: { isRight: boolean }) => void)[] = [];
  return {
    served,
    refused,
    ask: async (source: string) => {
      try {
        const { end } = await queue.turn(source);
        served.push(source);
        ends.push(end);
      } catch {
        refused.push(source);
      }
    },
    /** Ends the turn that runs; the next begins. */
    next: async (isRight: boolean) => {
      ends.shift()?.({ isRight });
      await Bun.sleep(0);
    },
  };
}

test("whoever was wrong before waits behind those who were not", async () => {
  const { ask, next, served } = aQueue(100);
  void ask(attacker);
  await Bun.sleep(0);
  for (let i = 0; i < 50; i++) void ask(attacker);
  void ask(subscriber);
  await next(false);
  await next(true);
  expect(served).toEqual([attacker, subscriber, attacker]);
});

test("when too many wait, one that failed most is refused, and nobody else", async () => {
  const { ask, served, refused, next } = aQueue(10);
  for (let i = 0; i < 30; i++) void ask(attacker);
  for (let i = 0; i < 5; i++) void ask(`203.0.113.${i}`);
  await Bun.sleep(0);
  expect(new Set(refused)).toEqual(new Set([attacker]));
  expect(refused).toHaveLength(24);
  for (let i = 0; i < 11; i++) await next(false);
  expect(served.filter((source) => source !== attacker)).toHaveLength(5);
});

test("whoever was right before goes first, also when as many others as may wait are unknown", async () => {
  const { ask, served, refused, next } = aQueue(10);
  void ask(subscriber);
  await Bun.sleep(0);
  await next(true);
  for (let i = 0; i < 200; i++) void ask(`198.51.100.${i}`);
  for (let i = 0; i < 5; i++) void ask(subscriber);
  await Bun.sleep(0);
  expect(refused).not.toContain(subscriber);
  for (let i = 0; i < 5; i++) await next(true);
  expect(served.slice(2)).toEqual(Array.from({ length: 5 }, () => subscriber));
});

test("a thousand sources that were wrong do not keep one out that was not", async () => {
  const { ask, served, refused, next } = aQueue(10);
  for (let round = 0; round < 3; round++)
    for (let i = 0; i < 1000; i++) {
      void ask(`198.18.${i >> 8}.${i & 255}`);
      if (i % 3 === 0) await next(false);
    }
  void ask(subscriber);
  await next(false);
  expect(refused).not.toContain(subscriber);
  for (let i = 0; i < 12 && !served.includes(subscriber); i++) await next(false);
  expect(served).toContain(subscriber);
});

test("the addresses of one IPv6 network are one source", async () => {
  const { ask, next, served } = aQueue(100);
  void ask("2001:db8::1");
  await Bun.sleep(0);
  for (let i = 0; i < 20; i++) void ask(`2001:db8::${i}:1`);
  void ask(subscriber);
  await next(false);
  expect(served).toEqual(["2001:db8::1", subscriber]);
});
