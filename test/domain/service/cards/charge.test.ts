import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { chargeCards } from "../../../../src/domain/service/cards/charge.ts";
import { recordFirstUse } from "../../../../src/domain/service/cards/first-use.ts";
import { makeBatch, storedCard } from "../../../support/card-codes.ts";
import { checkCardWallets } from "../../../../src/domain/machine/check/card-wallets.ts";
import { checkSetup } from "../../../../src/domain/machine/check/check.ts";
import { redeemCard } from "../../../../src/domain/service/cards/redeem.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { cardOf } from "../../../support/redeem-cards.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

let store: ReturnType<typeof temporaryStore>;
let db: Db;
beforeEach(async () => {
  store = temporaryStore();
  db = store.db;
  await loadIsp(db, { subscribers: [aSubscriber(1)] });
});
afterEach(() => store[Symbol.dispose]());

const REX = 2;
const onUse = { reseller_id: REX, reseller_price: "0.80", charge_on: "use" };
const use = (cardId: number) => write(db, (tx) => recordFirstUse(tx, { cardId, at: NOW, mac: null }));
const charge = () => chargeCards(db, by, { now: NOW + 5 });
const entries = () =>
  db.$client
    .query(
      "SELECT kind, amount, batch_id, card_id, staff_id, isp_id FROM ledger_entries WHERE kind = 'card' ORDER BY id",
    )
    .all();

test("a card that was used debits its reseller once, and one that was not does not", async () => {
  const cards = makeBatch(db, { ...onUse, quantity: 3 });
  const [first, second] = cards.map(({ id }) => id);
  if (first === undefined || second === undefined) throw new Error("no cards");
  const before = readBalance(db, { staffId: REX });
  expect(await charge()).toMatchObject({ cards: 0, below: [] });
  use(first);
  use(second);
  expect(await charge()).toMatchObject({ cards: 2 });
  expect(await charge()).toMatchObject({ cards: 0, below: [] });
  const entry = {
    kind: "card",
    amount: -80,
    batch_id: storedCard(db, first).batchId,
    staff_id: REX,
    isp_id: 1,
  };
  expect(entries()).toEqual([
    { ...entry, card_id: first },
    { ...entry, card_id: second },
  ]);
  expect(readBalance(db, { staffId: REX })).toBe(before - 160);
  expect(storedCard(db, first).chargedAt).toBe(NOW + 5);
});

test("it is charged below the credit limit too, which is told", async () => {
  const cards = makeBatch(db, onUse);
  const balance = readBalance(db, { staffId: REX });
  db.$client.run("UPDATE staff SET credit_limit = ? WHERE id = ?", [-balance + 10, REX]);
  for (const { id } of cards) use(id);
  expect(await charge()).toMatchObject({
    cards: 1,
    below: [{ resellerId: REX, name: "Rex", balance: balance - 80 }],
  });
});

test("a card that is redeemed is told of as one that is charged later, once, and a check finds who sells no more", async () => {
  const { newest } = await charge();
  const code = cardOf(db, { reseller_id: REX, reseller_price: "8.00", charge_on: "use" });
  expect(checkCardWallets(db)).toEqual([]);
  redeemCard(db, by, { subscriberId: 1, code }, { now: NOW });
  const balance = readBalance(db, { staffId: REX });
  expect(balance).toBeLessThan(0);
  const after = await chargeCards(db, by, { now: NOW + 5, since: newest });
  expect(after).toMatchObject({ cards: 0, below: [{ resellerId: REX, balance, creditLimit: 0 }] });
  expect(await chargeCards(db, by, { now: NOW + 10, since: after.newest })).toMatchObject({ below: [] });
  expect(checkSetup(db, by, { now: NOW }).filter(({ subject }) => subject === "cards")).toMatchObject([
    {
      severity: "warning",
      subject: "cards",
      message:
        "the wallet of the reseller Rex stands at -8.00, below its credit limit of 0.00: cards that were used are charged all the same, and more are not sold before a payment; take one: gatehouse payment take rex AMOUNT --staff",
    },
  ]);
  takePayment(db, { ...by, staffId: 1 }, { staffId: REX, amount: 800, method: "cash" }, { now: NOW });
  expect(checkCardWallets(db)).toEqual([]);
});

test("an end in between leaves both the debit and the note of it, or neither", async () => {
  const cards = makeBatch(db, { ...onUse, quantity: 2 });
  for (const { id } of cards) use(id);
  const last = cards.at(-1)?.id ?? 0;
  db.$client.run(
    `CREATE TRIGGER dies BEFORE UPDATE ON cards WHEN NEW.id = ${last} BEGIN SELECT RAISE(ABORT, 'killed'); END`,
  );
  await expect(charge()).rejects.toThrow("killed");
  expect(entries()).toEqual([]);
  db.$client.run("DROP TRIGGER dies");
  expect(await charge()).toMatchObject({ cards: 2 });
  expect(entries()).toHaveLength(2);
});

test("cards of more than one transaction are all charged, and those that nobody owes for are done with", async () => {
  const cards = makeBatch(db, { ...onUse, quantity: 450 });
  const own = makeBatch(db, { quantity: 5 });
  for (const { id } of [...cards, ...own]) use(id);
  expect(await charge()).toMatchObject({ cards: 450 });
  expect(entries()).toHaveLength(450);
  expect(db.$client.query("SELECT count(*) AS n FROM cards WHERE charged_at IS NULL").get()).toEqual({
    n: 0,
  });
});
