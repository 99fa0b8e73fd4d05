import { expect, test } from "bun:test";
import { accessThreads, accessThreadsFor } from "../../src/cli/access-threads.ts";

const GB = 1e9;

// the unit of Debian's package allows 1 GB
test.each([
  [1, 8, 1.07, 1],
  [2, 8, 1.07, 1],
  [4, 8, 1.07, 3],
  [4, 8, 8, 3],
  [4, 0.95, 0.95, 1],
  [4, 2.1, 1.07, 2],
  [4, 8, 0.2, 1],
  [64, 64, 1.07, 4],
])(
  "a machine with %d cores and %d GB, of which %d may be used, has %d",
  (cores, memory, allowed, threads) => {
    expect(accessThreadsFor({ cores, memory: memory * GB, allowed: allowed * GB })).toBe(threads);
  },
);

test("what the environment says goes before that", () => {
  expect(accessThreads({ accessThreads: 5 })).toBe(5);
  expect(accessThreads({ accessThreads: null })).toBeGreaterThan(0);
});
