import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { cardNumber } from "../../../../src/domain/goods/codes/codes.ts";
import { recordFirstUse } from "../../../../src/domain/service/cards/first-use.ts";
import { addressHolders } from "../../../../src/domain/service/sessions/address-holders.ts";
import { listSessions } from "../../../../src/domain/service/sessions/list.ts";
import { sessionLog } from "../../../../src/domain/service/sessions/log.ts";
import { onlineLine, onlineLines, type OnlineOrder } from "../../../../src/domain/service/sessions/online.ts";
import type { OnlineFilter } from "../../../../src/domain/service/sessions/online-filter.ts";
import { standingNow } from "../../../../src/domain/around/today/standing.ts";
import type { Actor, Scope } from "../../../../src/domain/core/actor/actor.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { makeCard } from "../../../support/card-codes.ts";
import { aPackage, aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

/* Open sessions of a card of the ISP, of one of its branch, of one that the reseller holds, of a card of ISP 2, and of a stranger. */
const store = temporaryStore();
const { db } = store;
const cards: Record<string, number> = {};
beforeAll(async () => {
  await loadIsp(db, { packages: [aPackage(2), aPackage(9, { isp_id: 2 })], subscribers: [aSubscriber(1)] });
  const batches = {
    whole: {},
    branch: { branch_id: 11 },
    held: { reseller_id: 2, reseller_price: "0.50", charge_on: "use", package_id: 2 },
    other: { isp_id: 2, package_id: 9 },
  };
  for (const [name, input] of Object.entries(batches)) {
    const { id } = makeCard(db, input);
    cards[name] = id;
    write(db, (tx) => recordFirstUse(tx, { cardId: id, at: NOW - 60, mac: null }));
    open(name, { cardId: id, username: cardNumber(id), nasId: name === "other" ? 2 : 1 });
  }
  open("stranger", { username: "stranger" });
});
afterAll(() => store[Symbol.dispose]());

function open(name: string, values: object): void {
  insertSessions(db, {
    subscriberId: null,
    acctSessionId: name,
    framedIp: "10.5.0.2",
    startedAt: NOW - 60,
    updatedAt: NOW,
    ...values,
  });
}

const as = (scope: Partial<Scope>): Actor => ({ ...by, scope: { ...everything, ...scope } });
const sees: [who: string, actor: Actor, names: string[]][] = [
  ["the operator", by, ["branch", "held", "other", "stranger", "whole"]],
  ["the ISP", as({ ispId: 1 }), ["branch", "held", "stranger", "whole"]],
  ["its branch", as({ ispId: 1, branchId: 11 }), ["branch"]],
  ["another branch", as({ ispId: 1, branchId: 12 }), []],
  ["the reseller who holds the batch", as({ ispId: 1, salespersonId: 2 }), ["held"]],
  ["another reseller", as({ ispId: 1, salespersonId: 1 }), []],
  ["another ISP", as({ ispId: 2 }), ["other"]],
];
const page = { limit: 50, before: Number.MAX_SAFE_INTEGER };
const now = { now: NOW };
const ids = (found: readonly { session: { acctSessionId: string } }[]) =>
  found.map(({ session }) => session.acctSessionId).toSorted();

describe("sessions of cards are seen by whose the batch is", () => {
  for (const [who, actor, names] of sees)
    test(who, () => {
      expect(ids(listSessions(db, actor))).toEqual(names);
      expect(ids(listSessions(db, actor, { all: true }))).toEqual(names);
      expect(ids(sessionLog(db, actor, {}, page))).toEqual(names);
      expect(ids(sessionLog(db, actor, { open: 1, nasId: null }, page))).toEqual(names);
      expect(ids(addressHolders(db, actor, { address: "10.5.0.2", at: NOW }))).toEqual(names);
      const { rows, total } = onlineLines(db, actor, {}, { limit: 50, offset: 0, order: "uptime" }, now);
      expect(total).toBe(names.length);
      expect(rows.map(({ username }) => username).toSorted()).toEqual(
        names.map((name) => (cards[name] ? cardNumber(cards[name]) : name)).toSorted(),
      );
    });
});

test("a reseller's and a branch's count of who is online has their cards", () => {
  expect(standingNow(db, as({ ispId: 1, salespersonId: 2 }), now).online).toBe(1);
  expect(standingNow(db, as({ ispId: 1, branchId: 11 }), now).online).toBe(1);
  expect(standingNow(db, as({ ispId: 1, branchId: 12 }), now).online).toBe(0);
});

describe("of a package who is online are its services and its cards, as the scope sees them", () => {
  const online = (actor: Actor, filter: OnlineFilter, order: OnlineOrder = "uptime", limit = 9) =>
    onlineLines(db, actor, filter, { limit, offset: 0, order }, now);
  const namesOf = ({ rows }: ReturnType<typeof online>) => rows.map(({ username }) => username);
  for (const [who, actor, names] of sees)
    test(who, () => {
      for (const [packageId, those] of [
        [1, ["branch", "whole"]],
        [2, ["held"]],
        [9, ["other"]],
      ] as const) {
        const seen = those.filter((name) => names.includes(name));
        expect(online(actor, { packageId }).total).toBe(seen.length);
        expect(namesOf(online(actor, { packageId })).toSorted()).toEqual(
          seen.map((name) => cardNumber(cards[name] ?? 0)).toSorted(),
        );
      }
    });

  test("beside those of subscribers, in one order and counted together", () => {
    const numberOf = (name: string) => cardNumber(cards[name] ?? 0);
    const [whole, branch, held] = [numberOf("whole"), numberOf("branch"), numberOf("held")];
    insertSessions(db, { subscriberId: 1, acctSessionId: "s", rateOutput: 50, framedIp: "10.9.9.9" });
    db.$client.run("UPDATE sessions SET rate_output = 100 - card_id WHERE card_id IS NOT NULL");
    try {
      const all = online(by, { packageId: 1 }, "down");
      expect([namesOf(all), all.total]).toEqual([[whole, branch, "user1"], 3]);
      expect(online(by, { packageId: 1 }, "down", 2)).toMatchObject({
        total: 3,
        rows: [{ username: whole }, { username: branch }],
      });
      expect(namesOf(online(by, { packageId: 1, nasId: 1 }))).toHaveLength(3);
      expect(namesOf(online(by, { packageId: 1, nasId: 2 }))).toEqual([]);
      expect(namesOf(online(by, { packageId: 1, payPage: true }))).toEqual([]);
      expect(namesOf(online(by, { packageId: 1, areaId: 1 }))).toEqual([]);
      expect(namesOf(online(by, { packageId: 1, subscriberIds: [1] }))).toEqual(["user1"]);
      expect(namesOf(online(by, { packageId: 2 }))).toEqual([held]);
    } finally {
      db.$client.run("DELETE FROM sessions WHERE acct_session_id = 's'");
    }
  });
});

test("a card's sessions are found by its number, and by its package", () => {
  const held = cards["held"] ?? 0;
  for (const username of [cardNumber(held), `c-${held}`])
    expect(ids(listSessions(db, by, { username }))).toEqual(["held"]);
  expect(ids(sessionLog(db, by, { cardId: held }, page))).toEqual(["held"]);
  for (const actor of [by, as({ ispId: 1 }), as({ ispId: 1, salespersonId: 2 })])
    expect(ids(sessionLog(db, actor, { packageId: 2 }, page))).toEqual(["held"]);
  const lines = onlineLines(db, by, { packageId: 2 }, { limit: 9, offset: 0, order: "data" }, now);
  expect(lines.rows).toMatchObject([
    { cardId: held, subscriberId: null, username: cardNumber(held), packageName: "Home 2", soldOutput: 20e6 },
  ]);
  const [line] = lines.rows;
  expect(onlineLine(db, as({ ispId: 1, salespersonId: 2 }), { id: line?.id ?? 0 }, now).cardId).toBe(held);
  expect(() => onlineLine(db, as({ ispId: 1, salespersonId: 1 }), { id: line?.id ?? 0 }, now)).toThrow();
});
