import { expect, test } from "bun:test";
import { inBatches } from "../../src/nats/batches.ts";

const ready = () => Promise.resolve();

/** What is said one by one, until its end or a fault. */
class Recorder<T> {
  #waiting: T[] = [];
  #news = Promise.withResolvers<void>();
  #end: { error?: Error } | undefined;
  /** How many were asked for. */
  requests = 0;
  isLeft = false;

  record(...what: T[]): void {
    this.#waiting.push(...what);
    this.#news.resolve();
  }

  end(error?: Error): void {
    this.#end = error ? { error } : {};
    this.#news.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        this.requests++;
        while (this.#waiting.length === 0) {
          if (this.#end?.error) throw this.#end.error;
          if (this.#end) return;
          this.#news = Promise.withResolvers();
          await this.#news.promise;
        }
        yield this.#waiting.shift() as T;
      }
    } finally {
      this.isLeft = true;
    }
  }
}

test("what comes one by one while a batch is worked on is the next batch, as a whole", async () => {
  const text = new Recorder<number>();
  const batches: number[][] = [];
  text.record(1);
  for await (const batch of inBatches(text, { most: 500, ready })) {
    batches.push(batch);
    if (batches.length === 1)
      for (let one = 2; one <= 300; one++) {
        text.record(one);
        await Bun.sleep(0);
      }
    else text.end();
  }
  expect(batches).toEqual([[1], Array.from({ length: 299 }, (_, index) => index + 2)]);
});

test("what comes while the next batch has to wait is in it", async () => {
  const text = new Recorder<string>();
  text.record("first");
  const patiently = async () => {
    text.record("meanwhile");
    text.end();
    await Bun.sleep(1);
  };
  const batches = await Array.fromAsync(inBatches(text, { most: 500, ready: patiently }));
  expect(batches).toEqual([["first", "meanwhile"]]);
});

test("no more is taken than fits into a batch, so that who sends too much waits", async () => {
  const text = new Recorder<number>();
  text.record(...Array.from({ length: 50 }, (_, index) => index));
  const batches: number[][] = [];
  for await (const batch of inBatches(text, { most: 10, ready })) {
    await Bun.sleep(1);
    batches.push(batch);
    expect(text.requests).toBeLessThanOrEqual(10 * (batches.length + 1) + 1);
    if (batches.flat().length === 50) text.end();
  }
  expect(batches.flat()).toEqual(Array.from({ length: 50 }, (_, index) => index));
  expect(Math.max(...batches.map(({ length }) => length))).toBe(10);
});

test("what came before a fault is worked on before it is thrown", async () => {
  const text = new Recorder<number>();
  text.record(1, 2);
  text.end(new Error("lost"));
  const batches: number[][] = [];
  const work = async () => {
    for await (const batch of inBatches(text, { most: 500, ready })) batches.push(batch);
  };
  await expect(work()).rejects.toThrow("lost");
  expect(batches.flat()).toEqual([1, 2]);
});

test("who takes no more batches takes nothing more", async () => {
  const text = new Recorder<number>();
  text.record(1, 2, 3);
  for await (const _ of inBatches(text, { most: 1, ready })) break;
  text.record(4);
  await Bun.sleep(1);
  expect(text.isLeft).toBe(true);
});
