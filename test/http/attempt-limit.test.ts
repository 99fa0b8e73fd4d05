import { expect, test } from "bun:test";
import { AttemptLimit } from "../../src/http/attempt-limit.ts";

const refusal = (count: () => void): unknown => {
  try {
    return count();
  } catch (error) {
    return error;
  }
};
const tooSoon = expect.objectContaining({ kind: "too_soon" });

const hashKey = new Uint8Array(32);

/** So many attempts, by a clock that the test turns. */
function limitOf(attempts: number, maxKeys?: number) {
  const clock = { now: 1000 };
  const limit = new AttemptLimit(attempts, {
    hashKey, // one in a hundred draws counts a name of these tests too high in a flood, as it may
    elapsed: () => clock.now,
    ...(maxKeys !== undefined && { maxKeys }),
  });
  return {
    clock,
    limit,
    take: (name: string, address = "10.0.0.1") => refusal(() => limit.take(name, address)),
    check: (name: string, address = "10.0.0.1") => refusal(() => limit.check(name, address)),
  };
}

test("so many attempts, then too soon with the seconds to wait, then again", () => {
  const { clock, take, check } = limitOf(2);
  take("ada");
  clock.now += 20_000;
  take(" ADA ");
  expect(take("ada")).toMatchObject({ kind: "too_soon", retryAfter: 40 });
  expect(check("ada")).toMatchObject({ kind: "too_soon", retryAfter: 40 });
  expect(take("ada", "10.0.0.2")).toBeUndefined();
  expect(take("bob")).toBeUndefined();
  clock.now += 40_001;
  expect(check("ada")).toBeUndefined();
  expect(take("ada")).toBeUndefined();
});

test("an attempt that is given back does not count", () => {
  const { limit, take } = limitOf(2);
  for (let i = 0; i < 5; i++) {
    expect(take("ada")).toBeUndefined();
    limit.giveBack("ADA", "10.0.0.1");
  }
  limit.giveBack("ada", "10.0.0.1"); // nothing below none
  expect([take("ada"), take("ada"), take("ada")]).toEqual([undefined, undefined, tooSoon]);
});

test("memory stays bounded under a flood of names and addresses, and frees no name that is over its limit", () => {
  const { clock, limit, take } = limitOf(5, 1000);
  for (let i = 0; i < 5; i++) take("ada");
  for (let i = 0; i < 100_000; i++) {
    take(`name-${i}`, `10.${i % 200}.0.1`);
    if (i % 2 === 0) clock.now += 1; // 50 s
  }
  expect(limit.keys).toBe(1000);
  expect(take("ada")).toEqual(tooSoon);
});

test("names that come in the middle of a flood have as many attempts as any, during it and right after", () => {
  const { clock, limit, take } = limitOf(5, 1000);
  for (let i = 0; i < 100_000; i++) take(`name-${i}`, `10.${i % 200}.0.1`);
  for (let i = 0; i < 5; i++) expect(take("late")).toBeUndefined();
  expect(take("late")).toEqual(tooSoon);
  clock.now += 59_000; // the flood goes on for as long as the counts of its first names are kept
  expect(take("late")).toEqual(tooSoon);
  clock.now += 1500;
  expect(take("late")).toEqual(tooSoon);
  expect(limit.keys).toBeLessThan(1000);
  clock.now += 60_000;
  expect(take("late")).toBeUndefined();
});

test("hardly anybody is counted too high in a flood of 100,000 names", () => {
  const { check, take } = limitOf(1, 0);
  for (let i = 0; i < 100_000; i++) take(`name-${i}`, `10.${i % 200}.0.1`);
  let wronged = 0;
  for (let i = 0; i < 1000; i++) if (check(`honest-${i}`)) wronged++;
  expect(wronged).toBeLessThan(40);
});

test("the addresses of one IPv6 network count together, those of another apart", () => {
  const { take, check } = limitOf(2);
  take("ada", "2001:db8:0:1::1");
  take("ada", "2001:db8:0:1:ffff::2");
  expect(take("ada", "2001:db8:0:1::3")).toEqual(tooSoon);
  expect(check("ada", "2001:db8:0:1::4")).toEqual(tooSoon);
  expect(take("ada", "2001:db8:0:2::1")).toBeUndefined();
});
