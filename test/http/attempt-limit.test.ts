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

test("memory stays bounded under any number of names, and the name that is tried most is kept", async () => {
  const limit = new AttemptLimit(5, 1000);
  for (let i = 0; i < 5; i++) await limit.take("ada", "10.0.0.1");
  for (let i = 0; i < 10_000; i++) {
    await limit.take(`${"x".repeat(1000)}${i}`, "10.0.0.1");
    if (i % 900 === 0) await refusal(limit.take("ada", "10.0.0.1"));
  }
  expect(limit.keys).toBe(1000);
  expect(await refusal(limit.take("ada", "10.0.0.1"))).toMatchObject({ code: "too_soon" });
});
