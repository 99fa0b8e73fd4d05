import { cards } from "../../../../db/schema.ts";
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { listCardBatches } from "../../../../src/domain/service/cards/batch-list.ts";
import { importCards, reviveCard, voidUnused } from "../../../../src/domain/service/cards/import.ts";
import { createCardBatch, storedBatch } from "../../../../src/domain/service/cards/batches.ts";
import { recordFirstUse } from "../../../../src/domain/service/cards/first-use.ts";
import { listCards } from "../../../../src/domain/service/cards/list.ts";
import { redeemCard } from "../../../../src/domain/service/cards/redeem.ts";
import { sellCard } from "../../../../src/domain/desk/card-sales/sell.ts";
import {
  type Card,
  type CardBatch,
  type CardStanding,
  standingOf,
} from "../../../../src/domain/service/cards/standing.ts";
import { cardStock } from "../../../../src/domain/service/cards/stock.ts";
import { useCard } from "../../../../src/domain/service/cards/use.ts";
import { voidCard, voidCardBatch } from "../../../../src/domain/desk/card-sales/void.ts";
import { checkCards } from "../../../../src/domain/machine/check/cards.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { reportCardStock } from "../../../../src/domain/around/reports/card-stock.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { formatTime, localDay } from "../../../../src/domain/core/time/time.ts";
import { codesOf, storedCard } from "../../../support/card-codes.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

const HOUR = 3600;
const person = (staffId: number, salespersonId: number | null = null): Actor => ({
  staffId,
  subscriberId: null,
  name: `account ${staffId}`,
  source: "192.0.2.1",
  admin: true,
  scope: { ispId: 1, branchId: null, salespersonId },
  flags: new Set<string>(),
});
const [ada, rex] = [person(1), person(2, 2)];
const store = undoneTemplate(fillTenants);

interface Turn {
  readonly db: Db;
  readonly pick: number;
  readonly now: number;
}

const bounds = [
  { kind: "access", package_id: 1, duration: 5, duration_unit: "hour", uptime_seconds: HOUR },
  { kind: "access", package_id: 1, by_clock: 0, uptime_seconds: HOUR },
  { kind: "access", package_id: 1, duration: 2, duration_unit: "day" },
  { kind: "refill" },
];
const handed = [{}, { reseller_id: 2, reseller_price: 1.5, charge_on: "use" }, { branch_id: 11 }];
const REASON = "slip";

function make({ db, pick, now }: Turn): void {
  const days =
    pick % 3 === 0 ? { sell_by: formatTime(now + 30 * HOUR), use_by: formatTime(now + 50 * HOUR) } : {};
  const input = { ...bounds[pick % 4], ...handed[pick % 3], ...days, quantity: 1 + (pick % 6), price: 2 };
  createCardBatch(db, ada, input, { now });
}

let brought = 0;
function bring({ db, now }: Turn): void {
  const codes = [1, 2].map((nth) => ({
    key: Buffer.from(`${brought++} ${nth}`),
    sealed: Buffer.from("-"),
  }));
  const of = { ispId: 1, kind: "access", packageId: 1, price: 100, note: null, origin: "papers" } as const;
  const terms = {
    endsAt: now + 40 * HOUR,
    validity: { count: 3, unit: "hour" },
    uptimeSeconds: null,
  } as const;
  write(db, (tx) => importCards(tx, ada, { ...of, ...terms }, { codes, now }));
}

function cardOf({ db, pick }: Turn): Card {
  const count = db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM cards").get()?.n ?? 0;
  return storedCard(db, (pick % count) + 1);
}

const within = (turn: Turn, run: (tx: Tx, card: Card) => unknown) =>
  write(turn.db, (tx) => void run(tx, cardOf(turn)));
const uses = (ago: number) => (turn: Turn) =>
  within(turn, (tx, { id }) => recordFirstUse(tx, { cardId: id, at: turn.now - ago, mac: null }));

const operations = {
  make,
  bring,
  sell: (turn) => sellCard(turn.db, ada, { id: cardOf(turn).id, method: "cash" }, turn),
  sell_as_reseller: (turn) => sellCard(turn.db, rex, { id: cardOf(turn).id }, turn),
  use: uses(0),
  use_told_late: uses(20 * HOUR),
  redeem: (turn) => {
    const { id, batchId } = cardOf(turn);
    if (storedBatch(turn.db, batchId).origin !== null) return; // nobody knows its code
    const { code = "" } = codesOf(turn.db, batchId).find((card) => card.id === id) ?? {};
    redeemCard(turn.db, ada, { subscriberId: 1, code }, turn);
  },
  spend: (turn) =>
    within(turn, (tx, { id, state }) => {
      if (state === "active") useCard(tx, { cardId: id, seconds: 2000, octets: 5, at: turn.now });
    }),
  make_void: (turn) => voidCard(turn.db, ada, { id: cardOf(turn).id, reason: REASON }, turn),
  make_batch_void: (turn) => voidCardBatch(turn.db, ada, { id: cardOf(turn).batchId, reason: REASON }, turn),
  void_brought: (turn) =>
    within(turn, (tx, { id }) => voidUnused(tx, id, { staffId: null, reason: REASON, now: turn.now })),
  revive: (turn) => within(turn, (tx, { id }) => reviveCard(tx, id)),
} satisfies Record<string, (turn: Turn) => unknown>;

type Name = keyof typeof operations;
const names = Object.keys(operations).filter((name): name is Name => Object.hasOwn(operations, name));
const turns = fc.array(
  fc.record({ name: fc.constantFrom(...names), pick: fc.nat(1000), passes: fc.nat(3 * HOUR) }),
  { minLength: 40, maxLength: 90, size: "max" },
);

/** What the sums of days would be, had every card been asked. */
function recountedDays(all: readonly Stored[]): Record<string, number[]> {
  const days: Record<string, number[]> = {};
  const add = ({ card, batch }: Stored, at: number | null, column: number) => {
    if (at === null) return;
    const seller = card.soldBy ?? batch.resellerId ?? 0;
    const key = [
      localDay(at),
      batch.branchId ?? 0,
      batch.kind,
      batch.packageId ?? 0,
      batch.price,
      seller,
    ].join();
    const row = (days[key] ??= [0, 0, 0, 0]);
    row[column] = (row[column] ?? 0) + 1;
  };
  for (const one of all) {
    const { soldAt, firstUsedAt, voidedAt } = one.card;
    add(one, soldAt ?? firstUsedAt, 0);
    add(one, firstUsedAt, 1);
    add(one, voidedAt, 2);
    if (soldAt !== null && firstUsedAt === null) add(one, voidedAt, 3);
  }
  return days;
}

function keptDays({ $client }: Db): Record<string, number[]> {
  const rows = $client
    .query<{ key: string; sold: number; used: number; void: number; returned: number }, []>(
      `SELECT concat_ws(',', day, branch_id, kind, package_id, price, seller_id) AS key, sold, used, void, returned FROM card_days
       WHERE sold <> 0 OR used <> 0 OR void <> 0 OR returned <> 0`,
    )
    .all();
  return Object.fromEntries(rows.map((row) => [row.key, [row.sold, row.used, row.void, row.returned]]));
}

interface Stored {
  readonly card: Card;
  readonly batch: CardBatch;
  readonly standing: CardStanding;
}

function everyCard(db: Db, now: number): Stored[] {
  const stored = db.select().from(cards).orderBy(cards.batchId, cards.serial).all();
  return stored.map((card) => {
    const batch = storedBatch(db, card.batchId);
    return { card, batch, standing: standingOf(card, batch, now) };
  });
}

const all = ["new", "sold", "active", "used_up", "expired", "void"] as const;
const states = ["new", "sold", "active", "void"] as const;

function requireEqual(db: Db, now: number): void {
  const cards = everyCard(db, now);
  const ids = (expected: (one: Stored) => boolean) => cards.filter(expected).map(({ card }) => card.id);
  expect(checkCards(db).filter(({ severity }) => severity !== "ok")).toEqual([]);
  expect(keptDays(db)).toEqual(recountedDays(cards));
  for (const { id, counts } of listCardBatches(db, ada, { limit: 1000, offset: 0 }, { now }).records)
    for (const standing of all)
      expect([standing, counts[standing]]).toEqual([
        standing,
        ids(({ card, standing: is }) => card.batchId === id && is === standing).length,
      ]);
  const page = { limit: 1000, offset: 0, now };
  for (const standing of all) {
    const expected = ids((one) => one.standing === standing);
    const found = listCards(db, ada, { standing }, page);
    expect([standing, found.records.map(({ id }) => id), found.total]).toEqual([
      standing,
      expected,
      expected.length,
    ]);
    for (const state of states) {
      const both = ids((one) => one.standing === standing && one.card.state === state);
      expect(listCards(db, ada, { standing, state }, page).records.map(({ id }) => id)).toEqual(both);
    }
  }
  const sum = (of: (row: ReturnType<typeof reportCardStock>["rows"][number]) => number) =>
    reportCardStock(db, ada, { now }).rows.reduce((total, row) => total + of(row), 0);
  const isUnsold = ({ card, standing }: Stored) => card.state === "new" && standing === "expired";
  expect(sum((row) => row.new)).toBe(ids(({ standing }) => standing === "new").length);
  expect(sum((row) => row.expired)).toBe(ids(isUnsold).length);
  expect(sum((row) => row.unused)).toBe(
    ids(({ card, standing }) => card.state === "sold" && standing === "expired").length,
  );
  expect(sum((row) => row.active + row.usedUp)).toBe(ids(({ card }) => card.state === "active").length);
  const inUse = ids(({ batch, standing }) => batch.kind === "access" && standing === "active");
  expect(sum((row) => row.active)).toBe(inUse.length);
  const left = cardStock(db, ada, { now }).reduce((total, line) => total + line.left, 0);
  expect(left).toBe(ids(({ batch, standing }) => standing === "new" && batch.voidedAt === null).length);
}

test("after any sequence of changes every sum and every list is what asking each card would say", async () => {
  const done = new Set<Name>();
  await fc.assert(
    fc.asyncProperty(turns, async (sequence) => {
      using opened = await store();
      const { db } = opened;
      let now = NOW;
      for (const pick of [0, 1, 2, 3, 5]) make({ db, pick, now });
      for (const { name, pick, passes } of sequence) {
        now += passes;
        try {
          operations[name]({ db, pick, now });
          done.add(name);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
      }
      requireEqual(db, now);
      requireEqual(db, now + 30 * HOUR);
    }),
    { numRuns: 25 },
  );
  expect([...done].sort()).toEqual([...names].sort()); // none of them is refused always
});
