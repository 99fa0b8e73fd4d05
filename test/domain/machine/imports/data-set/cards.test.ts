import { expect, test } from "bun:test";
import { write } from "../../../../../db/open.ts";
import { chargeCards } from "../../../../../src/domain/service/cards/charge.ts";
import { recordFirstUse } from "../../../../../src/domain/service/cards/first-use.ts";
import { createCardBatch } from "../../../../../src/domain/service/cards/batches.ts";
import { CodeKeys } from "../../../../../src/domain/goods/codes/codes.ts";
import { CardReader } from "../../../../../src/domain/service/cards/reader.ts";
import { redeemCard } from "../../../../../src/domain/service/cards/redeem.ts";
import { sellCard } from "../../../../../src/domain/desk/card-sales/sell.ts";
import { createCardTemplate } from "../../../../../src/domain/service/cards/templates.ts";
import { unlockCard } from "../../../../../src/domain/service/cards/unlock.ts";
import { useCard } from "../../../../../src/domain/service/cards/use.ts";
import { voidCard, voidCardBatch } from "../../../../../src/domain/desk/card-sales/void.ts";
import { checkCards } from "../../../../../src/domain/machine/check/cards.ts";
import { takePayment } from "../../../../../src/domain/desk/payments/take.ts";
import type { Input } from "../../../../../src/domain/core/fields/fields.ts";
import { formatTime } from "../../../../../src/domain/core/time/time.ts";
import { aSubscriber, loadIsp } from "../../../../support/isp.ts";
import { codesOf } from "../../../../support/card-codes.ts";
import { by, NOW, Store } from "./store.ts";

const HOUR = 3600;
const seller = { ...by, staffId: 1, name: "Ada" };

/** A store with a card in each state, of each kind, and a template. */
async function filled(): Promise<Store> {
  const store = new Store();
  const { db } = store;
  await loadIsp(db, { subscribers: [aSubscriber(1)] });
  takePayment(db, seller, { staffId: 2, amount: 1000, method: "cash" }, { now: NOW });
  const make = (input: Input) =>
    codesOf(db, createCardBatch(db, by, { isp_id: 1, price: "1.00", ...input }, { now: NOW }).batch.id);
  const rex = { reseller_id: 2, reseller_price: "0.80" };
  const access = make({
    kind: "access",
    package_id: 1,
    quantity: 6,
    duration: 2,
    duration_unit: "hour",
    prefix: "HARBOUR",
    uptime_seconds: 3600,
    data_quota_bytes: 5_000_000,
    devices: 3,
    lock_first_device: 1,
    offline: 0,
    sell_by: formatTime(NOW + 90 * HOUR),
    use_by: formatTime(NOW + 99 * HOUR),
    note: "kiosk",
  });
  const ids = access.map(({ id }) => id);
  const [, sold = 0, used = 0, gone = 0, spent = 0] = ids;
  sellCard(db, seller, { id: sold, method: "cash" }, { now: NOW });
  sellCard(db, seller, { id: gone, method: "cash" }, { now: NOW });
  voidCard(db, by, { id: gone, reason: "wet\npaper" }, { now: NOW + 1 });
  write(db, (tx) => {
    for (const cardId of [used, spent]) recordFirstUse(tx, { cardId, at: NOW + 5, mac: "02:00:00:00:00:0A" });
    useCard(tx, { cardId: used, seconds: 60, octets: 700, at: NOW + 65 });
    useCard(tx, { cardId: spent, seconds: 3600, octets: 700, at: NOW + 3700 });
  });
  unlockCard(db, by, { id: spent }, { now: NOW + 4000 });
  const [refill] = make({ ...rex, kind: "refill", quantity: 2, price: "10.00", charge_on: "use" });
  redeemCard(db, seller, { subscriberId: 1, code: refill?.code ?? "" }, { now: NOW + 10 });
  make({ ...rex, kind: "package", package_id: 1, quantity: 2, charge_on: "handover", needs_sale: 1 });
  voidCardBatch(db, by, { id: 3, reason: "stolen" }, { now: NOW + 20 });
  await chargeCards(db, by, { now: NOW + 30 });
  createCardTemplate(
    db,
    by,
    { isp_id: 1, name: "Harbour", sheet: "a4-10", price: 0, wifi_qr: 1, heading: "Harbour", line_1: "Hello" },
    { now: NOW },
  );
  return store;
}

test("cards, their batches and templates come out again, and work by their codes on another appliance", async () => {
  using first = await filled();
  using second = new Store();
  const exported = first.export();
  expect(exported.cards).toHaveLength(10);
  expect(exported.cards[0]).toEqual({
    id: 1,
    batch_id: 1,
    serial: 1,
    code: expect.stringMatching(/^HARBOUR/),
  });
  await second.import(exported, { now: NOW + HOUR });
  expect(second.content()).toBe(first.content());
  for (const { db } of [first, second])
    expect(checkCards(db).filter(({ severity }) => severity !== "ok")).toEqual([]);
  const days = "SELECT * FROM card_days WHERE sold + used + void > 0 ORDER BY day, kind, seller_id";
  expect(second.rows(days)).toEqual(first.rows(days));
  const keys = new CodeKeys(second.db.vault);
  const find = second.db.$client.query<{ id: number }, [Buffer]>("SELECT id FROM cards WHERE code_key = ?");
  for (const { id, code } of exported.cards) expect(find.get(keys.of(String(code)))).toEqual({ id });
  // nobody is charged again for what was used before
  const entries = () => second.rows("SELECT count(*) AS n FROM ledger_entries WHERE kind = 'card'");
  await chargeCards(second.db, by, { now: NOW + 2 * HOUR });
  expect(entries()).toEqual([{ n: 0 }]);
  const unused = exported.cards.find(({ id }) => id === 8);
  redeemCard(second.db, seller, { subscriberId: 1, code: String(unused?.["code"]) }, { now: NOW + 2 * HOUR });
  expect(entries()).toEqual([{ n: 2 }]);
});

test("a code that somebody tried here before it came is hidden in the logins", async () => {
  using first = await filled();
  using second = new Store();
  const exported = first.export();
  for (const name of [String(exported.cards[0]?.["code"]), "harry"])
    second.db.$client.run(
      "INSERT INTO auth_log (at, nas_address, username, accepted, reason) VALUES (?, '192.0.2.1', ?, 0, 'unknown_user')",
      [NOW, name],
    );
  await second.import(exported, { now: NOW + HOUR });
  expect(second.rows("SELECT username FROM auth_log ORDER BY id")).toEqual([
    { username: "HAR…" },
    { username: "harry" },
  ]);
});

test("the same file again, or one without secrets, changes no card", async () => {
  using store = await filled();
  const before = store.content();
  for (const secrets of [true, false]) {
    const exported = store.export(secrets);
    if (!secrets) expect(JSON.stringify(exported)).not.toContain("HARBOUR2");
    const { summary, kept } = await store.import(exported);
    const none = { added: 0, changed: 0 };
    expect(summary).toMatchObject({ card_templates: none, card_batches: none, cards: none });
    expect(kept).toEqual([]);
  }
  expect(store.content()).toBe(before);
});

test("a card that was used since the file was written stays used, whatever is asked, and is named", async () => {
  using store = await filled();
  const exported = store.export();
  write(store.db, (tx) => recordFirstUse(tx, { cardId: 1, at: NOW + 50, mac: null }));
  for (const overwriteMoney of [false, true]) {
    const cards = exported.cards.map((card) => (card.id === 1 ? { ...card, state: "new" } : card));
    const { kept, summary } = await store.import({ ...exported, cards }, { overwriteMoney });
    expect(kept.filter(({ section }) => section === "cards")).toEqual([
      { section: "cards", id: 1, name: "C-000001", fields: { state: { file: "new", store: "active" } } },
    ]);
    expect(summary).toMatchObject({ cards: { added: 0, changed: 0 } });
  }
  expect(store.rows("SELECT state, first_used_at FROM cards WHERE id = 1")).toEqual([
    { state: "active", first_used_at: NOW + 50 },
  ]);
});

test("of a batch that is there its days and its note change, and a template as a whole", async () => {
  using store = await filled();
  const sell_by = formatTime(NOW + 50 * HOUR);
  const { summary } = await store.import({
    card_batches: [{ id: 1, note: "moved", sell_by, use_by: null }],
    card_templates: [{ id: 1, name: "Pier", logo: 0 }],
  });
  const one = { added: 0, changed: 1 };
  expect(summary).toMatchObject({ card_templates: one, card_batches: one });
  const { card_batches, card_templates } = store.export();
  expect(card_batches[0]).toMatchObject({ note: "moved", sell_by, use_by: null, prefix: "HARBOUR" });
  expect(card_templates).toMatchObject([{ name: "Pier", logo: 0, wifi_qr: 1, heading: "Harbour", price: 0 }]);
});

const batch = {
  id: 7,
  isp_id: 1,
  kind: "access",
  package_id: 1,
  quantity: 1,
  price: "1.00",
  duration: 1,
  duration_unit: "day",
};
const card = { id: 70, batch_id: 7, serial: 1, code: "abcd-2345" };

const bad: readonly [
  what: string,
  rows: Record<string, readonly object[]>,
  faults: Record<string, string>,
][] = [
  [
    "a batch without its cards",
    { card_batches: [batch] },
    { "/card_batches/0/quantity": "the file has 0 of its cards" },
  ],
  [
    "a card of no batch",
    { cards: [{ ...card, batch_id: 99 }] },
    { "/cards/0/batch_id": "is not a batch of cards" },
  ],
  [
    "a card more than its batch has",
    { card_batches: [batch], cards: [card, { ...card, id: 71, serial: 2, code: "wxyz9" }] },
    { "/cards/1/serial": "must not be above the quantity", "/card_batches/0/quantity": "the file has 2" },
  ],
  [
    "two cards of one serial and code",
    { card_batches: [{ ...batch, quantity: 2 }], cards: [card, { ...card, id: 71, code: "ABCD 2345" }] },
    { "/cards/1/serial": "is also that of /cards/0", "/cards/1/code": "is also that of /cards/0" },
  ],
  [
    "a card more for a batch that is there",
    { cards: [{ ...card, batch_id: 1, serial: 7 }] },
    { "/cards/0/batch_id": "has all its cards" },
  ],
  [
    "a new card without a code",
    { card_batches: [batch], cards: [{ ...card, code: undefined }] },
    { "/cards/0/code": "--secrets" },
  ],
  [
    "a code that is too short",
    { card_batches: [batch], cards: [{ ...card, code: "a-b" }] },
    { "/cards/0/code": "must be a code" },
  ],
  [
    "a code that is a username",
    {
      card_batches: [batch],
      cards: [{ ...card, code: "SA-MM-Y" }],
      subscribers: [{ id: 1, username: "sammy" }],
    },
    { "/cards/0/code": "is a username" },
  ],
  [
    "states without their times",
    {
      card_batches: [{ ...batch, quantity: 4 }],
      cards: [
        { ...card, state: "sold" },
        { ...card, id: 71, serial: 2, code: "bbbb1", state: "active", redeemed_by: 1 },
        {
          ...card,
          id: 72,
          serial: 3,
          code: "bbbb2",
          state: "new",
          sold_at: "2026-01-01 00:00:00",
          sold_by: 99,
        },
        { ...card, id: 73, serial: 4, code: "bbbb3", state: "gone" },
      ],
    },
    {
      "/cards/0/sold_at": "is required of a card that is sold",
      "/cards/1/first_used_at": "is required of a card that is active",
      "/cards/1/redeemed_by": "is for refill and package cards",
      "/cards/2/sold_at": "must be left out of a card that is new",
      "/cards/2/sold_by": "is not an account of this ISP",
      "/cards/3/state": "must be one of new, sold, active, void",
    },
  ],
  [
    "who sold and made void what nobody did, and a charge for what nobody used",
    {
      card_batches: [{ ...batch, reseller_id: 2, reseller_price: "0.50", charge_on: "use" }],
      cards: [{ ...card, sold_by: 1, voided_by: 1, charged_at: "2026-01-01 00:00:00" }],
    },
    {
      "/cards/0/sold_by": "must be left out without sold_at",
      "/cards/0/voided_by": "must be left out without voided_at",
      "/cards/0/charged_at": "must be left out of a card that was not used",
    },
  ],
  [
    "another card under a number that is taken",
    { cards: [{ id: 1, batch_id: 1, serial: 1, code: "other1" }] },
    { "/cards/0/code": "another card" },
  ],
  [
    "another batch under a number that is taken",
    { card_batches: [{ id: 1, kind: "refill", price: "3.00" }] },
    {
      "/card_batches/0/kind": "cannot change, its cards are printed; it is access",
      "/card_batches/0/price": "it is 1.00",
    },
  ],
  [
    "a reseller's batch without its terms",
    { card_batches: [{ ...batch, reseller_id: 2, reseller_price: "1.50" }], cards: [card] },
    {
      "/card_batches/0/charge_on": "is required",
      "/card_batches/0/reseller_price": "must not be above the price",
    },
  ],
  [
    "refills of nothing",
    { card_batches: [{ id: 7, isp_id: 1, kind: "refill", quantity: 1, price: 0 }], cards: [card] },
    { "/card_batches/0/price": "must be above 0.00" },
  ],
  [
    "a batch that nothing ends, of a package of nobody",
    {
      card_batches: [{ ...batch, package_id: 99, duration: null, duration_unit: null, length: 8 }],
      cards: [card],
    },
    {
      "/card_batches/0/package_id": "is not a package",
      "/card_batches/0/duration": "is required",
      "/card_batches/0/alphabet": "is required",
    },
  ],
  [
    "a template of a name that is taken",
    { card_templates: [{ id: 2, isp_id: 1, name: "HARBOUR", sheet: "a4-21" }] },
    { "/card_templates/0/name": "is also that of template 1" },
  ],
  [
    "a template of no paper",
    { card_templates: [{ id: 2, name: "New", sheet: "a3" }] },
    { "/card_templates/0/sheet": "must be one of", "/card_templates/0/isp_id": "is required" },
  ],
  [
    "a field that nobody knows",
    { card_batches: [{ id: 1, colour: "red" }] },
    { "/card_batches/0/colour": "is not a known field" },
  ],
  [
    "a field that is misspelled",
    { card_batches: [{ id: 1, packageid: 1 }] },
    { "/card_batches/0/packageid": "is not a known field; the nearest is package_id" },
  ],
];

test("what is wrong is told by section, row and field, and never with a code", async () => {
  using store = await filled();
  for (const [what, rows, expected] of bad) {
    const faults = await store.faults(rows);
    expect([what, Object.keys(faults).sort()]).toEqual([what, Object.keys(expected).sort()]);
    for (const [pointer, words] of Object.entries(expected))
      expect(faults[pointer]?.join("; ")).toContain(words);
    expect(JSON.stringify(faults).toUpperCase()).not.toMatch(/ABCD|BBBB|SAMMY|OTHER1/);
  }
});

test("a running server hides what is like a code of a batch that came under a lower number", async () => {
  using store = await filled();
  const form = { length: 9, alphabet: "0123456789", prefix: "777" };
  const numbered = (id: number, code: string, values: object) => ({
    card_batches: [{ ...batch, ...values, id }],
    cards: [{ id, batch_id: id, serial: 1, code }],
  });
  await store.import(numbered(90, "QUAY2345", { prefix: "QUAY", length: 4, alphabet: "0123456789" }));
  const reader = new CardReader(store.db);
  expect(reader.card("777123456789")).toBeUndefined();
  await store.import(numbered(40, "777123456780", form));
  expect(reader.card("777123456789")).toBeUndefined();
  expect(reader.hasForm("777123456789")).toBe(true);
  expect(reader.shown("777123456789")).toBe("777…");
});

test("a card in use that says nothing of its end has that of its batch, and one is made by who brings it", async () => {
  using store = await filled();
  await store.import({
    card_batches: [batch],
    cards: [{ ...card, state: "active", first_used_at: formatTime(NOW) }],
  });
  expect(store.rows("SELECT ends_at FROM cards WHERE id = 70")).toEqual([{ ends_at: NOW + 24 * HOUR }]);
  expect(store.rows("SELECT created_at, actor, branch_id FROM card_batches WHERE id = 7")).toEqual([
    { created_at: NOW, actor: "test", branch_id: null },
  ]);
});
