import { expect, test } from "bun:test";
import { secondsToDaySums } from "../../src/domain/money/sums/pause.ts";
import { aSubscriber, ispStore } from "../support/isp.ts";
import { NOW } from "../support/store.ts";

test("the day is summed each minute while there are few subscribers, then just before each full hour", async () => {
  using store = await ispStore({ subscribers: [aSubscriber(1), aSubscriber(2001)] });
  expect(secondsToDaySums(store.db, NOW)).toBe(3570);
  expect(secondsToDaySums(store.db, NOW + 3000)).toBe(570);
  expect(secondsToDaySums(store.db, NOW + 3580)).toBe(3590);
  using small = await ispStore({ subscribers: [aSubscriber(1)] });
  expect(secondsToDaySums(small.db, NOW)).toBe(60);
});
