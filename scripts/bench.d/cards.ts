import { type Db, write } from "../../db/open.ts";
import { listCardBatches } from "../../src/domain/service/cards/batch-list.ts";
import { createCardBatch } from "../../src/domain/service/cards/batches.ts";
import { findCard } from "../../src/domain/service/cards/find.ts";
import { recordFirstUse } from "../../src/domain/service/cards/first-use.ts";
import { type CardFilters, type CardPage, listCards } from "../../src/domain/service/cards/list.ts";
import { sellCard } from "../../src/domain/desk/card-sales/sell.ts";
import { cardStock } from "../../src/domain/service/cards/stock.ts";
import { voidCardBatch } from "../../src/domain/desk/card-sales/void.ts";
import { reportCardStock } from "../../src/domain/around/reports/card-stock.ts";
import { reportCards } from "../../src/domain/around/reports/cards.ts";
import { type MadeCard, makeBatch } from "../../test/support/card-codes.ts";
import { aSubscriber, by } from "../../test/support/isp.ts";
import { fillManyCards } from "../../test/support/many-cards.ts";
import { TestHandlers } from "../../test/support/radius-handlers.ts";
import { NOW } from "../../test/support/store.ts";

const MANY = 1_000_000;
/** How many cards are in the store, and in each batch of them. */
const SIZES = [
  { cards: 1000, perBatch: 100 },
  { cards: MANY, perBatch: 10_000 },
  { cards: MANY, perBatch: 100 },
] as const;
const BATCH = 10_000;
const DAY = 86_400;
/** Cards that are asked for, and how often each other thing is. */
const RUNS = 1000;
const TIMES = 15;
const clerk = { ...by, staffId: 1, name: "Ada" };
const now = { now: NOW };

/** Medians of processor time in microseconds, of each size of `sizes`. */
export interface CardFigures {
  readonly sizes: readonly { readonly cards: number; readonly perBatch: number }[];
  readonly rows: readonly { readonly what: string; readonly times: readonly number[] }[];
}

/** What cards cost, in this process: logins without their sockets, the operations without HTTP. */
export async function measureCards(log: (line: string) => void): Promise<CardFigures> {
  const measured: Record<string, number>[] = [];
  for (const { cards, perBatch } of SIZES) {
    log(`cards: ${cards} in batches of ${perBatch}`);
    measured.push(await measureWith(cards, perBatch));
  }
  const rows = Object.keys(measured[0] ?? {}).map((what) => ({
    what,
    times: measured.map((one) => one[what] ?? 0),
  }));
  return { sizes: SIZES, rows };
}

async function measureWith(cards: number, perBatch: number): Promise<Record<string, number>> {
  await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
  const { db } = handlers;
  db.$client.run("PRAGMA cache_size = -500000"); // kB; to fill it
  fillManyCards(db, { cards, perBatch, now: NOW });
  db.$client.run("ANALYZE");
  db.$client.run("PRAGMA cache_size = -65536");
  const made = makeBatch(db, { quantity: RUNS, devices: 1000 });
  return { ...logins(handlers, made), ...reads(db, made), ...writes(db) };
}

function logins(handlers: TestHandlers, made: readonly MadeCard[]): Record<string, number> {
  const login = (name: string, password: string) =>
    handlers.client.prepareAccess({
      name,
      password,
      method: "pap",
      attributes: [["Calling-Station-Id", "02:00:00:00:00:01"]],
    }).datagram;
  const answer = (datagram: Buffer) => void handlers.askRaw(datagram);
  const byCard = (index: number) => login(codeAt(made, index), codeAt(made, index));
  return {
    "login of a subscriber": median(RUNS, () => login("user1", "pw-1"), answer),
    "login by a card": median(RUNS, byCard, answer),
    "login by a code that is none": median(RUNS, (index) => login(`nobody ${index}`, "x"), answer),
  };
}

const codeAt = (made: readonly MadeCard[], index: number) => made[index % made.length]?.code ?? "";

function reads(db: Db, made: readonly MadeCard[]): Record<string, number> {
  const times = (run: () => unknown) => median(TIMES, () => undefined, run);
  const list = (filters: CardFilters, page: Partial<CardPage> = {}) =>
    times(() => listCards(db, by, filters, { limit: 100, offset: 0, ...now, ...page }));
  const { total } = listCards(db, by, {}, { limit: 1, offset: 0, ...now });
  const month = { from: NOW - 30 * DAY, to: NOW };
  const report = (days: number, division: "day" | "seller") =>
    times(() => reportCards(db, by, { from: NOW - days * DAY, to: NOW, by: division }));
  return {
    "find by code": median(
      RUNS,
      (index) => codeAt(made, index),
      (code) => findCard(db, by, code, now),
    ),
    "list, the first 100": list({}),
    "list, the last 100": list({}, { offset: total - 100 }),
    "list, 100 of a batch": list({ batchId: 1 }),
    "list, the new ones": list({ standing: "new" }),
    "list, the sold ones": list({ standing: "sold" }),
    "list, those in use": list({ standing: "active" }),
    "list, the expired ones": list({ standing: "expired" }),
    "list, sold in a month": list({ soldFrom: month.from, soldTo: month.to }),
    "list, sold by one account": list({ soldBy: 1 }),
    "batches, the first 50": times(() => listCardBatches(db, by, { limit: 50, offset: 0 }, now)),
    "batches, with cards left": times(() =>
      listCardBatches(db, by, { isOpen: true, limit: 50, offset: 0 }, now),
    ),
    "what is in stock, on their page": times(() => cardStock(db, by, now)),
    "report: stock": times(() => reportCardStock(db, by, now)),
    "report: a month by day": report(30, "day"),
    "report: a year by seller": report(365, "seller"),
  };
}

/** Each a transaction; what the disk takes is not measured. */
function writes(db: Db): Record<string, number> {
  const ids = makeBatch(db, { quantity: 2 * (RUNS + 1) }).map(({ id }) => id);
  let next = 0;
  const card = () => ids[next++] ?? 0;
  const refills = () =>
    createCardBatch(db, by, { isp_id: 1, kind: "refill", price: "1.00", quantity: BATCH }, now).batch.id;
  return {
    "sell a card": median(RUNS, card, (id) => sellCard(db, clerk, { id, method: "cash" }, now)),
    "first use": median(RUNS, card, (cardId) =>
      write(db, (tx) => void recordFirstUse(tx, { cardId, at: NOW, mac: null })),
    ),
    "make 10,000": median(3, () => undefined, refills),
    "make 10,000 void": median(3, refills, (id) => voidCardBatch(db, by, { id, reason: "-" }, now)),
  };
}

/** The median processor time in microseconds, which others' work does not stretch; what `given` makes is not measured. */
function median<T>(times: number, prepare: (index: number) => T, run: (entered: T) => unknown): number {
  run(prepare(0));
  const measured = Array.from({ length: times }, (_, index) => {
    const value = prepare(index);
    const began = process.cpuUsage();
    run(value);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  }).toSorted((a, b) => a - b);
  return measured[Math.floor(times / 2)] ?? 0;
}
