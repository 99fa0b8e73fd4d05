import { expect, test } from "bun:test";
import { Pace } from "../../../../src/domain/service/enforcement/pace.ts";

/** Nothing else runs meanwhile. */
function block(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

test("turns that went by while nothing ran do not come all at once", async () => {
  const pace = new Pace();
  const value: number[] = [];
  const turns = Array.from({ length: 60 }, async () => {
    await pace.turn("a");
    value.push(performance.now());
  });
  await turns[5];
  block(400);
  await Promise.all(turns);
  expect(value).toHaveLength(60);
  // 50 ms are made up for: five turns, beside the one whose time it is and the next
  const atOnce = value.map((from) => value.filter((at) => at >= from && at < from + 10).length);
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(8);
});

test("a router does not wait for the turns of another", async () => {
  const pace = new Pace();
  const waiting = Array.from({ length: 50 }, () => pace.turn("a"));
  let isFirst = false;
  void Promise.all(waiting).then(() => (isFirst = true));
  await pace.turn("b");
  expect(isFirst).toBe(false);
  await Promise.all(waiting);
});
