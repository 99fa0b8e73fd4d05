import { expect, test } from "bun:test";
import pino from "pino";
import { type Job, Jobs } from "../../src/jobs/repeat.ts";

/** Jobs that have been started, and what they have logged. */
function started(...list: Job[]) {
  const lines: string[] = [];
  const jobs = new Jobs(pino({ base: null }, { write: (line: string) => lines.push(line) }));
  jobs.start(list);
  return { lines, jobs };
}

test("a job runs at once, and again after its pause, until it is stopped", async () => {
  let runs = 0;
  const { promise: thrice, resolve } = Promise.withResolvers<void>();
  const run = () => {
    if (++runs === 3) resolve();
  };
  const { jobs } = started({ what: "count", every: 0.001, run });
  await thrice;
  await jobs.stop();
  const stopped = runs;
  await Bun.sleep(20);
  expect(runs).toBe(stopped);
});

test("a job whose first run is later does not run at once", async () => {
  const order: string[] = [];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const { jobs } = started(
    { what: "be later", every: 0.05, isFirstLater: true, run: () => (order.push("later"), resolve()) },
    { what: "be first", every: () => 60, run: () => void order.push("first") },
  );
  await done;
  await jobs.stop();
  expect(order).toEqual(["first", "later"]);
});

test("stopping tells a run under way, and waits for it", async () => {
  const begun = Promise.withResolvers<void>();
  let isDone = false;
  const run = async (signal: AbortSignal) => {
    begun.resolve();
    while (!signal.aborted) await Bun.sleep(1);
    await Bun.sleep(20);
    isDone = true;
  };
  const { jobs } = started({ what: "work", every: 1, run });
  await begun.promise;
  await jobs.stop();
  expect(isDone).toBe(true);
});

test("a failure is logged, and does not end the job", async () => {
  const failed = Promise.withResolvers<void>();
  const run = async () => {
    failed.resolve();
    throw new Error("disk full");
  };
  const { jobs, lines } = started({ what: "sweep", every: 1, run });
  await failed.promise;
  await Bun.sleep(0);
  await jobs.stop();
  expect(lines.join("")).toContain("could not sweep; trying again in 15 s");
  expect(lines.join("")).toContain("disk full");
});

test("a job that finds the store locked is tried again a second later, and no error is logged", async () => {
  let runs = 0;
  const again = Promise.withResolvers<void>();
  const run = () => {
    if (++runs === 2) return again.resolve();
    throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
  };
  const { jobs, lines } = started({ what: "sweep", every: 60, run });
  await again.promise;
  await jobs.stop();
  expect(lines).toEqual([]);
});

test("jobs that were never started are stopped", async () => {
  await started().jobs.stop();
});
