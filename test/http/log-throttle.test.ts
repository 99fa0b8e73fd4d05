import { expect, test } from "bun:test";
import pino from "pino";
import { LogThrottle } from "../../src/http/log-throttle.ts";

function written() {
  const lines: { id: string; count: number; msg: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { lines, throttle: new LogThrottle(log) };
}

const place = { method: "GET", path: "/" };

test("what fails at one place again and again is one line, and everybody is given its id", () => {
  const { lines, throttle } = written();
  const ids = new Set<string>();
  for (let i = 0; i < 1000; i++) ids.add(throttle.failed(place, new Error(`of request ${i}`)));
  expect(lines).toHaveLength(1);
  expect([...ids]).toEqual(lines.map(({ id }) => id));
});

test("failures at different places have lines of their own", () => {
  const { lines, throttle } = written();
  const one = throttle.failed(place, new Error("a"));
  const other = throttle.failed(undefined, new TypeError("a"));
  expect(lines.map(({ id }) => id)).toEqual([one, other]);
  expect(one).not.toBe(other);
});

test("messages that look like other places fill neither the log nor the memory", () => {
  const { lines, throttle } = written();
  for (let i = 0; i < 10_000; i++) throttle.failed(place, new Error(`x\n    at f${i} (/a.ts:1:1)`));
  expect(lines.length).toBeLessThanOrEqual(101);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});

test("something thrown that is no error is told as well", () => {
  const { lines, throttle } = written();
  const id = throttle.failed(place, "text");
  expect(lines).toMatchObject([{ id, count: 1, msg: "request failed" }]);
});
