import { expect, test } from "bun:test";
import { BookedStarts } from "../../../src/radius/server/booked-starts.ts";

test("Starts are remembered for some seconds, and no more of all routers together than there is memory for", () => {
  const starts = new BookedStarts();
  starts.add("one", 1, 0);
  starts.add("one", 1, 1);
  expect([starts.held, starts.has("one", 1, 19), starts.has("two", 1, 0)]).toEqual([1, true, false]);
  expect([starts.has("one", 1, 40), starts.held]).toEqual([false, 0]);
  let most = 0;
  for (let router = 0; router < 256; router++)
    for (let start = 0; start < 9000; start += 1) {
      starts.add(`router ${router}`, start, 50);
      most = Math.max(most, starts.held);
    }
  expect(most).toBeGreaterThan(200_000);
  expect(most).toBeLessThanOrEqual(262_144);
  expect(starts.has("router 255", 8999, 50)).toBe(true);
  const held = starts.held;
  starts.forget("router 255");
  expect(starts.held).toBe(held - 9000);
});
