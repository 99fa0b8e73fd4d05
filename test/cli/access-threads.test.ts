import { expect, test } from "bun:test";
import { accessThreads, accessThreadsFor } from "../../src/cli/access-threads.ts";

const GB = 1e9;

test.each([
  [1, 8, 1],
  [2, 8, 1],
  [4, 8, 3],
  [4, 0.95, 1],
  [4, 2.1, 2],
  [64, 4, 4],
])("a machine with %d cores and %d GB has %d", (cores, gigabytes, threads) => {
  expect(accessThreadsFor({ cores, memory: gigabytes * GB })).toBe(threads);
});

test("what the environment says goes before that", () => {
  expect(accessThreads({ accessThreads: 5 })).toBe(5);
  expect(accessThreads({ accessThreads: null })).toBeGreaterThan(0);
});
