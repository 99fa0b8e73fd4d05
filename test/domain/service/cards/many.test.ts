import { expect, spyOn, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { listCardBatches } from "../../../../src/domain/service/cards/batch-list.ts";
import { createCardBatch, planCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { chargeCards } from "../../../../src/domain/service/cards/charge.ts";
import { dueCardSessions } from "../../../../src/domain/service/enforcement/due-cards.ts";
import { openCardSessions } from "../../../../src/domain/service/enforcement/end-sessions.ts";
import { findCard } from "../../../../src/domain/service/cards/find.ts";
import { recordFirstUse } from "../../../../src/domain/service/cards/first-use.ts";
import { cardLately } from "../../../../src/domain/service/cards/lately.ts";
import { cardById, type CardFilters, listCards } from "../../../../src/domain/service/cards/list.ts";
import { printCards, reprintCard } from "../../../../src/domain/service/cards/print.ts";
import { CardReader, nameInBooks } from "../../../../src/domain/service/cards/reader.ts";
import {
  hasRedeemableCards,
  ownCards,
  previewCard,
  redeemCard,
} from "../../../../src/domain/service/cards/redeem.ts";
import { sellCard } from "../../../../src/domain/desk/card-sales/sell.ts";
import { cardStock } from "../../../../src/domain/service/cards/stock.ts";
import { codeNames } from "../../../../src/domain/goods/codes/taken-names.ts";
import { unlockCard } from "../../../../src/domain/service/cards/unlock.ts";
import { useCard } from "../../../../src/domain/service/cards/use.ts";
import { voidCard, voidCardBatch } from "../../../../src/domain/desk/card-sales/void.ts";
import { reportCardStock } from "../../../../src/domain/around/reports/card-stock.ts";
import { reportCards } from "../../../../src/domain/around/reports/cards.ts";
import { findElsewhere } from "../../../../src/domain/desk/search/elsewhere.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { toNeedle } from "../../../../src/domain/goods/subscribers/search-words.ts";
import { makeBatch } from "../../../support/card-codes.ts";
import { aSubscriber, by as admin, DAY, loadIsp } from "../../../support/isp.ts";
import { fillManyCards } from "../../../support/many-cards.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const now = NOW;
const at = { now };
const by: Actor = {
  ...admin,
  staffId: 1,
  name: "Ada",
  scope: { ispId: 1, branchId: null, salespersonId: null },
};
const subscriber: Actor = { ...by, staffId: null, subscriberId: 1, admin: false };
const month = { from: NOW - 30 * DAY, to: NOW };

let db: Db;
let code = "";
let refill = "";

async function open(isAnalyzed: boolean) {
  const store = temporaryStore();
  ({ db } = store);
  await loadIsp(db, { subscribers: [aSubscriber(1)] });
  fillManyCards(db, { cards: 10_000, perBatch: 50, now });
  const made = (input: object) => makeBatch(db, { quantity: 20, ...input })[0]?.code ?? "";
  code = made({ lock_first_device: 1 });
  refill = made({ kind: "refill", package_id: "", duration: "", duration_unit: "" });
  if (isAnalyzed) db.$client.run("ANALYZE");
  return store;
}

const MAC = "02:00:00:00:00:01";
const list = (filters: CardFilters) => () => listCards(db, by, filters, { limit: 100, offset: 0, now });
const batches = (choice: object) => () => listCardBatches(db, by, { ...choice, limit: 50, offset: 0 }, at);
const newBatch = { isp_id: 1, kind: "refill", price: "1.00", quantity: 2 };

/** What a request, a login, accounting and each job ask of cards; in this order, for some of it changes them. */
const operations: Record<string, () => unknown> = {
  "a list": list({}),
  "a list of a kind": list({ kind: "access", packageId: 1 }),
  "a list of a standing": list({ standing: "active" }),
  "a list of the expired": list({ standing: "expired" }),
  "a list of a state": list({ state: "sold" }),
  "a list of a batch": list({ batchId: 7, standing: "used_up" }),
  "a list of what was sold in a month": list({ soldFrom: month.from, soldTo: month.to }),
  "a list of what somebody sold": list({ soldBy: 1, standing: "sold" }),
  "a list of who redeemed": list({ redeemedBy: 1 }),
  "a list of serials": list({ batchId: 7, fromSerial: 3, toSerial: 9, standing: "new" }),
  "the batches": batches({}),
  "the batches that are open": batches({ isOpen: true, sort: "price" }),
  "the batches that are searched": batches({ search: "C-000123" }),
  "the stock": () => cardStock(db, by, at),
  "the report of the stock": () => reportCardStock(db, by, at),
  "the report of days": () => reportCards(db, by, { ...month, by: "day" }),
  "the report of sellers": () => reportCards(db, by, { ...month, by: "seller" }),
  "a search on any page": () =>
    findElsewhere(db, { scope: by.scope, allows: () => true, needle: toNeedle("0007-003"), now }),
  "a card by its code": () => findCard(db, by, code, at),
  "a card by its number on paper": () => findCard(db, by, "0007-003", at),
  "a card": () => cardById(db, by, 5, at),
  "what became of a card": () => cardLately(db, by, cardById(db, by, 5, at)),
  "printing a range": () => printCards(db, by, { batchId: 201, from: 1, to: 20 }, at),
  "printing one again": () => reprintCard(db, by, { id: 10_002 }, at),
  "a login": () => {
    const reader = new CardReader(db);
    const card = reader.card(code);
    if (card) reader.openSessions({ ...card, isOpen: 1 });
    if (card) reader.hasStarted(card.id, Buffer.from("class"), NOW);
    if (card) reader.findBatch(card);
  },
  "a name in the books": () => nameInBooks(db, code),
  "a new username": () => codeNames(db)("somebody"),
  "a first use": () => write(db, (tx) => void recordFirstUse(tx, { cardId: 10_001, at: now, mac: MAC })),
  "use that uses it up": () =>
    write(db, (tx) => void useCard(tx, { cardId: 10_001, seconds: 60, octets: 1, at: now })),
  "charging resellers": () => void chargeCards(db, admin, at),
  "sessions that are over": () => dueCardSessions(db, now),
  "sessions of a card that are over": () => dueCardSessions(db, now, 10_001),
  "open sessions of a card": () => openCardSessions(db, 10_001),
  "letting go of a device": () => unlockCard(db, by, { id: 10_001 }, at),
  "a sale": () => sellCard(db, by, { id: 10_003, method: "cash" }, at),
  "a void card": () => voidCard(db, by, { id: 10_003, reason: "wet" }, at),
  "a void batch": () => voidCardBatch(db, by, { id: 201, reason: "wet" }, at),
  "a new batch that is planned": () => planCardBatch(db, by, newBatch, at),
  "a new batch": () => createCardBatch(db, by, newBatch, at),
  "redeeming that is tried": () => previewCard(db, by, { subscriberId: 1, code: refill }, at),
  redeeming: () => redeemCard(db, by, { subscriberId: 1, code: refill }, at),
  "cards that a subscriber redeemed": () => ownCards(db, subscriber, 1),
  "whether the portal speaks of cards": () => hasRedeemableCards(db, 1),
};

/** How the store finds what is asked of tables of cards, as it would answer each statement. */
function plansOf(ask: () => unknown): string[] {
  const { $client } = db;
  using query = spyOn($client, "query");
  ask();
  const texts = [...new Set(query.mock.calls.map(([sql]) => sql))];
  return texts
    .filter((sql) => /\bcards\b|card_/.test(sql) && sql !== "SELECT 1 FROM cards LIMIT 1")
    .flatMap((sql) => {
      using plan = $client.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`);
      return plan.all().map(({ detail }) => detail);
    });
}

// as every statement calls cards, what is counted of them by batch, and by day
const readsAll = /^SCAN (c|cards|k|card_counts|d|card_days)\b/;

test.each([
  ["that knows nothing of its tables", false],
  ["that has counted its tables", true],
])("in a store %s nothing reads the cards as a whole", async (_name, isAnalyzed) => {
  using _ = await open(isAnalyzed);
  const plans = Object.entries(operations).map(([name, ask]) => [name, plansOf(ask)] as const);
  expect(plans.filter(([, steps]) => steps.length === 0)).toEqual([]);
  expect(plans.map(([name, steps]) => [name, steps.filter((step) => readsAll.test(step))])).toEqual(
    plans.map(([name]) => [name, []]),
  );
});
