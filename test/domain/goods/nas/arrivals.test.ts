import { expect, test } from "bun:test";
import { type Arrived, Arrivals } from "../../../../src/domain/goods/nas/arrivals.ts";
import { NOW } from "../../../support/store.ts";

const packet = (more: Partial<Arrived> = {}): Arrived => ({
  kind: "unknown",
  address: "10.0.0.9",
  nasId: null,
  count: 1,
  first: NOW,
  last: NOW,
  ahead: null,
  ...more,
});

test("what came from an address is put together by kind, with the first and the last time", () => {
  const arrivals = new Arrivals();
  const router = { address: "10.0.0.1", nasId: 1 };
  arrivals.add([
    packet({ ...router, kind: "wrong_secret", count: 3, last: NOW + 2 }),
    packet({ ...router, kind: "wrong_secret", count: 2, first: NOW + 5, last: NOW + 9 }),
    packet({ ...router, kind: "accounting", ahead: -4, last: NOW + 3 }),
  ]);
  const { kinds, clock, addresses } = arrivals.ofRouter(1);
  expect(kinds.get("wrong_secret")).toEqual({ count: 5, first: NOW, last: NOW + 9 });
  expect(clock).toEqual({ ahead: -4, at: NOW + 3 });
  expect(addresses).toEqual(["10.0.0.1"]);
  expect(arrivals.ofRouter(2).kinds.size).toBe(0);
});

test("the routers of a network are one, as they were heard of", () => {
  const arrivals = new Arrivals();
  const of = (address: string, last: number) => packet({ address, nasId: 3, kind: "signed", last });
  arrivals.add([of("10.0.0.1", NOW), of("10.0.0.2", NOW + 1), of("10.0.0.1", NOW + 2)]);
  expect(arrivals.ofRouter(3).addresses).toEqual(["10.0.0.2", "10.0.0.1"]);
  expect(arrivals.ofRouter(3).kinds.get("signed")).toEqual({ count: 3, first: NOW, last: NOW + 2 });
});

test("strangers are told newest first, and one that becomes a router begins anew", () => {
  const arrivals = new Arrivals();
  arrivals.add([
    packet(),
    packet({ address: "10.0.0.8", last: NOW + 60 }),
    packet({ address: "10.0.0.7", last: NOW - 900 }),
    packet({ count: 4, last: NOW + 61 }),
  ]);
  expect(arrivals.strangers(NOW - 600)).toEqual([
    { address: "10.0.0.9", count: 5, first: NOW, last: NOW + 61 },
    { address: "10.0.0.8", count: 1, first: NOW, last: NOW + 60 },
  ]);
  arrivals.add([packet({ nasId: 1, kind: "signed", first: NOW + 70, last: NOW + 70 })]);
  expect(arrivals.strangers(NOW).map(({ address }) => address)).toEqual(["10.0.0.8"]);
  expect([...arrivals.ofRouter(1).kinds]).toEqual([
    ["signed", { count: 1, first: NOW + 70, last: NOW + 70 }],
  ]);
});

test("a flood of invented addresses takes no more memory than there is for it, and leaves routers alone", () => {
  const arrivals = new Arrivals();
  arrivals.add([packet({ address: "10.0.0.1", nasId: 1, kind: "signed" })]);
  const flood = Array.from({ length: 20_000 }, (_, index) =>
    packet({ address: `11.${index >> 8}.${index & 255}.1` }),
  );
  arrivals.add(flood);
  expect(arrivals.size).toEqual({ routers: 1, strangers: 256 });
  arrivals.add(flood.map((one, index) => Object.assign(one, { nasId: index + 1, kind: "signed" })));
  expect(arrivals.size.routers).toBe(4096);
});
