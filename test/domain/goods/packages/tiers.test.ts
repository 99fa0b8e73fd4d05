import { afterEach, beforeEach, expect, test } from "bun:test";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { createPackage, packageById, updatePackage } from "../../../../src/domain/goods/packages/packages.ts";
import { aPackage, by, loadIsp } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

let store: ReturnType<typeof temporaryStore>;
beforeEach(async () => {
  store = temporaryStore();
  await loadIsp(store.db);
});
afterEach(() => store[Symbol.dispose]());

const FIVE = "10GB 8M/8M; 20GB 6M/6M; 30GB 4M/4M; 40GB 2M/2M; 50GB 1M/1M";
const set = (input: object) =>
  updatePackage(store.db, by, { id: 1, input: { ...input } }, { now: NOW }).changed;

/** The faults by field, of what is refused as a whole. */
function faultsOf(change: () => unknown): unknown {
  try {
    change();
  } catch (error) {
    if (error instanceof DomainError) return error.fields;
    throw error;
  }
  return "nothing was refused";
}

test("five tiers are taken as they are written, in one way of writing them", () => {
  expect(set({ tiers: FIVE, fair_window: "week" })).toMatchObject({ tiers: FIVE, fairWindow: "week" });
  expect(set({ tiers: " 10000 MB  8M/8M ;\n0.02TB 6M " }).tiers).toBe("10GB 8M/8M; 20GB 6M");
  const { id: _, ...values } = aPackage(9, { name: "Best", tiers: FIVE });
  expect(createPackage(store.db, by, values, { now: NOW }).tiers).toBe(FIVE);
});

test.each([
  ["a sixth", `${FIVE}; 60GB 512k/512k`],
  ["two at one byte", "10GB 8M/8M; 10GB 4M/4M"],
  ["one before the one before", "20GB 8M/8M; 10GB 4M/4M"],
  ["no rate", "10GB"],
])("%s is refused in words, and nothing is changed", (_, tiers) => {
  expect(faultsOf(() => set({ tiers, price: "99.00" }))).toEqual({
    tiers: [expect.stringContaining("must be one to five slower rates, each with the bytes of the window")],
  });
  expect(packageById(store.db, by, 1)).toMatchObject({ tiers: null, price: 1500 });
});

test.each([
  ["hours", { hours: "daily 01:00-06:00 free" }],
  ["a slower rate until the next day", { quota_exceeded: "1M/1M", fair_window: "day" }],
])("%s needs a rate to go back to", (_, values) => {
  expect(faultsOf(() => set({ rate_limit: "", data_quota_bytes: 1000, ...values }))).toEqual({
    rate_limit: [expect.stringContaining("is needed beside tiers, hours or a slower rate")],
  });
});

test("a slower rate until the next activation, which the line then begins anew, needs none", () => {
  set({ rate_limit: "", data_quota_bytes: 1000, quota_exceeded: "1M/1M" });
  set({ quota_exceeded: "reject", fair_window: "day" });
  expect(packageById(store.db, by, 1)).toMatchObject({ rateLimit: null, fairWindow: "day" });
});
