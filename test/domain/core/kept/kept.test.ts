import { expect, test } from "bun:test";
import { keepWhenMany, MANY } from "../../../../src/domain/core/kept/kept.ts";
import { temporaryStore } from "../../../support/store.ts";

test("what is counted of many stands for its seconds, by key and store, and of few it is counted each time", () => {
  using store = temporaryStore();
  using other = temporaryStore();
  const kept = keepWhenMany<number>(60, (counted) => counted > MANY);
  let standing = MANY + 1;
  const ask = (key: string, now: number, { db } = store) => kept(db, { key, now }, () => standing);
  expect(ask("one", 1000)).toBe(MANY + 1);
  standing = 5;
  expect(ask("one", 1059)).toBe(MANY + 1);
  // a clock that was set back
  expect(ask("one", 900)).toBe(5);
  standing = 6;
  expect(ask("one", 901)).toBe(6);
  expect(ask("two", 1000)).toBe(6);
  standing = MANY + 2;
  expect([ask("one", 1000), ask("one", 1000, other)]).toEqual([MANY + 2, MANY + 2]);
  standing = 7;
  expect([ask("one", 1059), ask("one", 1060), ask("one", 1000, other)]).toEqual([MANY + 2, 7, MANY + 2]);
});
