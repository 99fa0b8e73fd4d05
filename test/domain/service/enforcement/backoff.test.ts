import { expect, test } from "bun:test";
import { Backoff } from "../../../../src/domain/service/enforcement/backoff.ts";

test("a clock that is set back keeps nobody waiting for longer than the longest pause", () => {
  const now = Date.UTC(2030, 0, 15) / 1000;
  const backoff = new Backoff();
  expect(backoff.failed("router", now)).toBe(15);
  expect(backoff.isWaiting("router", now)).toBe(true);
  expect(backoff.isWaiting("router", now - 3600)).toBe(false);
  expect(backoff.isWaiting("router", now - 365 * 86_400)).toBe(false);
  expect(backoff.isWaiting("router", now + 15)).toBe(false);
});

test("what another try makes no better rests for the longest pause, and counts as new after it", () => {
  const now = Date.UTC(2030, 0, 15) / 1000;
  const backoff = new Backoff();
  backoff.rest("time", now);
  expect(backoff.isWaiting("time", now + 899)).toBe(true);
  expect(backoff.isWaiting("time", now + 900)).toBe(false);
  backoff.prune(now + 1801);
  expect(backoff.failed("time", now + 1801)).toBe(15);
});
