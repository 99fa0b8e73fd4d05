import type { Db } from "../../db/open.ts";
import { createCardBatch } from "../../src/domain/cards/batches.ts";
import { findCard } from "../../src/domain/cards/find.ts";
import { listCards } from "../../src/domain/cards/list.ts";
import { reportCardStock } from "../../src/domain/reports/card-stock.ts";
import { reportCards } from "../../src/domain/reports/cards.ts";
import { makeBatch } from "../../test/support/card-codes.ts";
import { aSubscriber, by } from "../../test/support/isp.ts";
import { TestHandlers } from "../../test/support/radius-handlers.ts";
import { NOW } from "../../test/support/store.ts";

const FEW = 1000;
const MANY = 1_000_000;
const BATCH = 10_000;
const DAY = 86_400;
/** Cards that are asked for, and how often each other thing is. */
const ASKED = 1000;
const TIMES = 15;

/** Medians in microseconds, with few cards in the store and with many. */
export interface CardFigures {
  readonly few: number;
  readonly many: number;
  readonly rows: readonly { readonly what: string; readonly few: number; readonly many: number }[];
}

/** What cards cost, in this process: logins without their sockets, the operations without HTTP. */
export async function measureCards(say: (line: string) => void): Promise<CardFigures> {
  say(`cards: ${FEW}`);
  const few = await measureWith(FEW);
  say(`cards: ${MANY}`);
  const many = await measureWith(MANY);
  return {
    ...{ few: FEW, many: MANY },
    rows: Object.keys(few).map((what) => ({ what, few: few[what] ?? 0, many: many[what] ?? 0 })),
  };
}

async function measureWith(cards: number): Promise<Record<string, number>> {
  await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
  const { db } = handlers;
  fill(db, cards - ASKED);
  const made = makeBatch(db, { quantity: ASKED, devices: 1000 });
  db.$client.run("ANALYZE");
  const login = (name: string, password: string) => () =>
    handlers.client.prepareAccess({
      ...{ name, password, method: "pap" },
      attributes: [["Calling-Station-Id", "02:00:00:00:00:01"]],
    }).datagram;
  const answer = (datagram: Buffer) => void handlers.askRaw(datagram);
  const codeOf = (index: number) => made[index % ASKED]?.code ?? "";
  const now = { now: NOW };
  const month = { from: NOW - 30 * DAY, to: NOW };
  const times = (run: () => unknown) => median(TIMES, () => undefined, run);
  return {
    "login of a subscriber": median(ASKED, (index) => login("user1", index < 0 ? "" : "pw-1")(), answer),
    "login by a card": median(ASKED, (index) => login(codeOf(index), codeOf(index))(), answer),
    "login by a code that is none": median(ASKED, (index) => login(`nobody ${index}`, "x")(), answer),
    "find by code": median(ASKED, codeOf, (code) => findCard(db, by, code, now)),
    "list, the first 100": times(() => listCards(db, by, {}, { limit: 100, offset: 0, ...now })),
    "list, 100 of a batch": times(() => listCards(db, by, { batchId: 1 }, { limit: 100, offset: 0, ...now })),
    "list, the sold ones": times(() =>
      listCards(db, by, { standing: "sold" }, { limit: 100, offset: 0, ...now }),
    ),
    "report: stock": times(() => reportCardStock(db, by, now)),
    "report: a month by day": times(() => reportCards(db, by, { ...month, by: "day" })),
    "report: a month by seller": times(() => reportCards(db, by, { ...month, by: "seller" })),
    "make 10,000": median(
      3,
      () => undefined,
      () =>
        createCardBatch(db, by, { isp_id: 1, kind: "refill", price: "1.00", quantity: BATCH }, { now: NOW }),
    ),
  };
}

/** A year of batches, of which most are used and over: codes that nobody knows, at random like real ones. */
function fill({ $client }: Db, cards: number): void {
  $client.run("PRAGMA cache_size = -500000"); // kB
  $client.transaction(() => {
    for (let left = cards, batch = 1; left > 0; left -= BATCH, batch++) {
      const quantity = Math.min(left, BATCH);
      const made = NOW - 365 * DAY + Math.floor((batch * 365 * DAY * BATCH) / Math.max(cards, BATCH));
      $client.run(
        `INSERT INTO card_batches (id, isp_id, kind, package_id, quantity, price, length, alphabet, duration, duration_unit, created_at)
         VALUES (?, 1, 'access', 1, ?, 100, 12, '0123456789', 1, 'day', ?)`,
        [batch, quantity, Math.min(made, NOW)],
      );
      $client.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO cards (batch_id, serial, code_key, code_sealed, state, sold_at, sold_by, first_used_at, ends_at)
         SELECT ?2, i, randomblob(16), randomblob(40), iif(i % 10 < 2, 'new', iif(i % 10 = 2, 'sold', 'active')),
           iif(i % 10 < 2, NULL, min(?3 + i * 260, ?4)), iif(i % 10 < 2, NULL, 1),
           iif(i % 10 < 3, NULL, min(?3 + i * 260, ?4)), iif(i % 10 < 3, NULL, min(?3 + i * 260, ?4) + ${DAY})
         FROM n`,
        [quantity, batch, made, NOW],
      );
    }
  })();
}

/** The median of so many times in microseconds; what `given` makes is not timed. */
function median<T>(times: number, given: (index: number) => T, run: (given: T) => unknown): number {
  run(given(0));
  const measured = Array.from({ length: times }, (_, index) => {
    const asked = given(index);
    const began = performance.now();
    run(asked);
    return (performance.now() - began) * 1000;
  }).toSorted((a, b) => a - b);
  return measured[Math.floor(times / 2)] ?? 0;
}
