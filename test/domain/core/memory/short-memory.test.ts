import { expect, test } from "bun:test";
import { NONE, roomFor, ShortMemory } from "../../../../src/domain/core/memory/short-memory.ts";

const SIZE = { most: 1024, words: 2 };

test("an entry is found by its key in every thread, until it is over and its place is wanted", () => {
  const room = roomFor(SIZE, 2);
  const [one, other] = [new ShortMemory(room, SIZE, 1), new ShortMemory(room, SIZE, 2)];
  expect(one.hasAny).toBe(false);
  expect(other.find(7)).toBe(NONE);
  const place = one.take(7, 100);
  one.setEnd(place, 160);
  one.setWord(place, 1, 4_000_000_000);
  expect(other.hasAny).toBe(true);
  expect(other.find(7)).toBe(place);
  expect(other.find(7, place)).toBe(NONE);
  expect([other.end(place), other.word(place, 1)]).toEqual([160, 4_000_000_000]);
  expect(other.take(7, 159)).not.toBe(place);
  expect(one.take(7, 160)).toBe(place);
});

test("a text has the same number in all threads, and another in another memory", () => {
  const [room, elsewhere] = [roomFor(SIZE, 2), roomFor(SIZE, 2)];
  const hash = (of: SharedArrayBuffer, who: number) => new ShortMemory(of, SIZE, who).hash("a device");
  expect(hash(room, 1)).toBe(hash(room, 2));
  expect(hash(room, 1)).not.toBe(hash(elsewhere, 1));
});

test("bytes are kept with an entry, and given as a copy", () => {
  const memory = new ShortMemory(roomFor(SIZE), SIZE);
  const place = memory.take(1, 0);
  memory.setBytes(place, 0, Buffer.from("12345"));
  const copy = memory.bytes(place, 0, 5);
  memory.setBytes(place, 0, Buffer.from("abcde"));
  expect(Buffer.from(copy).toString()).toBe("12345");
});

test("two threads that add to the same entry at once lose nothing", async () => {
  const room = roomFor(SIZE, 3);
  const TIMES = 20_000;
  const memory = new ShortMemory(room, SIZE, 1);
  const place = memory.take(5, 0);
  memory.setWord(place, 0, 0);
  const workers = [2, 3].map((who) => {
    const script = new URL("../../../support/adding-worker.ts", import.meta.url);
    const worker = new Worker(script);
    const ended = new Promise((resolve) => worker.addEventListener("message", resolve));
    worker.postMessage({ room, size: SIZE, who, times: TIMES });
    return { worker, ended };
  });
  for (const { worker, ended } of workers) {
    await ended;
    worker.terminate();
  }
  expect(memory.word(place, 0)).toBe(2 * TIMES);
});

test("who died while others waited is waited for no longer", () => {
  const room = roomFor(SIZE, 2);
  new ShortMemory(room, SIZE, 1).hold(9);
  const other = new ShortMemory(room, SIZE, 2);
  other.hold(9);
  other.release();
  const again = new ShortMemory(room, SIZE, 1);
  again.hold(9);
  again.release();
  other.hold(9);
  other.release();
});
