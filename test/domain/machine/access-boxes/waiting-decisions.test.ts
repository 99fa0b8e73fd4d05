import { expect, test } from "bun:test";
import { homecomings, Journal } from "../../../../src/domain/machine/access-boxes/journal.ts";
import { WaitingDecisions } from "../../../../src/domain/machine/access-boxes/waiting-decisions.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

const elapsed = { boot: "a", uptime: () => 0 };
const bounds = { most: 30, together: 10 };

/** The store of a box that is cut off, and what of its journal would go home: `decided 3` has three decisions. */
function box() {
  const store = temporaryStore();
  const { db } = store;
  const journal = new Journal(db, { elapsed, clock: () => NOW });
  let waiting = new WaitingDecisions(db, journal, bounds);
  return {
    decide: (decisions: number, isCardUse = false) => {
      const number = journal.add(
        "decided",
        Array.from({ length: decisions }, () => ({ username: "user1", isCardUse })),
      );
      if (!isCardUse) waiting.note({ number, decisions });
      if (waiting.isTooMany) waiting.trim();
      return number;
    },
    see: () => journal.add("seen", { nasId: 1, address: "192.0.2.1" }),
    restart: () => {
      waiting = new WaitingDecisions(db, journal, bounds);
    },
    isHome: (number: number) => void db.$client.run("UPDATE access_state SET home = ?", [number]),
    dropped: () => waiting.dropped,
    waits: (after = 0) =>
      homecomings(db, { after, limit: 500, bytes: 1e6, elapsed, now: NOW }).map(({ kind, body }) => {
        const decisions: unknown = JSON.parse(body);
        return `${kind} ${Array.isArray(decisions) ? decisions.length : JSON.stringify(decisions)}`;
      }),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

test("of too many login decisions the oldest are dropped and counted; what else a box has to tell, and first uses of cards, stay", () => {
  using cutOff = box();
  cutOff.decide(4);
  cutOff.see();
  cutOff.decide(1, true);
  cutOff.decide(6);
  cutOff.decide(10);
  cutOff.decide(10);
  expect(cutOff.dropped()).toBe(0);
  cutOff.decide(1);
  expect(cutOff.dropped()).toBe(10);
  expect(cutOff.waits()).toEqual([
    'seen {"nasId":1,"address":"192.0.2.1"}',
    "decided 1",
    ...["decided 10", "decided 10", "decided 1"],
    'dropped {"decisions":10}',
  ]);
});

test("after a restart those that wait count as before", () => {
  using cutOff = box();
  for (let times = 0; times < 3; times++) cutOff.decide(10);
  cutOff.restart();
  cutOff.decide(1);
  expect(cutOff.dropped()).toBe(10);
  expect(cutOff.waits()).toEqual(["decided 10", "decided 10", "decided 1", 'dropped {"decisions":10}']);
});

test("what the books have by then is kept for their restoring, and does not count", () => {
  using cutOff = box();
  cutOff.decide(10);
  cutOff.isHome(cutOff.decide(10));
  for (let times = 0; times < 3; times++) cutOff.decide(10);
  expect(cutOff.dropped()).toBe(0);
  expect(cutOff.waits()).toHaveLength(5);
  cutOff.decide(1);
  expect(cutOff.dropped()).toBe(10);
});
