import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { PendingAccepts, roomForAccepts } from "../../../../src/domain/service/access/pending.ts";
import { NOW } from "../../../support/store.ts";

const none = { hasStarted: () => false };

const accept = (station: string, nasAddress: string, at: number, sessionClass = 1) => ({
  class: Buffer.alloc(16, sessionClass),
  station,
  nasAddress,
  at,
});

/** An Accept, and then a question, of a subscriber, by a device on a NAS, after so many seconds. */
const step = fc.record({
  subscriber: fc.integer({ min: 1, max: 3 }),
  station: fc.constantFrom("a", "b", "c"),
  nas: fc.constantFrom("10.0.0.1", "10.0.0.2"),
  after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70 })),
});

test("of each subscriber, the other devices of the last minute stand in the way, however they come", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const pending = new PendingAccepts();
      const last = new Map<string, number>();
      let now = NOW;
      for (const { subscriber, station, nas, after } of steps) {
        now += after;
        const others = [...last].filter(
          ([key, at]) =>
            key.startsWith(`${subscriber} `) && key !== `${subscriber} ${station} ${nas}` && now - at < 60,
        );
        expect(pending.others(none, subscriber, [], { station, nasAddress: nas, now })).toBe(others.length);
        pending.add(subscriber, accept(station, nas, now));
        last.set(`${subscriber} ${station} ${nas}`, now);
      }
    }),
    { numRuns: 500 },
  );
});

test("the Class asked for is that of the newest Accept of the device", () => {
  const pending = new PendingAccepts();
  const value = accept("a", "10.0.0.1", NOW, 1);
  pending.add(1, value);
  pending.add(1, accept("a", "10.0.0.1", NOW + 1, 2));
  value.class.fill(9);
  const seen: number[] = [];
  const reader = {
    hasStarted: (_subscriber: number, sessionClass: Uint8Array) => seen.push(sessionClass[0] ?? 0) > 0,
  };
  expect(pending.others(reader, 1, [], { station: "b", nasAddress: "10.0.0.1", now: NOW + 2 })).toBe(0);
  expect(seen).toEqual([2]);
});

test("the Class of a device that comes in another way is as long as that is", () => {
  for (const lengths of [
    [32, 39],
    [39, 32],
  ] as const) {
    const pending = new PendingAccepts();
    for (const [index, length] of lengths.entries())
      pending.add(1, { ...accept("a", "10.0.0.1", NOW + index), class: Buffer.alloc(length, index) });
    const seen: Uint8Array[] = [];
    const reader = { hasStarted: (_: number, sessionClass: Uint8Array) => seen.push(sessionClass) > 0 };
    pending.others(reader, 1, [], { station: "b", nasAddress: "10.0.0.1", now: NOW + 1 });
    expect(seen).toEqual([Buffer.alloc(lengths[1], 1)]);
  }
});

test("a session of the device that is open already does not count twice", () => {
  const pending = new PendingAccepts();
  pending.add(1, accept("a", "10.0.0.1", NOW));
  const open = [{ class: null, mac: "a", nasAddress: "10.0.0.1" }];
  expect(pending.others(none, 1, open, { station: "b", nasAddress: "10.0.0.1", now: NOW })).toBe(0);
});

test("a clock that goes back makes nobody stand in the way", () => {
  const pending = new PendingAccepts();
  pending.add(1, accept("a", "10.0.0.1", NOW));
  const earlier = NOW - 3600;
  expect(pending.others(none, 1, [], { station: "b", nasAddress: "10.0.0.1", now: earlier })).toBe(0);
  pending.add(1, accept("b", "10.0.0.1", earlier));
  expect(pending.others(none, 1, [], { station: "c", nasAddress: "10.0.0.1", now: earlier })).toBe(1);
});

test("a clock that is set back a little forgets nobody", () => {
  const pending = new PendingAccepts();
  for (const [subscriber, at] of [0, 59, 60, 59].entries())
    pending.add(subscriber, accept("a", "nas", NOW + at));
  const seen = { station: "b", nasAddress: "nas", now: NOW + 59 };
  expect(pending.others(none, 1, [], seen)).toBe(1);
  expect(pending.others(none, 3, [], seen)).toBe(1);
});

test("of very many subscribers, the last ones are remembered", () => {
  const pending = new PendingAccepts();
  for (let id = 1; id <= 250_000; id++) pending.add(id, accept("a", "10.0.0.1", NOW));
  const remembered = (id: number) =>
    pending.others(none, id, [], { station: "b", nasAddress: "10.0.0.1", now: NOW });
  expect(remembered(250_000)).toBe(1);
  expect(remembered(150_001)).toBe(1);
  expect(remembered(1)).toBe(0);
});

test("an Accept of another thread stands in the way too, and while one decides the other waits", () => {
  const room = roomForAccepts(2);
  const [one, other] = [new PendingAccepts(room, 1), new PendingAccepts(room, 2)];
  const by = (station: string) => ({ station, nasAddress: "10.0.0.1", now: NOW });
  expect(one.others(none, 1, [], by("a"))).toBe(0);
  one.add(1, accept("a", "10.0.0.1", NOW));
  one.settle();
  expect(other.others(none, 1, [], by("b"))).toBe(1);
  expect(other.others(none, 1, [], by("a"))).toBe(0);
  other.settle();
});
