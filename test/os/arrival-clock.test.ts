import { expect, test } from "bun:test";
import { ArrivalClock } from "../../src/os/arrival-clock.ts";

/** What is read at a time of both clocks; `set` sets that of the wall. */
function clocks() {
  const now = { wall: 1_900_000_000_000, elapsed: 5000 };
  const clock = new ArrivalClock({ wall: () => now.wall, elapsed: () => now.elapsed });
  return {
    now,
    pass: (milliseconds: number) => {
      now.wall += milliseconds;
      now.elapsed += milliseconds;
    },
    set: (milliseconds: number) => {
      now.wall += milliseconds;
    },
    waited: (stamp: number) => {
      clock.look();
      return clock.since(stamp);
    },
  };
}

test("what was stamped has waited since then", () => {
  const { now, pass, waited } = clocks();
  const stamp = now.wall;
  expect(waited(stamp)).toBe(0);
  pass(300);
  expect(waited(stamp)).toBe(300);
  pass(10_000);
  expect(waited(stamp)).toBe(10_300);
  expect(waited(now.wall + 3)).toBe(0); // it came after the look
});

test.each([3_600_000, 400, -400, -3_600_000])("a clock that is set by %d ms makes nothing old", (leap) => {
  const { now, pass, set, waited } = clocks();
  const before = now.wall;
  pass(200);
  set(leap);
  const between = now.wall; // came after the clock was set, before anybody noticed
  pass(50);
  expect(waited(before)).toBe(0);
  expect(waited(between)).toBe(0);
  const after = now.wall;
  pass(700);
  expect(waited(before)).toBeLessThanOrEqual(950);
  expect(waited(after)).toBe(700);
});

test("a clock that is slewed is still one to go by", () => {
  const { now, pass, set, waited } = clocks();
  const stamp = now.wall;
  for (let i = 0; i < 20; i++) {
    pass(100);
    set(1);
    waited(stamp);
  }
  expect(waited(stamp)).toBe(2020);
});
