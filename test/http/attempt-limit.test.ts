import { expect, setSystemTime, test } from "bun:test";
import { AttemptLimit } from "../../src/http/attempt-limit.ts";

const refusal = (promise: Promise<void>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test("so many attempts, then too soon with the seconds to wait, then again", async () => {
  const limit = new AttemptLimit(2);
  try {
    setSystemTime(new Date("2030-01-15T12:00:00Z"));
    await limit.take("ada", "10.0.0.1");
    setSystemTime(new Date("2030-01-15T12:00:20Z"));
    await limit.take(" ADA ", "10.0.0.1");
    expect(await refusal(limit.take("ada", "10.0.0.1"))).toMatchObject({ code: "too_soon", retryAfter: 40 });
    expect(await refusal(limit.check("ada", "10.0.0.1"))).toMatchObject({ code: "too_soon", retryAfter: 40 });
    expect(await refusal(limit.take("ada", "10.0.0.2"))).toBeUndefined();
    expect(await refusal(limit.take("bob", "10.0.0.1"))).toBeUndefined();
    setSystemTime(new Date("2030-01-15T12:01:01Z"));
    expect(await refusal(limit.check("ada", "10.0.0.1"))).toBeUndefined();
    expect(await refusal(limit.take("ada", "10.0.0.1"))).toBeUndefined();
  } finally {
    setSystemTime();
  }
});

test("a clock that is set back by a year asks nobody to wait for a year", async () => {
  const limit = new AttemptLimit(1);
  try {
    setSystemTime(new Date("2030-01-15T12:00:00Z"));
    await limit.take("ada", "10.0.0.1");
    setSystemTime(new Date("2029-01-15T12:00:00Z"));
    expect(await refusal(limit.take("ada", "10.0.0.1"))).toMatchObject({ code: "too_soon", retryAfter: 60 });
  } finally {
    setSystemTime();
  }
});

test("memory stays bounded under any number of names, and the name that is tried most is kept", async () => {
  const limit = new AttemptLimit(5, 1000);
  for (let i = 0; i < 5; i++) await limit.take("ada", "10.0.0.1");
  for (let i = 0; i < 10_000; i++) {
    await limit.take(`${"x".repeat(1000)}${i}`, `10.0.1.${i % 20}`);
    if (i % 900 === 0) await refusal(limit.take("ada", "10.0.0.1"));
  }
  expect(limit.keys).toBe(1000);
  expect(await refusal(limit.take("ada", "10.0.0.1"))).toMatchObject({ code: "too_soon" });
});

test("a flood of names from one address does not make it forget a name that has no attempt left", async () => {
  const limit = new AttemptLimit(5);
  for (let i = 0; i < 5; i++) await limit.take("ada", "10.0.0.1");
  const refusals = new Set<unknown>();
  for (let i = 0; i < 25_000; i++)
    refusals.add(Object(await refusal(limit.take(`name-${i}`, "10.0.0.1"))).code);
  expect(refusals).toEqual(new Set([undefined, "too_soon"]));
  expect(await refusal(limit.take("ada", "10.0.0.1"))).toMatchObject({ code: "too_soon" });
  expect(await refusal(limit.take("ada", "10.0.0.2"))).toBeUndefined();
});

test("the addresses of one IPv6 network count together, those of another apart", async () => {
  const limit = new AttemptLimit(2);
  await limit.take("ada", "2001:db8:0:1::1");
  await limit.take("ada", "2001:db8:0:1:ffff::2");
  expect(await refusal(limit.take("ada", "2001:db8:0:1::3"))).toMatchObject({ code: "too_soon" });
  expect(await refusal(limit.check("ada", "2001:db8:0:1::4"))).toMatchObject({ code: "too_soon" });
  expect(await refusal(limit.take("ada", "2001:db8:0:2::1"))).toBeUndefined();
});
