import { and, eq, inArray } from "drizzle-orm";
import { cards } from "../../../../db/schema.ts";
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Db, write } from "../../../../db/open.ts";
import { cardBatchById, listCardBatches } from "../../../../src/domain/service/cards/batch-list.ts";
import { createCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { chargeCards } from "../../../../src/domain/service/cards/charge.ts";
import { redeemCard, redeemOwn } from "../../../../src/domain/service/cards/redeem.ts";
import { subscriberById } from "../../../../src/domain/goods/subscribers/find.ts";
import { subscriberActor } from "../../../../src/domain/goods/subscribers/tokens.ts";
import { cli } from "../../../support/people.ts";
import { sellCard, sellCards } from "../../../../src/domain/desk/card-sales/sell.ts";
import { countFirstUse } from "../../../../src/domain/service/cards/days.ts";
import { voidCard, voidCardBatch } from "../../../../src/domain/desk/card-sales/void.ts";
import { checkCards } from "../../../../src/domain/machine/check/cards.ts";
import { checkMoney } from "../../../../src/domain/machine/check/money.ts";
import { closeTill } from "../../../../src/domain/money/closings/close.ts";
import { openTill } from "../../../../src/domain/money/closings/till.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { once } from "../../../../src/domain/core/once/once.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

const person = (staffId: number, salespersonId: number | null = null): Actor => ({
  staffId,
  subscriberId: null,
  name: `account ${staffId}`,
  source: "192.0.2.1",
  admin: true,
  scope: { ispId: 1, branchId: null, salespersonId },
  flags: new Set<string>(),
});
const [ada, nil, rex] = [person(1), person(6), person(2, 2)];

interface Turn {
  readonly db: Db;
  readonly pick: number;
  readonly at: { readonly now: number };
}

const kinds = [{ kind: "access", package_id: 1 }, { kind: "refill" }, { kind: "package", package_id: 1 }];
const make =
  (handed: object) =>
  ({ db, pick, at }: Turn) =>
    createCardBatch(db, ada, { ...kinds[pick % 3], quantity: 1 + (pick % 5), price: 2, ...handed }, at);
const cardOf = ({ db, pick }: Turn) =>
  (pick % (db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM cards").get()?.n || 1)) + 1;
const reason = "slip";

const operations = {
  make: make({}),
  make_for_nothing: make({ price: 0 }),
  hand_over: make({ reseller_id: 2, reseller_price: 1.5, charge_on: "handover" }),
  hand_to_another: make({ reseller_id: 3, reseller_price: 1.99, charge_on: "use" }),
  hand_on_use: make({ reseller_id: 2, reseller_price: 1.5, charge_on: "use" }),
  sell: (turn: Turn) => sellCard(turn.db, ada, { id: cardOf(turn), method: "cash" }, turn.at),
  sell_by_another: (turn: Turn) => sellCard(turn.db, nil, { id: cardOf(turn), method: "bank" }, turn.at),
  sell_strip: ({ db, pick, at }: Turn) =>
    sellCards(db, ada, { batchId: (pick % 4) + 1, first: 1, last: 1 + (pick % 3), method: "cash" }, at),
  redeem: (turn: Turn) =>
    redeemCard(
      turn.db,
      ada,
      { subscriberId: 1 + (turn.pick % 2), code: codeOf(turn.db, cardOf(turn)) },
      turn.at,
    ),
  redeem_own: ({ db, pick, at }: Turn) => {
    const by = subscriberActor(subscriberById(db, everything, 1), "portal");
    redeemOwn(db, by, { subscriberId: 1, code: codeOf(db, cardOf({ db, pick, at })) }, at);
  },
  sell_by_reseller: (turn: Turn) => sellCard(turn.db, rex, { id: cardOf(turn) }, turn.at),
  use: (turn: Turn) =>
    write(turn.db, (tx) => {
      const card = tx
        .select()
        .from(cards)
        .where(and(eq(cards.id, cardOf(turn)), inArray(cards.state, ["new", "sold"])))
        .get();
      if (!card) return;
      tx.$client.run("UPDATE cards SET state = 'active', first_used_at = ? WHERE id = ?", [
        turn.at.now,
        card.id,
      ]);
      countFirstUse(tx, card, turn.at.now);
    }),
  make_void: (turn: Turn) => voidCard(turn.db, ada, { id: cardOf(turn), reason }, turn.at),
  make_void_by_another: (turn: Turn) => voidCard(turn.db, nil, { id: cardOf(turn), reason }, turn.at),
  make_batch_void: ({ db, pick, at }: Turn) => voidCardBatch(db, ada, { id: (pick % 4) + 1, reason }, at),
  // what few cards there are is done with before it first waits
  charge: ({ db, at }: Turn) => void chargeCards(db, cli, at),
  close: ({ db, pick, at }: Turn) => closeTill(db, ada, { counted: pick % 900 }, at),
  top_up: ({ db, at }: Turn) => takePayment(db, ada, { staffId: 2, amount: 700, method: "cash" }, at),
} satisfies Record<string, (turn: Turn) => unknown>;

const codeOf = ({ $client, vault }: Db, id: number) => {
  const row = $client
    .query<{ sealed: Uint8Array }, [number]>("SELECT code_sealed AS sealed FROM cards WHERE id = ?")
    .get(id);
  return row ? vault.openText(row.sealed) : "";
};

type Name = keyof typeof operations;
const names = Object.keys(operations).filter((name): name is Name => Object.hasOwn(operations, name));
const turns = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    pick: fc.nat(1000),
    how: fc.constantFrom("once", "by key", "after a crash"),
  }),
  { minLength: 25, maxLength: 60, size: "max" },
);

const crash = new Error("the power failed");

/** Does what a turn says, once, however often it is begun. */
function play(turn: Turn, name: Name, how: string, key: string): void {
  const operate = (db: Db) => void operations[name]({ ...turn, db });
  if (how === "once") return operate(turn.db);
  if (how === "by key") {
    for (const _ of ["first", "again"])
      once(turn.db, ada, { path: "/", key, input: { name } }, turn.at, (tx) => () => {
        operate(tx);
        return { key };
      });
    return;
  }
  expect(() =>
    write(turn.db, (tx) => {
      operate(tx);
      throw crash;
    }),
  ).toThrow();
  operate(turn.db);
}

const all = ({ $client }: Db, sql: string) => $client.query<Record<string, unknown>, []>(sql).all();

/** What does not agree: cards with their payments, wallets with the cards that they are charged for. */
function wrong(db: Db): unknown[] {
  return [
    ...[...checkMoney(db), ...checkCards(db)].filter(({ severity }) => severity !== "ok"),
    // a payment is taken back exactly where its card came back unused
    ...all(
      db,
      `SELECT c.id, c.state, p.reversed_at FROM payments p JOIN cards c ON c.sale_payment_id = p.id
       WHERE (p.reversed_at IS NOT NULL) <> (c.state = 'void' AND c.first_used_at IS NULL) OR p.card_id <> c.id`,
    ),
    // each is one sale's
    ...all(
      db,
      "SELECT card_id FROM payments WHERE card_id IS NOT NULL AND id NOT IN (SELECT sale_payment_id FROM cards WHERE sale_payment_id IS NOT NULL)",
    ),
    // nobody's own wallet is moved by a sale
    ...all(
      db,
      "SELECT staff_id, sum(amount) AS moved FROM ledger_entries WHERE staff_id NOT IN (2, 3) GROUP BY staff_id HAVING moved <> 0",
    ),
    ...all(
      db,
      `SELECT s.id, coalesce((SELECT sum(amount) FROM ledger_entries WHERE staff_id = s.id AND kind = 'card'), 0) AS booked,
         (SELECT coalesce(sum(b.reseller_price), 0) FROM cards c JOIN card_batches b ON b.id = c.batch_id
          WHERE c.charged_at IS NOT NULL AND b.reseller_id = s.id) AS charged
       FROM staff s WHERE s.profile_type = 3 AND booked <> -charged`,
    ),
    // each entry of a card that a reseller pays when it is used is its price, once
    ...all(
      db,
      `SELECT e.card_id, count(*) AS n FROM ledger_entries e JOIN cards c ON c.id = e.card_id JOIN card_batches b ON b.id = c.batch_id
       WHERE b.charge_on = 'use' AND e.staff_id = b.reseller_id AND e.kind = 'card'
       GROUP BY e.card_id HAVING n <> 1 OR sum(e.amount) <> -b.reseller_price OR c.first_used_at IS NULL`,
    ),
    // a redeemed card brought its subscriber what it is worth, once
    ...all(
      db,
      `SELECT c.id FROM cards c JOIN card_batches b ON b.id = c.batch_id LEFT JOIN packages p ON p.id = b.package_id
         LEFT JOIN ledger_entries e ON e.card_id = c.id AND e.subscriber_id IS NOT NULL
       GROUP BY c.id HAVING coalesce(sum(e.amount), 0) <> iif(c.redeemed_by IS NULL, 0, iif(b.kind = 'refill', b.price, p.price))
         OR count(e.id) > 1 OR max(coalesce(e.subscriber_id, c.redeemed_by)) IS NOT c.redeemed_by`,
    ),
    // what it activated pays the subscriber's reseller, unless that has the margin of the card
    ...all(
      db,
      `SELECT c.id, i.commission FROM cards c JOIN card_batches b ON b.id = c.batch_id AND b.kind = 'package'
         LEFT JOIN invoices i ON i.subscriber_id = c.redeemed_by AND i.created_at = c.first_used_at
       WHERE c.redeemed_by IS NOT NULL AND i.commission IS NOT iif(i.seller_id = 2 AND b.reseller_id IS NOT 2, 300, 0)`,
    ),
    // what was charged at the handover and came back unused is paid for no more
    ...all(
      db,
      `SELECT c.id, c.state FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE b.charge_on = 'handover'
       AND (c.charged_at IS NULL) <> (c.state = 'void' AND c.first_used_at IS NULL)`,
    ),
  ];
}

const store = undoneTemplate(async (db) => {
  await fillTenants(db);
  db.$client.run("UPDATE packages SET price = 1500, reseller_price = 1200 WHERE id = 1");
  takePayment(db, ada, { staffId: 2, amount: 2000, method: "cash" }, { now: NOW });
});

test("after any sequence of making, selling, using and voiding, the stock, the tills and the wallets agree", async () => {
  const done = new Set<Name>();
  await fc.assert(
    fc.asyncProperty(turns, async (sequence) => {
      using opened = await store();
      const { db } = opened;
      const at = { now: NOW };
      for (const [index, { name, pick, how }] of sequence.entries()) {
        at.now += 60;
        const before = all(
          db,
          "SELECT count(*) AS n, (SELECT count(*) FROM payments) AS p FROM ledger_entries",
        );
        try {
          play({ db, pick, at }, name, how, `${index}`);
          done.add(name);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          expect(
            all(db, "SELECT count(*) AS n, (SELECT count(*) FROM payments) AS p FROM ledger_entries"),
          ).toEqual(before);
        }
        expect(wrong(db)).toEqual([]);
      }
      const { records } = listCardBatches(db, ada, { limit: 1000, offset: 0 }, at);
      for (const { id, quantity, counts } of records) {
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(quantity);
        expect(cardBatchById(db, ada, id, at).counts).toEqual(counts);
      }
      const { expected } = openTill(db, ada, {});
      const cash = all(
        db,
        `SELECT coalesce(sum(iif(closing_id IS NULL, amount, 0) - iif(reversed_at IS NOT NULL AND reversal_closing_id IS NULL, amount, 0)), 0) AS cash
         FROM payments WHERE taken_by = 1 AND method = 'cash' AND reseller_id IS NULL`,
      );
      expect(cash).toEqual([{ cash: expected }]);
    }),
    { numRuns: 40 },
  );
  expect([...done].sort()).toEqual([...names].sort()); // none of them is refused always
});
