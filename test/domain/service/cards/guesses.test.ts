import { expect, test } from "bun:test";
import { Guesses, roomForGuesses } from "../../../../src/domain/service/cards/guesses.ts";

/** So many wrong codes, each another one. */
const codes = Array.from({ length: 60_000 }, (_, nth) => `code ${nth}`);
const core = (now: number) => ({ routerId: 1, now });

test("five wrong codes hold a device to the end of its own minute, and no other", () => {
  const guesses = new Guesses();
  for (const code of codes.slice(0, 4)) guesses.add("a", code, core(103));
  expect(guesses.isHeld("a", 103)).toBe(false);
  guesses.add("a", "code 4", core(104));
  expect(guesses.isHeld("a", 162)).toBe(true);
  expect(guesses.isHeld("b", 162)).toBe(false);
  expect(guesses.isHeld("a", 163)).toBe(false);
  guesses.add("a", "code 5", core(163));
  expect(guesses.isHeld("a", 163)).toBe(false);
});

test("a clock that was set back holds nobody", () => {
  const guesses = new Guesses();
  for (const code of codes.slice(0, 5)) guesses.add("a", code, core(1000));
  expect(guesses.isHeld("a", 500)).toBe(false);
});

test("what many devices guess together is told once a minute for each router", () => {
  const guesses = new Guesses();
  const result = (router: number, now: number) =>
    Array.from({ length: 250 }, (_, nth) =>
      guesses.add(`${nth}`, `code ${router} ${now}`, { routerId: router, now }),
    ).filter(Boolean).length;
  expect([result(1, 100), result(2, 100), result(1, 130), result(1, 160)]).toEqual([1, 1, 0, 1]);
});

test("however many devices are invented, memory is bounded, and who is held stays so for a while", () => {
  const guesses = new Guesses();
  for (const code of codes.slice(0, 5)) guesses.add("a", code, core(100));
  for (const code of codes) guesses.add(`invented by ${code}`, code, core(101));
  expect(guesses.isHeld("a", 102)).toBe(true);
  for (const code of codes) guesses.add(`more by ${code}`, code, core(102));
  expect(guesses.isHeld("a", 103)).toBe(false);
});

test("the same wrong code again, as a router asks by itself, is one guess; another one between is not", () => {
  const guesses = new Guesses();
  for (let nth = 0; nth < 50; nth++) guesses.add("a", "one", core(100));
  expect(guesses.isHeld("a", 100)).toBe(false);
  for (const code of ["two", "one", "two", "one"]) guesses.add("a", code, core(100));
  expect(guesses.isHeld("a", 100)).toBe(true);
});

test("who guesses at routers of two threads is held by both", () => {
  const room = roomForGuesses(2);
  const threads = [new Guesses(room, 1), new Guesses(room, 2)];
  for (const [nth, code] of codes.slice(0, 5).entries()) threads[nth % 2]?.add("a", code, core(100));
  expect(threads.map((guesses) => guesses.isHeld("a", 101))).toEqual([true, true]);
});
