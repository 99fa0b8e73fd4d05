import { expect, test } from "bun:test";
import type { AccessEvent } from "../../src/radius/access.ts";
import { DecisionBatches } from "../../src/radius/decision-batches.ts";

const event: AccessEvent = {
  at: 1,
  nasId: 1,
  nasAddress: "10.0.0.1",
  username: "sam",
  subscriberId: 1,
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
  for (let i = 0; i < 3; i++) batches.add(event, 1);
  expect(posted).toEqual([]);
  await Bun.sleep(100);
  batches.add(event, 2);
  batches.flush();
  batches.flush();
  expect(posted).toEqual([3, 1]);
});

test("of a flood the first 20,000 a second are kept", () => {
  let kept = 0;
  const batches = new DecisionBatches((events) => void (kept += events.length));
  let added = 0;
  for (let i = 0; i < 50_000; i++) if (batches.add(event, 1.5)) added++;
  expect(added).toBe(20_000);
  expect(kept).toBe(20_000);
  expect(batches.add(event, 2)).toBe(true);
  batches.flush();
});
