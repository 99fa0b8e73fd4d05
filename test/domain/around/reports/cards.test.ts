import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { recordFirstUse } from "../../../../src/domain/service/cards/first-use.ts";
import { sellCard } from "../../../../src/domain/desk/card-sales/sell.ts";
import { voidCard } from "../../../../src/domain/desk/card-sales/void.ts";
import { reportCardStock } from "../../../../src/domain/around/reports/card-stock.ts";
import { reportCards } from "../../../../src/domain/around/reports/cards.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { RESELLER } from "../../../../src/domain/core/actor/profile-types.ts";
import { localDay } from "../../../../src/domain/core/time/time.ts";
import { makeBatch } from "../../../support/card-codes.ts";
import { by, DAY, loadIsp } from "../../../support/isp.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

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
    isp_id: 1,
    kind: "access",
    package_id: 1,
    quantity: 1,
    price: 500,
    duration: 1,
    duration_unit: "day",
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
  aCard(db, daily, { ...used, ends_at: now.now + 1, used_seconds: 3600, used_up_at: NOW });
  aCard(db, daily, { ...used, ends_at: now.now + 1, used_octets: 1000, used_up_at: NOW });
  aCard(db, daily, { ...used, ends_at: now.now + 1, used_up_at: NOW });
  aCard(db, daily, { state: "void" });
  const over = aBatch(db, { quantity: 2, sell_by: now.now, use_by: now.now });
  aCard(db, over);
  aCard(db, over, { state: "sold", sold_at: NOW });
  const clockless = aBatch(db, { quantity: 2, duration: null, duration_unit: null, uptime_seconds: 60 });
  aCard(db, clockless, { ...used, used_seconds: 59 });
  aCard(db, clockless, { ...used, used_seconds: 60, used_up_at: NOW });
  const refills = aBatch(db, { quantity: 2, kind: "refill", package_id: null, price: 1000 });
  aCard(db, refills);
  aCard(db, refills, used);
  const isp = { ispId: 1, isp: expect.any(String), currency: "USD" };
  expect(reportCardStock(db, by, now).rows).toEqual([
    {
      ...isp,
      packageId: 1,
      package: expect.any(String),
      kind: "access",
      new: 2,
      worth: 1000,
      sold: 1,
      active: 2,
      usedUp: 5,
      expired: 1,
      lost: 500,
      unused: 1,
      void: 1,
    },
    {
      ...isp,
      packageId: 0,
      package: null,
      kind: "refill",
      new: 1,
      worth: 1000,
      sold: 0,
      active: 0,
      usedUp: 1,
      expired: 0,
      lost: 0,
      unused: 0,
      void: 0,
    },
  ]);
});

/** An account of ISP 1, which sells at the desk or holds batches. */
const person = (staffId: number, salespersonId: number | null = null): Actor => ({
  ...by,
  staffId,
  name: `account ${staffId}`,
  scope: { ispId: 1, branchId: null, salespersonId },
});
const at = (days: number) => ({ now: NOW + days * DAY });

/** Four cards of the desk at 5.00, and a day later two that account 2 holds at 4.00. */
async function sellers() {
  const opened = await store();
  const { db } = opened;
  const access = { isp_id: 1, kind: "access", package_id: 1, price: "5.00" };
  db.$client.run("UPDATE staff SET profile_type = ? WHERE id = 2", [RESELLER]);
  makeBatch(db, { ...access, quantity: 4 });
  makeBatch(
    db,
    { ...access, quantity: 2, reseller_id: 2, reseller_price: "4.00", charge_on: "use" },
    at(1).now,
  );
  return opened;
}

test("what was made, sold and used stands on its day; a first use that nobody sold is a sale of who holds the batch", async () => {
  using temporary = await sellers();
  const { db } = temporary;
  const use = (cardId: number, days: number) => recordFirstUse(db, { cardId, at: at(days).now, mac: null });
  for (const id of [2, 3, 4]) sellCard(db, person(1), { id, method: "cash" }, at(0));
  use(3, 2);
  use(5, 2);
  sellCard(db, person(2, 2), { id: 6 }, at(1));
  use(6, 2);
  const before = reportCards(db, by, { ...range, by: "day" }).rows;
  voidCard(db, by, { id: 4, reason: "came back" }, at(3)); // was not used
  voidCard(db, by, { id: 6, reason: "was" }, at(3));
  voidCard(db, by, { id: 1, reason: "wet" }, at(3));
  const isp = { ispId: 1, isp: expect.any(String), currency: "USD" };
  const on = (days: number) => ({ ...isp, id: localDay(at(days).now), name: null });
  const nothing = { made: 0, sold: 0, used: 0, amount: 0, ofIsp: 0, void: 0, returned: 0 };
  const days = [
    { ...on(0), ...nothing, made: 4, sold: 3, amount: 1500, ofIsp: 1500 },
    { ...on(1), ...nothing, made: 2, sold: 1, amount: 500, ofIsp: 400 },
    { ...on(2), ...nothing, sold: 1, used: 3, amount: 500, ofIsp: 400 },
  ];
  expect(before).toEqual(days);
  // days that are over stay as they were
  expect(reportCards(db, by, { ...range, by: "day" }).rows).toEqual([
    ...days,
    { ...on(3), ...nothing, void: 3, returned: 500 },
  ]);
  expect(reportCards(db, by, { ...range, by: "package" }).rows).toEqual([
    {
      ...isp,
      id: 1,
      name: expect.any(String),
      made: 6,
      sold: 5,
      used: 3,
      amount: 2500,
      ofIsp: 2300,
      void: 3,
      returned: 500,
    },
  ]);
  expect(
    reportCards(db, by, { ...range, by: "seller" })
      .rows.map((row) => [row.id, row.made, row.sold, row.used, row.amount, row.void, row.returned])
      .toSorted(),
  ).toEqual([
    [0, 4, 0, 0, 0, 1, 0],
    [1, 0, 3, 1, 1500, 1, 500],
    [2, 2, 2, 2, 1000, 1, 0],
  ]);
  expect(reportCards(db, person(2, 2), { ...range, by: "package" }).rows).toMatchObject([
    { made: 2, sold: 2, used: 2, void: 1 },
  ]);
  expect(reportCards(db, by, { from: at(4).now, to: at(5).now, by: "day" }).rows).toEqual([]);
});

test("a first use that turns out to be a day earlier moves there", async () => {
  using temporary = await sellers();
  const { db } = temporary;
  for (const days of [2, 1]) recordFirstUse(db, { cardId: 1, at: at(days).now, mac: null });
  expect(reportCards(db, by, { ...range, by: "day" }).rows).toMatchObject([
    { id: localDay(NOW), sold: 0, used: 0 },
    { id: localDay(at(1).now), sold: 1, used: 1, amount: 500 },
  ]);
});

test("more days than are read at once are refused", async () => {
  using temporary = await store();
  expect(() =>
    reportCards(temporary.db, by, { from: NOW, to: NOW + 3 * 366 * DAY + DAY, by: "day" }),
  ).toThrow("may be at most 1098 days");
});
