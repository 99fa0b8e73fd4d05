import { expect, test } from "bun:test";
import pino from "pino";
import { repeat } from "../../src/jobs/repeat.ts";

function quietLog() {
  const lines: string[] = [];
  return { lines, log: pino({ base: null }, { write: (line: string) => lines.push(line) }) };
}

test("a job runs at once, and again after the pause that it returns, until it is stopped", async () => {
  const { log } = quietLog();
  let runs = 0;
  const { promise: thrice, resolve } = Promise.withResolvers<void>();
  const stop = repeat("count", log, async () => {
    if (++runs === 3) resolve();
    return 0.001;
  });
  await thrice;
  await stop();
  const stopped = runs;
  await Bun.sleep(20);
  expect(runs).toBe(stopped);
});

test("stopping waits for a run under way", async () => {
  const { log } = quietLog();
  const started = Promise.withResolvers<void>();
  let isDone = false;
  const stop = repeat("work", log, async () => {
    started.resolve();
    await Bun.sleep(20);
    isDone = true;
    return 1;
  });
  await started.promise;
  await stop();
  expect(isDone).toBe(true);
});

test("a failure is logged, and does not end the job", async () => {
  const { log, lines } = quietLog();
  const failed = Promise.withResolvers<void>();
  const stop = repeat("sweep", log, async () => {
    failed.resolve();
    throw new Error("disk full");
  });
  await failed.promise;
  await Bun.sleep(0);
  await stop();
  expect(lines.join("")).toContain("could not sweep; trying again in 15 s");
  expect(lines.join("")).toContain("disk full");
});
