import { expect, test } from "bun:test";
import { type Db, openReader, write } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { book } from "../../../../src/domain/money/billing/book.ts";
import { append } from "../../../../src/domain/money/billing/ledger.ts";
import { voidCard } from "../../../../src/domain/desk/card-sales/void.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { reportConcessions } from "../../../../src/domain/around/reports/concessions.ts";
import type { Dimension } from "../../../../src/domain/money/sums/ledger-sums.ts";
import { reportCollections, reportSales } from "../../../../src/domain/around/reports/money.ts";
import { reportDebtors, reportOwed } from "../../../../src/domain/around/reports/owed.ts";
import { reportRenewals } from "../../../../src/domain/around/reports/renewals.ts";
import { reportResellers } from "../../../../src/domain/around/reports/resellers.ts";
import type { Actor, Scope } from "../../../../src/domain/core/actor/actor.ts";
import { localDay, type Seconds, startOfDay } from "../../../../src/domain/core/time/time.ts";
import { makeBatch } from "../../../support/card-codes.ts";
import { by as operator, DAY, loadIsp } from "../../../support/isp.ts";
import { NOW, templateStore, temporaryStore } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

const BEGIN = NOW - 150 * DAY;
const scopes: [who: string, Scope][] = [
  ["the operator", { ispId: null, branchId: null, salespersonId: null }],
  ["ISP 1", { ispId: 1, branchId: null, salespersonId: null }],
  ["ISP 2", { ispId: 2, branchId: null, salespersonId: null }],
  ["branch 11", { ispId: 1, branchId: 11, salespersonId: null }],
  ["branch 12", { ispId: 1, branchId: 12, salespersonId: null }],
  ["the reseller 2", { ispId: 1, branchId: null, salespersonId: 2 }],
  ["the reseller 3", { ispId: 1, branchId: null, salespersonId: 3 }],
];
const as = (scope: Scope): Actor => ({ ...operator, scope });
const staff = (staffId: number): Actor => ({ ...operator, staffId, name: `staff ${staffId}` });

/** A number generator whose sequence its seed decides. */
function dice(seed: number) {
  let state = seed;
  const roll = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const pick = <T>(...of: T[]): T => of[Math.floor(roll() * of.length)] as T;
  return { roll, pick };
}

/** Payments, sales, voids, refunds, reversals, adjustments and extensions of five months, at random. */
const booked = templateStore(async (db) => {
  await fillTenants(db);
  db.$client.run("UPDATE packages SET reseller_price = price - 300");
  db.$client.run("UPDATE subscribers SET area_id = iif(isp_id = 1, 1, 2) WHERE id <> 2");
  const { roll, pick } = dice(7);
  let now = BEGIN;
  for (let step = 0; step < 400; step++) {
    now += Math.floor(roll() * 0.7 * DAY);
    if (roll() < 0.1) db.$client.run(`UPDATE subscribers SET branch_id = ${pick(11, 12)} WHERE id = 2`);
    operations[Math.floor(roll() * operations.length)]?.(db, {
      now,
      subscriberId: pick(1, 1, 2, 9),
      roll,
      pick,
    });
  }
});

type World = ReturnType<typeof dice> & { now: Seconds; subscriberId: number };

const operations: ((db: Db, world: World) => void)[] = [
  pay,
  pay,
  sell,
  sell,
  sell,
  end,
  handBack,
  adjust,
  extend,
  topUp,
];

const ispOf = (subscriberId: number) => (subscriberId === 9 ? 2 : 1);

function pay(db: Db, { now, subscriberId, pick }: World): void {
  const ispId = ispOf(subscriberId);
  const reseller = ispId === 1 ? pick(null, null, 2) : null;
  const by = staff(reseller ?? (ispId === 1 ? pick(1, 4) : 8));
  write(db, (tx) => {
    const paymentId = insertPayment(db, {
      kind: "payment",
      now,
      subscriberId,
      reseller,
      taker: by.staffId,
      method: pick("cash", "bank"),
    });
    const entry = { ispId, kind: "payment", paymentId } as const;
    book(tx, { ...entry, account: { subscriberId }, amount: 1700 }, now, by);
    if (reseller !== null)
      append(tx, { ...entry, account: { staffId: reseller }, amount: -1700, kind: "transfer" }, now, by);
  });
}

/** A reseller hands money over to the ISP. */
function topUp(db: Db, { now, pick }: World): void {
  const reseller = pick(2, 3);
  write(db, (tx) => {
    const row = tx.$client
      .query<{ id: number }, [number, number]>(
        `INSERT INTO payments (isp_id, staff_id, kind, amount, currency, method, number, taken_by, created_at)
         VALUES (1, ?, 'payment', 5000, 'USD', 'bank', 'R-' || random(), 1, ?) RETURNING id`,
      )
      .get(reseller, now);
    const entry = { account: { staffId: reseller }, ispId: 1, amount: 5000, kind: "payment" } as const;
    append(tx, { ...entry, paymentId: row?.id }, now, staff(1));
  });
}

function insertPayment(
  { $client }: Db,
  {
    kind,
    now,
    subscriberId,
    reseller,
    taker,
    method,
  }: {
    kind: string;
    now: number;
    subscriberId: number;
    reseller: number | null;
    taker: number | null;
    method: string;
  },
): number {
  const row = $client
    .query<{ id: number }, (string | number | null)[]>(
      `INSERT INTO payments (isp_id, subscriber_id, kind, amount, currency, method, number, taken_by, reseller_id, created_at)
       VALUES (?, ?, ?, 1700, 'USD', ?, 'R-' || random(), ?, ?, ?) RETURNING id`,
    )
    .get(ispOf(subscriberId), subscriberId, kind, method, taker, reseller, now);
  return row?.id ?? 0;
}

/** What is refused, for want of money or time between two, is nothing that happened. */
function sell(db: Db, { now, subscriberId, pick }: World): void {
  const packageId = subscriberId === 9 ? 9 : pick(1, 2);
  try {
    activate(db, staff(pick(1, 2)), { subscriberId, packageId }, { now });
  } catch {}
}

/** Voids the newest invoice, or credits what is left of it: its period ends now. */
function end(db: Db, { now, subscriberId, pick }: World): void {
  const invoice = db.$client
    .query<{ id: number; amount: number }, [number, number]>(
      "SELECT id, amount FROM invoices WHERE subscriber_id = ? AND voided_at IS NULL AND credited = 0 AND period_end > ? ORDER BY id DESC LIMIT 1",
    )
    .get(subscriberId, now);
  if (!invoice) return;
  const isVoid = pick(true, false);
  const amount = isVoid ? invoice.amount : Math.floor(invoice.amount / 3);
  const set = isVoid ? "voided_at = ?1, credited = ?2" : "period_end = max(period_start, ?1), credited = ?2";
  write(db, (tx) => {
    tx.$client.query(`UPDATE invoices SET ${set} WHERE id = ?3`).run(now, amount, invoice.id);
    const kind = isVoid ? "void" : "unused";
    const entry = {
      account: { subscriberId },
      ispId: ispOf(subscriberId),
      amount,
      kind,
      invoiceId: invoice.id,
    } as const;
    book(tx, entry, now, staff(pick(1, 4)), { touched: invoice.id });
  });
}

/** Refunds, or reverses a payment that somebody else took. */
function handBack(db: Db, { now, subscriberId, pick }: World): void {
  const ispId = ispOf(subscriberId);
  write(db, (tx) => {
    if (pick(true, false)) {
      const payment = { kind: "refund", now, subscriberId, reseller: null, taker: 1, method: "cash" };
      const paymentId = insertPayment(db, payment);
      book(tx, { account: { subscriberId }, ispId, amount: -500, kind: "refund", paymentId }, now, staff(1));
      return;
    }
    const payment = tx.$client
      .query<{ id: number; resellerId: number | null }, [number]>(
        "SELECT id, reseller_id AS resellerId FROM payments WHERE subscriber_id = ? AND kind = 'payment' AND reversed_at IS NULL ORDER BY id DESC LIMIT 1",
      )
      .get(subscriberId);
    if (!payment) return;
    tx.$client.query("UPDATE payments SET reversed_at = ? WHERE id = ?").run(now, payment.id);
    const entry = { ispId, kind: "reversal", paymentId: payment.id } as const;
    book(tx, { ...entry, account: { subscriberId }, amount: -1700 }, now, staff(1));
    if (payment.resellerId !== null)
      append(tx, { ...entry, account: { staffId: payment.resellerId }, amount: 1700 }, now, staff(1));
  });
}

function adjust(db: Db, { now, subscriberId, pick }: World): void {
  const amount = pick(400, -900);
  write(db, (tx) =>
    book(
      tx,
      { account: { subscriberId }, ispId: ispOf(subscriberId), amount, kind: "adjustment" },
      now,
      staff(4),
    ),
  );
}

function extend(db: Db, { now, subscriberId, pick }: World): void {
  db.$client
    .query(
      `INSERT INTO extensions (isp_id, branch_id, package_id, seller_id, subscriber_id, before, after, paid_until, trust, reason, acting_staff_id, created_at)
       SELECT isp_id, branch_id, package_id, salesperson_id, id, ?1, ?1 + 7200, ?1, ?2, 'outage', 4, ?1 FROM subscribers WHERE id = ?3`,
    )
    .run(now, pick(0, 1), subscriberId);
}

interface Entry {
  day: number;
  ispId: number;
  branchId: number | null;
  areaId: number | null;
  packageId: number | null;
  sellerId: number | null;
  staffId: number | null;
  subscriberId: number | null;
  kind: string;
  amount: number;
  method: string | null;
  resellerId: number | null;
}

/** Every entry that a scope sees, as a person would copy it out of the ledger. */
function entriesIn({ $client }: Db, { ispId, branchId, salespersonId }: Scope): Entry[] {
  return $client
    .query<Entry, []>(
      `SELECT e.day, e.isp_id AS ispId, e.branch_id AS branchId, e.area_id AS areaId, e.package_id AS packageId, e.seller_id AS sellerId,
         iif(p.id IS NULL, e.acting_staff_id, p.taken_by) AS staffId, e.subscriber_id AS subscriberId, e.kind, e.amount, p.method, p.reseller_id AS resellerId
       FROM ledger_entries e LEFT JOIN payments p ON p.id = e.payment_id`,
    )
    .all()
    .filter(
      (one) =>
        (ispId === null || one.ispId === ispId) &&
        (branchId === null || one.branchId === branchId) &&
        (salespersonId === null || one.sellerId === salespersonId),
    );
}

const keyOf: Record<Dimension, (entry: Entry) => string | number> = {
  day: ({ day }) => day,
  month: ({ day }) => Math.floor(day / 100),
  branch: ({ branchId }) => branchId ?? 0,
  area: ({ areaId }) => areaId ?? 0,
  package: ({ packageId }) => packageId ?? 0,
  salesperson: ({ sellerId }) => sellerId ?? 0,
  staff: ({ staffId }) => staffId ?? 0,
  method: ({ method }) => method ?? "",
};

/** Sums of amounts by ISP and the dimensions, as text keys. */
function summed(entries: Entry[], by: readonly Dimension[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const entry of entries) {
    const key = [entry.ispId, ...by.map((name) => keyOf[name](entry))].join("/");
    sums[key] = (sums[key] ?? 0) + entry.amount;
  }
  return sums;
}

type Divided =
  ReturnType<typeof reportSales>["rows"][number] | ReturnType<typeof reportCollections>["rows"][number];

function keysOf(rows: readonly Divided[], by: readonly Dimension[], of: (row: Divided) => number) {
  const idOf = (row: Divided, name: Dimension) =>
    name === "day" || name === "month" || name === "method" ? row[name] : row[`${name}Id`];
  return Object.fromEntries(
    rows.map((row) => [[row.ispId, ...by.map((name) => idOf(row, name))].join("/"), of(row)]),
  );
}

const divisions: Dimension[][] = [
  [],
  ["month"],
  ["day"],
  ["package"],
  ["area", "branch"],
  ["salesperson"],
  ["staff"],
  ["day", "package", "staff"],
  ["month", "salesperson", "package"],
];
/** Of whole months, of parts of some, of one month's part, of a day. */
const ranges: [from: Seconds, to: Seconds][] = [
  [BEGIN, NOW],
  [BEGIN + 11 * DAY, NOW - 17 * DAY],
  [NOW - 9 * DAY, NOW - 4 * DAY],
  [NOW - 40 * DAY, NOW - 40 * DAY],
];

test.each(scopes)("sums of sales and collections are those of the ledger, for %s", async (_who, scope) => {
  using store = await booked();
  for (const [from, to] of ranges) {
    const within = entriesIn(store.db, scope).filter(
      ({ day }) => day >= localDay(from) && day <= localDay(to),
    );
    const sold = within.filter(({ kind }) => ["activation", "unused", "void"].includes(kind));
    const money = within.filter(({ kind }) => ["payment", "reversal", "refund"].includes(kind));
    for (const by of divisions) {
      const sales = reportSales(store.db, as(scope), { from, to, by }).rows;
      expect(keysOf(sales, by, ({ net }) => -net || 0)).toEqual(summed(sold, by));
      for (const division of [by, [...by, "method"] as Dimension[]]) {
        const { rows } = reportCollections(store.db, as(scope), { from, to, by: division });
        const reached = money
          .filter(({ subscriberId, resellerId }) => subscriberId !== null || resellerId === null)
          .map((one) => Object.assign({ ...one }, { amount: one.resellerId === null ? one.amount : 0 }));
        expect(keysOf(rows, division, ({ net }) => net)).toMatchObject(summed(reached, division));
        expect(rows.reduce((sum, { net }) => sum + net, 0)).toBe(
          reached.reduce((sum, { amount }) => sum + amount, 0),
        );
        const kept = money.filter(
          ({ subscriberId, resellerId }) => subscriberId !== null && resellerId !== null,
        );
        const byResellers = keysOf(rows, division, (row) => ("byResellers" in row ? row.byResellers : 0));
        expect(byResellers).toMatchObject(summed(kept, division));
        expect(rows.reduce((sum, row) => sum + row.byResellers, 0)).toBe(
          kept.reduce((sum, { amount }) => sum + amount, 0),
        );
      }
    }
  }
});

test("a void is a minus of its own day, and leaves the day of the sale as it was", async () => {
  using store = await templateStore(fillTenants)();
  const { db } = store;
  db.$client.run("UPDATE packages SET reseller_price = 1200");
  const { invoiceId } = activate(db, operator, { subscriberId: 1, packageId: 1 }, { now: NOW });
  const later = NOW + 40 * DAY;
  write(db, (tx) => {
    tx.$client
      .query("UPDATE invoices SET voided_at = ?, credited = amount WHERE id = ?")
      .run(later, invoiceId);
    const entry = { account: { subscriberId: 1 }, ispId: 1, amount: 1500, kind: "void", invoiceId } as const;
    book(tx, entry, later, operator, { touched: invoiceId });
  });
  const { rows } = reportSales(db, operator, { from: NOW, to: later, by: ["month"] });
  expect(rows.map(({ month, sales, sold, voided, net }) => [month, sales, sold, voided, net])).toEqual([
    [203001, 1, 1500, 0, 1500],
    [203002, 0, 0, 1500, -1500],
  ]);
  const resellers = (from: Seconds, to: Seconds) =>
    reportResellers(db, operator, { from, to }).rows.map(({ reseller, commission, wallet }) => [
      reseller,
      commission,
      wallet,
    ]);
  expect(resellers(NOW, NOW)).toContainEqual(["Rex", 300, 0]);
  expect(resellers(later, later)).toContainEqual(["Rex", -300, 0]);
});

test.each(scopes)(
  "what is owed is what wallets lack, by the age of its charges, for %s",
  async (_who, scope) => {
    using store = await booked();
    const debts = store.db.$client
      .query<
        { id: number; ispId: number; branchId: number | null; sellerId: number | null; balance: number },
        []
      >(
        `SELECT s.id, s.isp_id AS ispId, s.branch_id AS branchId, s.salesperson_id AS sellerId,
         (SELECT balance_after FROM ledger_entries WHERE subscriber_id = s.id ORDER BY id DESC LIMIT 1) AS balance FROM subscribers s`,
      )
      .all()
      .filter(
        ({ ispId, branchId, sellerId, balance }) =>
          balance < 0 &&
          (scope.ispId === null || ispId === scope.ispId) &&
          (scope.branchId === null || branchId === scope.branchId) &&
          (scope.salespersonId === null || sellerId === scope.salespersonId),
      );
    for (const now of [NOW, NOW + 50 * DAY, NOW + 300 * DAY]) {
      const { rows } = reportDebtors(store.db, as(scope), { limit: 100 }, { now });
      expect(Object.fromEntries(rows.map((row) => [row.subscriberId, row.owed]))).toEqual(
        Object.fromEntries(debts.map(({ id, balance }) => [id, -balance])),
      );
      for (const by of [null, "branch", "area", "package", "salesperson"] as const) {
        const owed = reportOwed(store.db, as(scope), { by }, { now }).rows;
        expect(owed.reduce((sum, row) => sum + row.owed, 0)).toBe(
          rows.reduce((sum, row) => sum + row.owed, 0),
        );
        for (const row of owed)
          expect(row.days0To30 + row.days31To60 + row.days61To90 + row.over90).toBe(row.owed);
        if (now > NOW + 100 * DAY) expect(owed.every(({ over90, owed: all }) => over90 === all)).toBe(true);
      }
    }
  },
);

test.each(scopes)(
  "periods are renewed, waiting or lost as their invoices say, for %s",
  async (_who, scope) => {
    using store = await booked();
    const now = NOW + 10 * DAY;
    const all = store.db.$client
      .query<
        {
          id: number;
          ispId: number;
          branchId: number;
          sellerId: number;
          subscriberId: number;
          start: number;
          end: number;
        },
        []
      >(
        `SELECT id, isp_id AS ispId, branch_id AS branchId, seller_id AS sellerId, subscriber_id AS subscriberId, period_start AS start, period_end AS end
       FROM invoices WHERE voided_at IS NULL AND period_end > period_start`,
      )
      .all();
    const expected: Record<string, { due: number; renewed: number; waiting: number; lost: number }> = {};
    for (const one of all) {
      const isSeen =
        (scope.ispId === null || one.ispId === scope.ispId) &&
        (scope.branchId === null || one.branchId === scope.branchId) &&
        (scope.salespersonId === null || one.sellerId === scope.salespersonId);
      if (!isSeen) continue;
      const row = (expected[`${Math.floor(localDay(one.end) / 100)}/${one.ispId}`] ??= {
        due: 0,
        renewed: 0,
        waiting: 0,
        lost: 0,
      });
      const next = all.filter(({ subscriberId, end }) => subscriberId === one.subscriberId && end > one.end);
      row.due++;
      if (next.some(({ start }) => start <= one.end + 30 * DAY)) row.renewed++;
      else if (one.end + 30 * DAY >= now) row.waiting++;
      else row.lost++;
    }
    const rows = [2029, 2030, 2031, 2032].flatMap((year) => {
      const range = { from: startOfDay(year * 10_000 + 101), to: startOfDay(year * 10_000 + 1231) };
      return reportRenewals(store.db, as(scope), range, { now }).rows;
    });
    const found = rows.map(({ month, ispId, due, renewed, waiting, lost }) => [
      `${month}/${ispId}`,
      { due, renewed, waiting, lost },
    ]);
    expect(Object.fromEntries(found)).toEqual(expected);
  },
);

test("sums of past days have the names of now", async () => {
  using store = await booked();
  const read = () =>
    reportSales(store.db, as({ ispId: 1, branchId: null, salespersonId: null }), {
      from: BEGIN,
      to: NOW,
      by: ["day", "package", "salesperson", "branch"],
    }).rows;
  const before = read();
  store.db.$client.run("UPDATE packages SET name = 'new ' || name");
  store.db.$client.run("UPDATE staff SET name = 'new ' || name");
  store.db.$client.run("UPDATE branches SET name = 'new ' || name");
  const renamed = (name: string | null) => name && `new ${name}`;
  expect(before.some(({ package: name }) => name !== null)).toBe(true);
  expect(read()).toEqual(
    before.map((row) =>
      Object.assign({}, row, {
        package: renamed(row.package),
        salesperson: renamed(row.salesperson),
        branch: renamed(row.branch),
      }),
    ),
  );
});

test("months that are over are counted anew when a period of theirs is void, moves, or is followed after all", async () => {
  using store = await booked();
  const { $client } = store.db;
  const range = { from: BEGIN, to: NOW };
  const now = NOW + 40 * DAY;
  const of = (db: Db) => reportRenewals(db, operator, range, { now }).rows;
  const columns = $client
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('invoices')")
    .all()
    .map(({ name }) => name);
  const copied: Readonly<Record<string, string>> = {
    id: "NULL",
    number: "'copy'",
    period_start: "period_end",
    period_end: `period_end + 5 * ${DAY}`,
    followed_at: "NULL",
  };
  const first = `(SELECT min(id) FROM invoices WHERE subscriber_id = 1 AND period_end > period_start)`;
  const changes = [
    `UPDATE invoices SET voided_at = ${NOW} WHERE subscriber_id = 1 AND id > ${first}`,
    `INSERT INTO invoices (${columns.join(", ")}) SELECT ${columns.map((name) => copied[name] ?? name).join(", ")} FROM invoices WHERE id = ${first}`,
    `UPDATE invoices SET period_start = period_start + 60 * ${DAY}, period_end = period_end + 60 * ${DAY} WHERE id = ${first}`,
  ];
  let before = of(store.db);
  for (const change of changes) {
    $client.run(change);
    const after = of(store.db);
    expect(after).not.toEqual(before);
    const anew = openReader(store.folder);
    expect(after).toEqual(of(anew));
    anew.$client.close();
    before = after;
  }
});

test.each(scopes)(
  "concessions are the entries and extensions of who gave them, for %s",
  async (_who, scope) => {
    using store = await booked();
    const { rows } = reportConcessions(store.db, as(scope), { from: BEGIN, to: NOW + DAY, by: "staff" });
    const entries = entriesIn(store.db, scope).filter(({ kind }) =>
      ["void", "unused", "adjustment"].includes(kind),
    );
    const amounts = rows.reduce((sum, { amount }) => sum + amount, 0);
    expect(amounts).toBe(entries.reduce((sum, { amount }) => sum + amount, 0));
    const ups = rows
      .filter(({ what }) => what === "adjustment_up")
      .reduce((sum, { times }) => sum + times, 0);
    expect(ups).toBe(entries.filter(({ kind, amount }) => kind === "adjustment" && amount > 0).length);
    const hours = rows.filter(({ what }) => what === "extension" || what === "trust");
    for (const { seconds, times } of hours) expect(seconds).toBe(times * 7200);
    if (scope.ispId === null) {
      const all = store.db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM extensions").get()?.n;
      expect(hours.reduce((sum, { times }) => sum + times, 0)).toBe(all ?? 0);
      expect(hours.length).toBeGreaterThan(2);
    }
  },
);

test.each(scopes)(
  "resellers sold, earned, took and handed over what the ledger says, for %s",
  async (_who, scope) => {
    using store = await booked();
    const entries = entriesIn(store.db, scope);
    const { rows } = reportResellers(store.db, as(scope), { from: BEGIN, to: NOW + DAY });
    for (const { resellerId, sold, commission, taken, toppedUp, wallet } of rows) {
      const own = entries.filter(({ sellerId }) => sellerId === resellerId);
      const sumOf = (matches: (entry: Entry) => boolean) =>
        own.filter(matches).reduce((sum, { amount }) => sum + amount, 0);
      const isOfWallet = ({ subscriberId }: Entry) => subscriberId === null;
      expect({ sold, commission, taken, toppedUp }).toEqual({
        sold: 0 - sumOf((one) => !isOfWallet(one) && ["activation", "unused", "void"].includes(one.kind)),
        commission: sumOf(({ kind }) => kind === "commission"),
        taken: 0 - sumOf((one) => isOfWallet(one) && one.resellerId !== null),
        toppedUp: sumOf((one) => isOfWallet(one) && one.kind === "payment"),
      });
      expect(wallet).toBe(sumOf(isOfWallet));
    }
    const seen = scope.ispId === 2 || scope.branchId !== null ? [] : [2, 3];
    expect(rows.map(({ resellerId }) => resellerId)).toEqual(
      scope.salespersonId === null ? seen : [scope.salespersonId],
    );
  },
);

test("what a reseller is charged for cards stands in its report, less what comes back", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db);
  const top = { staffId: 2, amount: 1000, method: "cash" };
  takePayment(db, { ...operator, staffId: 1 }, top, { now: NOW });
  const handed = { reseller_id: 2, reseller_price: "0.80", charge_on: "handover" };
  const [first] = makeBatch(db, { ...handed, quantity: 5 });
  voidCard(db, operator, { id: first?.id ?? 0, reason: "torn" }, { now: NOW });
  const { rows } = reportResellers(db, operator, { from: NOW - DAY, to: NOW + DAY });
  expect(rows).toMatchObject([
    { resellerId: 2, cards: 320, taken: 0, toppedUp: 1000, commission: 0, wallet: 680 },
  ]);
});
