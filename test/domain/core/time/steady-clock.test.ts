import { expect, test } from "bun:test";
import { SteadyClock } from "../../../../src/domain/core/time/steady-clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

/** A clock over a wall clock and one that only goes forward, both of which the test moves; it has run for a day. */
function clocks() {
  const at = { wall: Date.UTC(2030, 0, 15, 12), elapsed: 5000 };
  const clock = new SteadyClock({ wall: () => at.wall, elapsed: () => at.elapsed });
  const pass = (milliseconds: number) => {
    at.wall += milliseconds;
    at.elapsed += milliseconds;
  };
  return { at, clock, pass };
}

/** The same, a day after its start. */
function settled() {
  const all = clocks();
  all.pass(24 * HOUR);
  all.clock.now();
  return all;
}

for (const leap of [HOUR, -HOUR, YEAR, -YEAR]) {
  test(`a leap of ${leap / HOUR} h is passed over until it has stood for an hour`, () => {
    const { at, clock, pass } = settled();
    const before = at.wall;
    at.wall += leap;
    expect(clock.now()).toBe(before);
    expect(clock.leap()).toBe(leap);
    pass(59 * MINUTE);
    expect(clock.now()).toBe(before + 59 * MINUTE);
    pass(MINUTE);
    expect(clock.now()).toBe(at.wall);
    expect(clock.leap()).toBe(0);
  });

  test(`a leap of ${leap / HOUR} h that is taken back leaves nothing behind`, () => {
    const { at, clock, pass } = settled();
    at.wall += leap;
    clock.now();
    pass(50 * MINUTE);
    at.wall -= leap;
    expect(clock.now()).toBe(at.wall);
    pass(30 * MINUTE);
    at.wall += leap;
    expect(clock.now()).toBe(at.wall - leap);
  });
}

test("a clock that is set right by minutes, or slowly, is followed", () => {
  const { at, clock, pass } = settled();
  for (const step of [4 * MINUTE, -4 * MINUTE, 1, -1]) {
    at.wall += step;
    expect(clock.now()).toBe(at.wall);
  }
  for (let i = 0; i < 100; i++) {
    pass(10_000);
    at.wall += MINUTE;
    expect(clock.now()).toBe(at.wall);
  }
});

test("a second leap begins the hour anew", () => {
  const { at, clock, pass } = settled();
  const before = at.wall;
  at.wall += YEAR;
  clock.now();
  pass(50 * MINUTE);
  at.wall += HOUR;
  clock.now();
  pass(50 * MINUTE);
  expect(clock.now()).toBe(before + 100 * MINUTE);
  pass(10 * MINUTE);
  expect(clock.now()).toBe(at.wall);
});

test("a box that learns the time after its start is believed at once", () => {
  const { at, clock, pass } = clocks();
  clock.now();
  pass(2 * MINUTE);
  at.wall += YEAR;
  expect(clock.now()).toBe(at.wall);
});

test("time that passed while nobody asked is no leap", () => {
  const { at, clock, pass } = settled();
  pass(YEAR);
  expect(clock.now()).toBe(at.wall);
});
