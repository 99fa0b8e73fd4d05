import { expect, test } from "bun:test";
import type { Db } from "../../../db/open.ts";
import { reportCardStock } from "../../../src/domain/reports/card-stock.ts";
import { reportCards } from "../../../src/domain/reports/cards.ts";
import { localDay } from "../../../src/domain/time.ts";
import { by, DAY, loadIsp } from "../../support/isp.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

const now = { now: NOW + 10 * DAY };
const range = { from: NOW - DAY, to: NOW + 20 * DAY };

type Row = Record<string, string | number | Uint8Array | null>;

function insert({ $client }: Db, table: string, row: Row): number {
  const names = Object.keys(row);
  const marks = names.map(() => "?").join(", ");
  return Number(
    $client
      .query<unknown, (string | number | Uint8Array | null)[]>(
        `INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`,
      )
      .run(...Object.values(row)).lastInsertRowid,
  );
}

const aBatch = (db: Db, row: Row = {}) =>
  insert(db, "card_batches", {
    ...{
      isp_id: 1,
      kind: "access",
      package_id: 1,
      quantity: 1,
      price: 500,
      duration: 1,
      duration_unit: "day",
    },
    created_at: NOW,
    ...row,
  });

let nth = 0;
function aCard(db: Db, batch: number, row: Row = {}): void {
  const [key, sealed] = [Buffer.from(`key ${++nth}`), Buffer.from("sealed")];
  const id = insert(db, "cards", { batch_id: batch, serial: nth, code_key: key, code_sealed: sealed });
  const names = Object.keys(row);
  if (names.length > 0)
    db.$client
      .query<unknown, (string | number | Uint8Array | null)[]>(
        `UPDATE cards SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
      )
      .run(...Object.values(row), id);
}

async function store() {
  const store = temporaryStore();
  await loadIsp(store.db);
  store.db.$client.run("PRAGMA ignore_check_constraints = ON");
  return store;
}

test("the stock is what each card is worth now, by package and kind", async () => {
  using temporary = await store();
  const { db } = temporary;
  const daily = aBatch(db, { quantity: 9, uptime_seconds: 3600, quota_total: 1000 });
  aCard(db, daily);
  aCard(db, daily);
  aCard(db, daily, { state: "sold", sold_at: NOW });
  const used = { state: "active", first_used_at: NOW };
  aCard(db, daily, { ...used, ends_at: now.now + 1 });
  aCard(db, daily, { ...used, ends_at: now.now });
  aCard(db, daily, { ...used, ends_at: now.now + 1, used_seconds: 3600 });
  aCard(db, daily, { ...used, ends_at: now.now + 1, used_octets: 1000 });
  aCard(db, daily, { ...used, ends_at: now.now + 1, used_up_at: NOW });
  aCard(db, daily, { state: "void" });
  const over = aBatch(db, { quantity: 2, sell_by: now.now, use_by: now.now });
  aCard(db, over);
  aCard(db, over, { state: "sold", sold_at: NOW });
  const clockless = aBatch(db, { quantity: 2, duration: null, duration_unit: null, uptime_seconds: 60 });
  aCard(db, clockless, { ...used, used_seconds: 59 });
  aCard(db, clockless, { ...used, used_seconds: 60 });
  const refills = aBatch(db, { quantity: 2, kind: "refill", package_id: null, price: 1000 });
  aCard(db, refills);
  aCard(db, refills, used);
  const isp = { ispId: 1, isp: expect.any(String), currency: "USD" };
  expect(reportCardStock(db, by, now).rows).toEqual([
    {
      ...{ ...isp, packageId: 1, package: expect.any(String), kind: "access" },
      ...{ new: 2, worth: 1000, sold: 1, active: 2, usedUp: 5, expired: 2, void: 1 },
    },
    {
      ...{ ...isp, packageId: 0, package: null, kind: "refill" },
      ...{ new: 1, worth: 1000, sold: 0, active: 0, usedUp: 1, expired: 0, void: 0 },
    },
  ]);
});

test("what was made, sold and used stands on its day; a first use that nobody sold is a sale of who holds the batch", async () => {
  using temporary = await store();
  const { db } = temporary;
  const desk = aBatch(db, { quantity: 4 });
  const held = aBatch(db, {
    quantity: 2,
    reseller_id: 2,
    reseller_price: 400,
    charge_on: "use",
    created_at: NOW + DAY,
  });
  aCard(db, desk);
  aCard(db, desk, { state: "sold", sold_at: NOW, sold_by: 1 });
  aCard(db, desk, { state: "active", sold_at: NOW, sold_by: 1, first_used_at: NOW + 2 * DAY });
  aCard(db, desk, { state: "void", sold_at: NOW, sold_by: 1 }); // was handed back
  aCard(db, held, { state: "active", first_used_at: NOW + 2 * DAY });
  aCard(db, held, { state: "void", first_used_at: NOW + 2 * DAY, sold_at: NOW + DAY, sold_by: 2 });
  const isp = { ispId: 1, isp: expect.any(String), currency: "USD" };
  const days = (at: number) => ({ ...isp, id: localDay(at), name: null });
  expect(reportCards(db, by, { ...range, by: "day" }).rows).toEqual([
    { ...days(NOW), made: 4, sold: 2, used: 0, amount: 1000, ofIsp: 1000 },
    { ...days(NOW + DAY), made: 2, sold: 1, used: 0, amount: 500, ofIsp: 400 },
    { ...days(NOW + 2 * DAY), made: 0, sold: 1, used: 3, amount: 500, ofIsp: 400 },
  ]);
  expect(reportCards(db, by, { ...range, by: "package" }).rows).toEqual([
    { ...isp, id: 1, name: expect.any(String), made: 6, sold: 4, used: 3, amount: 2000, ofIsp: 1800 },
  ]);
  expect(
    reportCards(db, by, { ...range, by: "seller" })
      .rows.map(({ id, made, sold, used, amount }) => [id, made, sold, used, amount])
      .toSorted(),
  ).toEqual([
    [0, 4, 0, 0, 0],
    [1, 0, 2, 1, 1000],
    [2, 2, 2, 2, 1000],
  ]);
  expect(reportCards(db, by, { from: NOW + 3 * DAY, to: NOW + 4 * DAY, by: "day" }).rows).toEqual([]);
});

test("more days than are read at once are refused", async () => {
  using temporary = await store();
  expect(() => reportCards(temporary.db, by, { from: NOW, to: NOW + 93 * DAY, by: "day" })).toThrow(
    "may be at most 92 days",
  );
});
