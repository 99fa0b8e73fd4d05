import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { cardBatchById, listCardBatches } from "../../../../src/domain/service/cards/batch-list.ts";
import { createCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { printedCode } from "../../../../src/domain/goods/codes/codes.ts";
import { findCard } from "../../../../src/domain/service/cards/find.ts";
import { cardById, listCards } from "../../../../src/domain/service/cards/list.ts";
import { sellCard, sellCards } from "../../../../src/domain/desk/card-sales/sell.ts";
import { unlockCard } from "../../../../src/domain/service/cards/unlock.ts";
import { voidCard, voidCardBatch } from "../../../../src/domain/desk/card-sales/void.ts";
import { checkMoney } from "../../../../src/domain/machine/check/money.ts";
import { closeTill } from "../../../../src/domain/money/closings/close.ts";
import { openTill } from "../../../../src/domain/money/closings/till.ts";
import { DomainError, type ErrorKind } from "../../../../src/domain/core/errors/errors.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { cli } from "../../../support/people.ts";
import { type Tenants, withTenants } from "../../../support/tenants.ts";

let app: Tenants;
beforeEach(async () => {
  app = await withTenants();
});
afterEach(() => app[Symbol.dispose]());

const person = (staffId: number, scope: Partial<Actor["scope"]> = {}): Actor => ({
  staffId,
  subscriberId: null,
  name: `account ${staffId}`,
  source: "192.0.2.1",
  admin: true,
  scope: { ispId: 1, branchId: null, salespersonId: null, ...scope },
  flags: new Set<string>(),
});
const ada = person(1);
const rex = person(2, { salespersonId: 2 });
const rob = person(3, { salespersonId: 3 });
const mia = person(4, { branchId: 11 });
const max = person(5, { branchId: 12 });

const anHour = { isp_id: 1, kind: "access", package_id: 1, quantity: 3, price: "1.50" };
const handed = { reseller_id: 2, reseller_price: "1.00" };
const at = (later = 0) => ({ now: app.clock.now + later });
const make = (input: Input = {}) => createCardBatch(app.db, cli, { ...anHour, ...input }, at()).batch;
const codeOf = (id: number): string => {
  const row = app.db.$client
    .query<{ sealed: Uint8Array }, [number]>("SELECT code_sealed AS sealed FROM cards WHERE id = ?")
    .get(id);
  return app.db.vault.openText(row?.sealed ?? new Uint8Array());
};
const use = (id: number) =>
  app.db.$client.run(
    `UPDATE cards SET state = 'active', first_used_at = ${app.clock.now}, ends_at = ${app.clock.now + 3600} WHERE id = ${id}`,
  );
function refusal(work: () => unknown): { kind: ErrorKind; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return { kind: error.kind, message: error.message };
    throw error;
  }
  throw new Error("it was not refused");
}
const faults = () => checkMoney(app.db).filter(({ severity }) => severity !== "ok");

describe("a card that is sold at the desk", () => {
  test("is paid into the till of who sells it, with a receipt, and leaves the wallet as it was", () => {
    make();
    const { card, payment } = sellCard(app.db, ada, { id: 1, method: "cash", reference: "A 1" }, at());
    expect(card).toMatchObject({ state: "sold", standing: "sold", soldBy: 1, sellerName: "Ada" });
    expect(payment).toMatchObject({ amount: 150, method: "cash", takenBy: 1, staffId: 1, cardId: 1 });
    expect(card.receipt).toBe(payment?.number ?? "none");
    expect(readBalance(app.db, { staffId: 1 })).toBe(0);
    expect(openTill(app.db, ada, {})).toMatchObject({ taken: 150, returned: 0, expected: 150 });
    expect(faults()).toEqual([]);
  });

  test("is sold once, however many press at the same time", () => {
    make();
    sellCard(app.db, ada, { id: 1, method: "cash" }, at());
    expect(refusal(() => sellCard(app.db, person(6), { code: codeOf(1), method: "cash" }, at(5)))).toEqual({
      kind: "conflict",
      message: `C-000001 was sold on ${formatTime(app.clock.now)} by Ada; take another card`,
    });
    expect(openTill(app.db, ada, {}).taken).toBe(150);
  });

  test("is refused where there is no till, after its day, while it is another's, and without a method", () => {
    make({ sell_by: formatTime(app.clock.now + 60) });
    make(handed);
    make({ use_by: formatTime(app.clock.now + 60) });
    const refused: [work: () => unknown, kind: ErrorKind, words: string][] = [
      [() => sellCard(app.db, cli, { id: 1, method: "cash" }, at()), "refused", "no till"],
      [() => sellCard(app.db, ada, { id: 1 }, at()), "invalid", "method"],
      [() => sellCard(app.db, ada, { id: 1, method: "shells" }, at()), "invalid", "must be one of"],
      [() => sellCard(app.db, ada, { id: 1, method: "cash" }, at(60)), "refused", "was to be sold by"],
      [() => sellCard(app.db, ada, { id: 7, method: "cash" }, at(60)), "refused", "was to be used by"],
      [() => sellCard(app.db, ada, { id: 4, method: "cash" }, at()), "refused", "Rex holds"],
      [() => sellCard(app.db, mia, { id: 1, method: "cash" }, at()), "forbidden", "whole ISP"],
      [() => sellCard(app.db, rex, { id: 1 }, at()), "not_found", "no card C-000001"],
      [() => sellCard(app.db, ada, { method: "cash" }, at()), "invalid", "name one card"],
    ];
    for (const [work, kind, words] of refused) {
      const { kind: was, message } = refusal(work);
      expect({ was, message }).toEqual({ was: kind, message: expect.stringContaining(words) });
    }
    expect(app.db.$client.query("SELECT count(*) AS n FROM cards WHERE state <> 'new'").get()).toEqual({
      n: 0,
    });
  });

  test("gives the money back when it is made void, however late, but not by who has counted it", () => {
    make();
    sellCard(app.db, ada, { id: 1, method: "cash" }, at());
    const paymentId = 1;
    expect(refusal(() => reversePayment(app.db, person(6), { paymentId, reason: "slip" }, at()))).toEqual({
      kind: "refused",
      message: expect.stringContaining("make the card void"),
    });
    closeTill(app.db, ada, { counted: 150 }, at());
    const late = 40 * 86_400;
    expect(refusal(() => voidCard(app.db, ada, { id: 1, reason: "back" }, at(late)))).toEqual({
      kind: "forbidden",
      message: expect.stringContaining("day's close"),
    });
    const { card, payment, givenBack } = voidCard(app.db, person(6), { id: 1, reason: "back" }, at(late));
    expect(card).toMatchObject({ state: "void", voidReason: "back", voidedBy: 6 });
    expect(payment).toMatchObject({ reversedBy: 6, reversalReason: "back" });
    expect(givenBack).toBe(0);
    expect(readBalance(app.db, { staffId: 1 })).toBe(0);
    expect(openTill(app.db, ada, {})).toMatchObject({ taken: 0, returned: 150 });
    expect(refusal(() => voidCard(app.db, ada, { id: 1, reason: "back" }, at(late))).kind).toBe("conflict");
    expect(faults()).toEqual([]);
  });

  test("refunds nothing once it is in use", () => {
    make();
    sellCard(app.db, ada, { id: 1, method: "cash" }, at());
    use(1);
    expect(voidCard(app.db, ada, { id: 1, reason: "stolen" }, at())).toMatchObject({
      payment: null,
      givenBack: 0,
    });
    expect(openTill(app.db, ada, {}).returned).toBe(0);
  });
});

describe("a reseller", () => {
  const topUp = () => app.db.$client.run("UPDATE staff SET credit_limit = 1000 WHERE id = 2");

  test("sells the cards that it holds, for money of its own, until charges take it below its limit", () => {
    make({ ...handed, charge_on: "use" });
    const before = readBalance(app.db, { staffId: 2 });
    const { card, payment } = sellCard(
      app.db,
      rex,
      { code: ` ${printedCode(codeOf(1)).toLowerCase()} ` },
      at(),
    );
    expect({ state: card.state, soldBy: card.soldBy, payment }).toEqual({
      state: "sold",
      soldBy: 2,
      payment: null,
    });
    expect(readBalance(app.db, { staffId: 2 })).toBe(before);
    expect(refusal(() => sellCard(app.db, rex, { id: 2, method: "cash" }, at())).message).toContain(
      "is yours",
    );
    expect(refusal(() => sellCard(app.db, rob, { id: 2 }, at())).kind).toBe("not_found");
    app.db.$client.run(
      `INSERT INTO ledger_entries (isp_id, staff_id, amount, balance_after, kind, created_at, day) VALUES (1, 2, -5000, ${before - 5000}, 'adjustment', ${app.clock.now}, 20260101)`,
    );
    expect(refusal(() => sellCard(app.db, rex, { id: 2 }, at()))).toEqual({
      kind: "refused",
      message: expect.stringContaining("pay into it first"),
    });
  });

  test("gets back what it was charged at the handover for what nobody used, once", () => {
    topUp();
    const before = readBalance(app.db, { staffId: 2 });
    make({ ...handed, charge_on: "handover", quantity: 5 });
    expect(readBalance(app.db, { staffId: 2 })).toBe(before - 500);
    sellCard(app.db, rex, { id: 1 }, at());
    use(2);
    expect(voidCard(app.db, ada, { id: 1, reason: "torn" }, at()).givenBack).toBe(100);
    expect(voidCard(app.db, ada, { id: 2, reason: "stolen" }, at()).givenBack).toBe(0);
    expect(readBalance(app.db, { staffId: 2 })).toBe(before - 400);
    const { batch, voided, givenBack } = voidCardBatch(app.db, ada, { id: 1, reason: "returned" }, at());
    expect({ voided, givenBack, voidedAt: batch.voidedAt }).toEqual({
      voided: 3,
      givenBack: 300,
      voidedAt: app.clock.now,
    });
    expect(readBalance(app.db, { staffId: 2 })).toBe(before - 100);
    expect(refusal(() => voidCardBatch(app.db, ada, { id: 1, reason: "returned" }, at())).kind).toBe(
      "conflict",
    );
    expect(faults()).toEqual([]);
  });

  test("gets nothing back for cards that are charged when they are used", () => {
    make({ ...handed, charge_on: "use" });
    const before = readBalance(app.db, { staffId: 2 });
    expect(voidCardBatch(app.db, ada, { id: 1, reason: "returned" }, at()).givenBack).toBe(0);
    expect(readBalance(app.db, { staffId: 2 })).toBe(before);
  });
});

describe("finding a card", () => {
  test("takes its code however typed, its number, and what stands on paper; within the scope", () => {
    make({ branch_id: 11 });
    const code = codeOf(2);
    for (const text of [
      code,
      printedCode(code),
      code.toLowerCase(),
      ` ${code} `,
      "C-000002",
      "c2",
      "0001-002",
      "1-2",
    ])
      expect(findCard(app.db, ada, text, at()).id).toBe(2);
    expect(findCard(app.db, mia, code, at()).id).toBe(2);
    expect(refusal(() => findCard(app.db, max, code, at())).kind).toBe("not_found");
    expect(JSON.stringify(findCard(app.db, ada, code, at()))).not.toContain(code);
    expect(Object.keys(cardById(app.db, ada, 2, at()))).not.toContain("codeSealed");
  });

  test("is refused for the rest of a minute after twenty codes that are none", () => {
    make();
    for (let i = 0; i < 20; i++)
      expect(refusal(() => findCard(app.db, ada, `WRONG${i}`, at())).kind).toBe("not_found");
    expect(refusal(() => findCard(app.db, ada, codeOf(1), at(59)))).toEqual({
      kind: "too_soon",
      message: "too many codes that are no card; try again in 1 s",
    });
    expect(findCard(app.db, mia, codeOf(1), at(59)).id).toBe(1);
    expect(findCard(app.db, ada, codeOf(1), at(60)).id).toBe(1);
  });
});

describe("a device", () => {
  test("is let go of, and the trail says which", () => {
    make({ lock_first_device: 1 });
    expect(refusal(() => unlockCard(app.db, ada, { id: 1 }, at())).kind).toBe("refused");
    app.db.$client.run("UPDATE cards SET locked_mac = 'AA:BB:CC:DD:EE:FF' WHERE id = 1");
    expect(unlockCard(app.db, ada, { id: 1 }, at()).lockedMac).toBeNull();
    const entry = app.db.$client
      .query<{ before: string }, []>("SELECT before FROM audit_entries WHERE action = 'card.unlock'")
      .get();
    expect(entry?.before).toContain("AA:BB:CC:DD:EE:FF");
  });
});

describe("lists", () => {
  test("count how cards stand now, as each of them does", () => {
    make({ quantity: 10, uptime_seconds: 600, use_by: formatTime(app.clock.now + 7200) });
    for (const id of [1, 2, 3]) sellCard(app.db, ada, { id, method: "cash" }, at());
    for (const id of [2, 3, 4, 5]) use(id);
    app.db.$client.run(`UPDATE cards SET used_seconds = 600, used_up_at = ${app.clock.now} WHERE id = 3`);
    voidCard(app.db, ada, { id: 10, reason: "torn" }, at());
    const counts = (later: number) => cardBatchById(app.db, ada, 1, at(later)).counts;
    expect(counts(0)).toEqual({ new: 4, sold: 1, active: 3, used_up: 1, expired: 0, void: 1 });
    for (const later of [0, 3600, 7200]) {
      const listed = counts(later);
      for (const [standing, count] of Object.entries(listed)) {
        const filter = { standing: standing as keyof typeof listed };
        const page = { limit: 100, offset: 0, ...at(later) };
        const { records, total } = listCards(app.db, ada, filter, page);
        expect({ standing, total, ids: records.length }).toEqual({ standing, total: count, ids: count });
        expect(records.every((card) => card.standing === standing)).toBe(true);
      }
    }
  });

  test("are of a scope, a search and filters, in their order", () => {
    make({ note: "for 100% Anna_", prefix: "AN" });
    make({ branch_id: 11, quantity: 1 });
    make({ ...handed, quantity: 2, kind: "package" });
    const ids = (by: Actor, choice: object = {}) =>
      listCardBatches(app.db, by, { limit: 10, offset: 0, ...choice }, at()).records.map(({ id }) => id);
    expect(ids(ada)).toEqual([3, 2, 1]);
    expect(ids(ada, { sort: "quantity" })).toEqual([2, 3, 1]);
    expect(ids(ada, { sort: "id" })).toEqual([1, 2, 3]);
    expect(ids(mia)).toEqual([3, 2, 1]);
    expect(ids(max)).toEqual([3, 1]);
    expect(ids(rex)).toEqual([3]);
    expect(ids(rob)).toEqual([]);
    expect(ids(person(8, { ispId: 2 }))).toEqual([]);
    const found: [search: string, ids: number[]][] = [
      ["0003", [3]],
      ["0003-001", [3]],
      ["C-000004", [2]],
      ["100% anna_", [1]],
      ["%", [1]],
      ["an", [1]],
      ["nothing", []],
    ];
    for (const [search, expected] of found)
      expect([search, ids(ada, { search })]).toEqual([search, expected]);
    const cards = (by: Actor, filters: object = {}, page: object = {}) => {
      const { records, total } = listCards(app.db, by, filters, { limit: 10, offset: 0, ...at(), ...page });
      return [total, ...records.map(({ id }) => id)];
    };
    expect(cards(ada)).toEqual([6, 1, 2, 3, 4, 5, 6]);
    expect(cards(ada, {}, { descending: true, limit: 2, offset: 1 })).toEqual([6, 5, 4]);
    expect(cards(max)).toEqual([5, 1, 2, 3, 5, 6]);
    expect(cards(rex, { state: "new" })).toEqual([2, 5, 6]);
    expect(cards(ada, { batchId: 1, fromSerial: 2 })).toEqual([2, 2, 3]);
    sellCard(app.db, ada, { id: 2, method: "cash" }, at());
    expect(cards(ada, { soldBy: 1, soldFrom: app.clock.now })).toEqual([1, 2]);
    app.db.$client.run("UPDATE cards SET redeemed_by = 1 WHERE id IN (2, 3, 6)");
    expect(cards(ada, { redeemedBy: 1 })).toEqual([3, 2, 3, 6]);
    expect(cards(ada, { redeemedBy: 1 }, { descending: true })).toEqual([3, 6, 3, 2]);
  });
});

describe("a strip", () => {
  const strip = { batchId: 1, first: 2, last: 4 };
  const sell = (by: Actor, more: object = { method: "cash" }) =>
    sellCards(app.db, by, { ...strip, ...more }, at());
  const states = () =>
    listCards(app.db, ada, {}, { limit: 9, offset: 0, ...at() }).records.map((c) => c.state);
  const payments = () =>
    app.db.$client
      .query("SELECT number, amount, reference, note, card_id, reversed_at IS NOT NULL AS back FROM payments")
      .all();

  test("is sold as a whole, each card with a receipt of its own, and one of them comes back alone", () => {
    make({ quantity: 5 });
    const before = readBalance(app.db, { staffId: 1 });
    const sold = sell(ada, { method: "bank", reference: "TX 7", note: "kiosk" });
    expect(sold.map(({ card, payment }) => [card.id, card.state, payment?.amount])).toEqual([
      [2, "sold", 150],
      [3, "sold", 150],
      [4, "sold", 150],
    ]);
    expect(states()).toEqual(["new", "sold", "sold", "sold", "new"]);
    const first = sold[0]?.payment?.number;
    const paid = { amount: 150, reference: null, note: `kiosk; paid with ${first}`, back: 0 };
    expect(payments()).toMatchObject([
      { ...paid, reference: "TX 7", note: "kiosk", card_id: 2, number: first },
      { ...paid, card_id: 3 },
      { ...paid, card_id: 4 },
    ]);
    expect(readBalance(app.db, { staffId: 1 })).toBe(before);
    voidCard(app.db, ada, { id: 3, reason: "torn" }, at());
    expect(payments()).toMatchObject([{ back: 0 }, { back: 1 }, { back: 0 }]);
    expect(openTill(app.db, ada, {}).lines).toEqual([
      { method: "bank", payments: 3, taken: 450, returned: 150 },
    ]);
    expect(checkMoney(app.db).filter(({ severity }) => severity !== "ok")).toEqual([]);
  });

  test("of which one is not new is not sold at all", () => {
    make({ quantity: 5 });
    use(4);
    expect(refusal(() => sell(ada))).toEqual({
      kind: "conflict",
      message: "C-000004 is in use already; take another card",
    });
    expect(states()).toEqual(["new", "new", "new", "active", "new"]);
    expect(payments()).toEqual([]);
  });

  test("is of serials that the batch has, and of who sells its cards", () => {
    make({ quantity: 600 });
    make({ ...handed, quantity: 3 });
    const range = (first: number, last: number, by = ada, batchId = 1) =>
      refusal(() => sellCards(app.db, by, { batchId, first, last, method: "cash" }, at())).message;
    expect(range(5, 4)).toBe("last_serial must not be below first_serial");
    expect(range(5, 601)).toBe("last_serial must not be above the last serial of the batch, 600");
    expect(range(5, 505)).toBe("last_serial must be 504 at the most: 500 cards are sold at once");
    expect(range(1, 2, ada, 2)).toContain("Rex holds batch 2");
    expect(range(1, 2, cli)).toContain("the command line has no till");
    expect(range(1, 2, mia)).toContain("is the whole ISP's");
    expect(range(1, 2, rob, 2)).toBe("there is no batch 2");
    expect(range(1, 2, rex, 2)).toContain("leave method out");
    const sold = sellCards(app.db, rex, { batchId: 2, first: 1, last: 2 }, at());
    expect(sold.map(({ payment }) => payment)).toEqual([null, null]);
  });
});
