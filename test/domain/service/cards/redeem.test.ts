import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { checkMoney } from "../../../../src/domain/machine/check/money.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { refundPayment } from "../../../../src/domain/desk/payments/refund.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { ownCards, previewCard, redeemCard, redeemOwn } from "../../../../src/domain/service/cards/redeem.ts";
import { subscriberById } from "../../../../src/domain/goods/subscribers/find.ts";
import { subscriberActor } from "../../../../src/domain/goods/subscribers/tokens.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { by } from "../../../support/isp.ts";
import { cardOf, cardsOf } from "../../../support/redeem-cards.ts";
import { type Tenants, withTenants } from "../../../support/tenants.ts";

let app: Tenants;
let world: { now: number };
beforeEach(async () => {
  app = await withTenants();
  world = { now: app.clock.now + 600 };
});
afterEach(() => app[Symbol.dispose]());

const one = { subscriberId: 1 };
const rows = <T>(sql: string) => app.db.$client.query<T, []>(sql).all();
const entries = () =>
  rows<{ subscriber_id: number | null; staff_id: number | null; amount: number; kind: string }>(
    "SELECT subscriber_id, staff_id, amount, kind, card_id FROM ledger_entries WHERE card_id IS NOT NULL ORDER BY id",
  );
const self = (id: number) => subscriberActor(subscriberById(app.db, everything, id), "portal");
const redeem = (code: string) => redeemCard(app.db, by, { ...one, code }, world);

test("a refill brings its price into the wallet, however the code was typed, once", () => {
  const before = readBalance(app.db, one);
  const code = cardOf(app.db);
  const text = ` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `;
  const done = redeem(text);
  expect(done).toEqual({
    cardId: 1,
    subscriberId: 1,
    credited: 1000,
    balance: before + 1000,
    activated: null,
  });
  expect(readBalance(app.db, one)).toBe(before + 1000);
  expect(entries()).toEqual([
    expect.objectContaining({ subscriber_id: 1, amount: 1000, kind: "card", card_id: 1 }),
  ]);
  expect(rows("SELECT state, first_used_at, redeemed_by FROM cards")).toEqual([
    { state: "active", first_used_at: world.now, redeemed_by: 1 },
  ]);
  expect(() => redeem(code)).toThrow("the card was used before on");
  const result = rows<{ data: string }>("SELECT data FROM events WHERE type = 'card.first_used'");
  expect(result.map(({ data }) => JSON.parse(data).card)).toEqual([
    expect.objectContaining({ id: 1, subscriber_id: 1 }),
  ]);
  // the money came in when the card was sold
  expect(rows("SELECT 1 FROM events WHERE type = 'payment.received'")).toEqual([]);
  expect(readBalance(app.db, one)).toBe(before + 1000);
});

test("a package card brings what its package costs and activates it; the preview says so before", () => {
  const before = readBalance(app.db, one);
  const code = cardOf(app.db, { kind: "package", package_id: 1, price: "20.00" });
  const preview = previewCard(app.db, by, { ...one, code }, world);
  expect(rows("SELECT state FROM cards")).toEqual([{ state: "new" }]);
  const done = redeem(code);
  expect(preview).toMatchObject({ balance: before, balanceAfter: before, credited: done.activated?.charged });
  expect(done.activated?.expiresAt).toBe(preview.activation?.expiresAt ?? 0);
  expect(readBalance(app.db, one)).toBe(before);
  const [service] = rows<{ expires_at: number }>("SELECT expires_at FROM services WHERE subscriber_id = 1");
  expect(service?.expires_at).toBe(done.activated?.expiresAt ?? 0);
  expect(ownCards(app.db, self(1), 1)).toEqual([
    {
      cardId: 1,
      at: world.now,
      credited: done.credited,
      balance: before,
      packageName: preview.activation?.packageName ?? "",
      expiresAt: done.activated?.expiresAt ?? 0,
    },
  ]);
});

describe("refused, with nothing booked and the card as it was", () => {
  test.each<[name: string, input: Input, change: string | null, said: string]>([
    ["void", {}, "UPDATE cards SET state = 'void'", "the card is void"],
    ["not sold", { needs_sale: 1 }, null, "not sold yet"],
    [
      "never sold in time",
      { sell_by: "2040-01-01 00:00:00" },
      "UPDATE card_batches SET sell_by = 5",
      "ended on",
    ],
    ["sold and over", { use_by: "2040-01-01 00:00:00" }, "UPDATE card_batches SET use_by = 5", "ended on"],
    ["for the hotspot", { kind: "access", package_id: 1 }, null, "for the hotspot"],
    ["of another branch", { branch_id: 12 }, null, "of another branch"],
    ["of another ISP", {}, "UPDATE card_batches SET isp_id = 2", "no card with this code"],
    [
      "a package that is not sold any more",
      { kind: "package", package_id: 1 },
      "UPDATE packages SET status = 0 WHERE id = 1",
      "is disabled",
    ],
    [
      "a frozen line",
      { kind: "package", package_id: 1 },
      "UPDATE services SET frozen_at = 5 WHERE subscriber_id = 1",
      "frozen",
    ],
  ])("%s", (name, input, change, text) => {
    const code = cardOf(app.db, input);
    if (name === "sold and over") app.db.$client.run("UPDATE cards SET state = 'sold'");
    if (change !== null) app.db.$client.run(change);
    const before = [rows("SELECT * FROM cards"), readBalance(app.db, one), rows("SELECT * FROM services")];
    expect(() => redeem(code)).toThrow(text);
    expect(() => previewCard(app.db, by, { ...one, code }, world)).toThrow(text);
    expect([rows("SELECT * FROM cards"), readBalance(app.db, one), rows("SELECT * FROM services")]).toEqual(
      before,
    );
    expect(entries()).toEqual([]);
    const audit = JSON.stringify(rows("SELECT * FROM audit_entries"));
    expect(audit).not.toContain(code);
    expect(audit).not.toContain("card.redeem");
  });

  test("too soon after another activation", () => {
    const [first, second] = cardsOf(app.db, { kind: "package", package_id: 1, quantity: 2 });
    redeem(first?.code ?? "");
    expect(() => redeem(second?.code ?? "")).toThrow("try again in 120 s");
    expect(rows("SELECT state FROM cards ORDER BY id")).toEqual([{ state: "active" }, { state: "new" }]);
    expect(entries()).toHaveLength(1);
  });
});

test("a card that needs a sale is redeemed once it is sold", () => {
  const code = cardOf(app.db, { needs_sale: 1 });
  app.db.$client.run("UPDATE cards SET state = 'sold', sold_at = 1");
  expect(redeem(code).credited).toBe(1000);
});

test("its reseller pays for it at its use, once, also below the limit", () => {
  const before = readBalance(app.db, { staffId: 2 });
  const code = cardOf(app.db, { reseller_id: 2, reseller_price: "8.00", charge_on: "use" });
  redeem(code);
  expect(readBalance(app.db, { staffId: 2 })).toBe(before - 800);
  expect(rows("SELECT charged_at FROM cards")).toEqual([{ charged_at: world.now }]);
  expect(entries().map(({ amount }) => amount)).toEqual([1000, -800]);
  expect(() => redeem(code)).toThrow("used before");
  expect(readBalance(app.db, { staffId: 2 })).toBe(before - 800);
});

test("a subscriber redeems for itself alone, and the trail has the number and not the code", () => {
  const code = cardOf(app.db);
  expect(() => redeemOwn(app.db, self(2), { ...one, code }, world)).toThrow("subscriber itself");
  redeemOwn(app.db, self(1), { ...one, code }, world);
  const [entry] = rows<{ after: string }>("SELECT * FROM audit_entries WHERE action = 'card.redeem'");
  expect(entry).toMatchObject({ actor: "subscriber user1", entity: "card", entity_id: "1" });
  expect(entry?.after).toContain("C-000001");
  for (const table of ["audit_entries", "ledger_entries", "invoices", "live_events"].filter(isTable))
    expect(JSON.stringify(rows(`SELECT * FROM ${table}`))).not.toContain(code);
});

function isTable(name: string): boolean {
  return rows(`SELECT 1 FROM sqlite_master WHERE name = '${name}'`).length > 0;
}

const rex: Actor = {
  staffId: 2,
  subscriberId: null,
  name: "Rex",
  source: "192.0.2.1",
  admin: true,
  scope: { ispId: 1, branchId: null, salespersonId: 2 },
  flags: new Set<string>(),
};

test("what a refill brought is no money that a reseller hands back to itself: at most what it took", () => {
  const { $client } = app.db;
  $client.run("UPDATE subscribers SET salesperson_id = 2, branch_id = NULL WHERE id = 1");
  const handed = { reseller_id: 2, reseller_price: "8.00", charge_on: "use" };
  const cash = { subscriberId: 1, method: "cash" };
  takePayment(app.db, { ...rex, ...by, staffId: 1 }, { staffId: 2, amount: 2000, method: "cash" }, world);
  takePayment(app.db, rex, { ...cash, amount: 300 }, world);
  redeem(cardOf(app.db, handed));
  expect(() => refundPayment(app.db, rex, { ...cash, amount: 301 }, world)).toThrow(
    "cards brought money into the wallet of User 1; you hand back at most what is left of what you took, 3.00, and staff of the ISP the rest",
  );
  refundPayment(app.db, rex, { ...cash, amount: 300 }, world);
  expect(() => refundPayment(app.db, rex, { ...cash, amount: 1 }, world)).toThrow("0.00");
  refundPayment(app.db, { ...by, staffId: 1 }, { ...cash, amount: 1000 }, world);
});

test("nor is what a package card activated, once that is void, whatever was taken and spent before", () => {
  app.db.$client.run("UPDATE subscribers SET salesperson_id = 2, branch_id = NULL WHERE id = 1");
  takePayment(app.db, { ...by, staffId: 1 }, { staffId: 2, amount: 5000, method: "cash" }, world);
  const cash = { subscriberId: 1, method: "cash" };
  refundPayment(app.db, { ...by, staffId: 1 }, { ...cash, amount: readBalance(app.db, one) }, world);
  takePayment(app.db, rex, { ...cash, amount: 1500 }, world);
  activate(app.db, by, { subscriberId: 1, packageId: 1 }, world);
  world.now += 600;
  const handed = { reseller_id: 2, reseller_price: "8.00", charge_on: "use" };
  const { activated } = redeem(cardOf(app.db, { ...handed, kind: "package", package_id: 1 }));
  const voiding = { invoiceId: activated?.invoiceId ?? 0, reason: "slip", endService: true };
  voidSoldInvoice(app.db, rex, voiding, world);
  expect(readBalance(app.db, one)).toBe(1500);
  const left = "you hand back at most what is left of what you took, ";
  expect(() => refundPayment(app.db, rex, { ...cash, amount: 100 }, world)).toThrow(`${left}0.00`);
  takePayment(app.db, rex, { ...cash, amount: 200 }, world);
  expect(() => refundPayment(app.db, rex, { ...cash, amount: 201 }, world)).toThrow(`${left}2.00`);
  refundPayment(app.db, rex, { ...cash, amount: 200 }, world);
});

describe("nobody is paid twice for a package card", () => {
  const held = (resellerId: number) => ({
    kind: "package",
    package_id: 1,
    price: "15.00",
    reseller_id: resellerId,
    reseller_price: "12.00",
    charge_on: "use",
  });
  const commissions = () =>
    rows<{ staff_id: number; amount: number }>(
      "SELECT staff_id, amount FROM ledger_entries WHERE kind = 'commission'",
    );
  const books = () => checkMoney(app.db).filter(({ severity }) => severity !== "ok");

  beforeEach(() => {
    const { $client } = app.db;
    $client.run("UPDATE packages SET price = 1500, reseller_price = 1100 WHERE id = 1");
    $client.run("UPDATE subscribers SET salesperson_id = 2 WHERE id = 1");
    $client.run(
      "UPDATE staff SET profile_type = 3, status = 1, isp_id = 1, branch_id = NULL, credit_limit = 5000 WHERE id IN (2, 6)",
    );
  });

  test("the margin of the reseller who holds it is all it gets for its own subscriber", () => {
    const before = readBalance(app.db, { staffId: 2 });
    redeem(cardOf(app.db, held(2)));
    expect(commissions()).toEqual([]);
    expect(readBalance(app.db, { staffId: 2 })).toBe(before - 1200);
    expect(rows("SELECT seller_id, commission FROM invoices ORDER BY id DESC LIMIT 1")).toEqual([
      { seller_id: 2, commission: 0 },
    ]);
    expect(books()).toEqual([]);
  });

  test("the subscriber's reseller gets its commission of a card that another one, or nobody, holds", () => {
    redeem(cardOf(app.db, held(6)));
    expect(commissions()).toEqual([{ staff_id: 2, amount: 400 }]);
    world.now += 600;
    redeem(cardOf(app.db, { kind: "package", package_id: 1, price: "15.00" }));
    expect(commissions()).toEqual([
      { staff_id: 2, amount: 400 },
      { staff_id: 2, amount: 400 },
    ]);
    expect(books()).toEqual([]);
  });

  test("a refill is for handling money: the activation that it pays for is paid as usual", () => {
    redeem(cardOf(app.db, { ...held(2), kind: "refill", package_id: null }));
    activate(app.db, by, { subscriberId: 1, packageId: 1 }, world);
    expect(commissions()).toEqual([{ staff_id: 2, amount: 400 }]);
  });
});

test("a package card of a top-up adds to the service that runs, and is not used where nothing runs", () => {
  app.db.$client.run(
    "UPDATE packages SET top_up_days = 3, price = 500, billing_type = 'prepaid' WHERE id = 2",
  );
  const code = cardOf(app.db, { kind: "package", package_id: 2, price: "5.00" });
  const end = () =>
    rows<{ at: number }>("SELECT expires_at AS at FROM services WHERE subscriber_id = 1")[0]?.at ?? 0;
  const [until, before] = [end(), readBalance(app.db, one)];
  expect(previewCard(app.db, by, { ...one, code }, world).activation).toMatchObject({
    isTopUp: true,
    cutsShort: null,
    expiresAt: until + 3 * 86_400,
  });
  app.db.$client.run("UPDATE services SET expires_at = ? WHERE subscriber_id = 1", [world.now]);
  expect(() => redeem(code)).toThrow("the service has ended");
  app.db.$client.run("UPDATE services SET expires_at = ? WHERE subscriber_id = 1", [until]);
  expect(redeem(code)).toMatchObject({ credited: 500, balance: before });
  expect(end()).toBe(until + 3 * 86_400);
  expect(rows("SELECT package_id FROM services WHERE subscriber_id = 1")).toEqual([{ package_id: 1 }]);
});
