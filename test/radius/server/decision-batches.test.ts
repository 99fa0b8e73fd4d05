import { expect, test } from "bun:test";
import type { AccessEvent } from "../../../src/radius/auth/access.ts";
import { packEvents, unpackEvents } from "../../../src/radius/server/events.ts";
import { DecisionBatches, roomForDecisions } from "../../../src/radius/server/decision-batches.ts";

const event: AccessEvent = {
  at: 1,
  nasId: 1,
  nasAddress: "10.0.0.1",
  username: "sam",
  subscriberId: 1,
  cardId: null,
  isCardUse: false,
  accepted: true,
  reason: "accepted",
  detail: null,
  method: "pap",
  mac: null,
  class: null,
};

test("decisions are posted together, soon", async () => {
  const posted: number[] = [];
  const batches = new DecisionBatches((events) => void posted.push(events.length));
  for (let i = 0; i < 3; i++) batches.add(event, 1000);
  expect(posted).toEqual([]);
  await Bun.sleep(100);
  batches.add(event, 2000);
  batches.flush();
  batches.flush();
  expect(posted).toEqual([3, 1]);
});

test("of a flood the first 20,000 are kept, and 2,000 a second, of all threads together", () => {
  let kept = 0;
  const room = roomForDecisions();
  const threads = [1, 2].map(() => new DecisionBatches((events) => void (kept += events.length), room));
  const addAt = (seconds: number) => {
    let added = 0;
    for (let i = 0; i < 50_000; i++) if (threads[i % 2]?.add(event, seconds * 1000)) added++;
    return added;
  };
  expect(addAt(1.5)).toBe(20_000);
  expect(addAt(2)).toBe(1000);
  expect(addAt(3)).toBe(2000);
  expect(addAt(60)).toBe(20_000);
  for (const batches of threads) batches.flush();
  expect(kept).toBe(43_000);
});

test("decisions come to main as they were made", () => {
  const refused: AccessEvent = {
    ...event,
    nasId: null,
    username: 'the "one" \u2028\nbelow',
    subscriberId: null,
    cardId: 7,
    isCardUse: true,
    accepted: false,
    reason: "wrong_password",
    detail: "garbled",
    method: null,
    mac: null,
    class: null,
  };
  const made = [{ ...event, class: Buffer.from("4748310001ff", "hex") }, refused];
  expect(unpackEvents(packEvents(made))).toEqual(made);
});
