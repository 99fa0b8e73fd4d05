import { expect, test } from "bun:test";
import { Guesses } from "../../../src/domain/cards/guesses.ts";

test("five wrong codes hold a device to the end of its own minute, and no other", () => {
  const guesses = new Guesses();
  for (let nth = 0; nth < 4; nth++) guesses.add("a", 1, 100 + nth);
  expect(guesses.isHeld("a", 103)).toBe(false);
  guesses.add("a", 1, 104);
  expect(guesses.isHeld("a", 159)).toBe(true);
  expect(guesses.isHeld("b", 159)).toBe(false);
  expect(guesses.isHeld("a", 160)).toBe(false);
  guesses.add("a", 1, 160);
  expect(guesses.isHeld("a", 160)).toBe(false);
});

test("a clock that was set back holds nobody", () => {
  const guesses = new Guesses();
  for (let nth = 0; nth < 5; nth++) guesses.add("a", 1, 1000);
  expect(guesses.isHeld("a", 500)).toBe(false);
});

test("what many devices guess together is told once a minute for each router", () => {
  const guesses = new Guesses();
  const told = (router: number, now: number) =>
    Array.from({ length: 250 }, (_, nth) => guesses.add(`${nth}`, router, now)).filter(Boolean).length;
  expect([told(1, 100), told(2, 100), told(1, 130), told(1, 160)]).toEqual([1, 1, 0, 1]);
});

test("however many devices are invented, memory is bounded, and who is held stays so for a while", () => {
  const guesses = new Guesses();
  for (let nth = 0; nth < 5; nth++) guesses.add("a", 1, 100);
  for (let nth = 0; nth < 60_000; nth++) guesses.add(`invented ${nth}`, 1, 101);
  expect(guesses.isHeld("a", 102)).toBe(true);
  for (let nth = 0; nth < 60_000; nth++) guesses.add(`more ${nth}`, 1, 102);
  expect(guesses.isHeld("a", 103)).toBe(false);
});
