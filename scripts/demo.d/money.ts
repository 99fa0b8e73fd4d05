import type { Tx } from "../../db/open.ts";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { closeTill } from "../../src/domain/money/closings/close.ts";
import { confirmClosing } from "../../src/domain/money/closings/confirm.ts";
import { openTill } from "../../src/domain/money/closings/till.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { localDay, type Seconds, startOfDay } from "../../src/domain/core/time/time.ts";
import type { Deeds } from "./deeds.ts";
import { DESCRIBED } from "./people.ts";
import { Random } from "./random.ts";
import { staff } from "./staff.ts";

const DAY = 86_400;
const HOUR = 3600;
const MONTH = 30.4 * DAY;
/** Days of history. */
export const DAYS = 60;

const admin = staff(1, "admin");
const clerk = staff(6, "clerk");
const manager = staff(8, "manager");
/** Resellers take the money of their own subscribers, as far as their wallets reach. */
const resellers = new Map(
  [staff(4, "reseller1"), staff(5, "reseller2")].map((actor) => [
    actor.staffId,
    { ...actor, scope: { ...actor.scope, salespersonId: actor.staffId } },
  ]),
);
const TOP_UP = 50_000;

interface Customer {
  readonly id: number;
  readonly price: number;
  readonly billing: "prepaid" | "postpaid";
  readonly renews: 0 | 1;
  readonly sellerId: number;
}

/** Two months of a counter: everybody pays and renews until it is not worth it any more; the till is closed each evening. */
export function planMoney(tx: Tx, deeds: Deeds, now: Seconds): void {
  const random = new Random(7);
  const customers = tx.$client
    .query<Customer, [number]>(
      `SELECT s.id, p.price, p.billing_type AS billing, s.auto_renew AS renews, s.salesperson_id AS sellerId FROM subscribers s JOIN packages p ON p.id = s.package_id
       WHERE s.id > ? AND s.status = 1 ORDER BY s.id`,
    )
    .all(DESCRIBED);
  for (const customer of customers) planCustomer(tx, customer, { random, deeds, now });
  for (let day = 1; day <= DAYS; day += 1) planEvening(tx, deeds, now - day * DAY, day === 1);
}

/** Everybody is there since before the first thing that they bought. */
export function dateSubscribers(tx: Tx, now: Seconds): void {
  tx.$client.run(
    `UPDATE subscribers SET created_at = min(coalesce((SELECT min(created_at) FROM invoices i WHERE i.subscriber_id = subscribers.id), ${now}),
       ${now} - (id * 7919 % 700) * ${DAY})`,
  );
}

interface Planning {
  readonly random: Random;
  readonly deeds: Deeds;
  readonly now: Seconds;
}

/** When the service of a customer ends: most are ahead, some have lapsed, a few never began. */
function planCustomer(tx: Tx, customer: Customer, { random, deeds, now }: Planning): void {
  const fate = random.pick([
    ["stays", 86],
    ["lapsed", 4],
    ["left", 8],
    ["never", 2],
  ]);
  if (fate === "never") return;
  const end =
    fate === "stays"
      ? now + random.next() * MONTH
      : fate === "lapsed"
        ? now - random.next() * 6.9 * DAY
        : now - (8 + random.next() * 40) * DAY;
  const periods = fate === "left" ? 1 : 2;
  renew(tx, customer, {
    random,
    deeds,
    now,
    stops: fate !== "stays",
    left: periods,
    at: end - periods * MONTH,
  });
}

interface Renewal extends Planning {
  readonly stops: boolean;
  readonly left: number;
  readonly at: Seconds;
}

/** Pays and renews, and so on before each end. */
function renew(tx: Tx, customer: Customer, renewal: Renewal): void {
  const { random, deeds, stops, left } = renewal;
  deeds.add(atCounter(renewal.at, random), (at) => {
    const ends = buy(tx, customer, { ...renewal, at });
    if (stops && left <= 1) return;
    const early = random.next() * 1.4 * DAY;
    renew(tx, customer, { ...renewal, left: left - 1, at: ends - early });
  });
}

/** A time of the same day at which somebody is at the counter, more often in the morning and after work. */
function atCounter(at: Seconds, random: Random): Seconds {
  const hour = random.pick([
    [8, 6],
    [9, 9],
    [10, 9],
    [11, 7],
    [12, 5],
    [14, 6],
    [16, 7],
    [17, 9],
    [18, 8],
    [19, 4],
  ]);
  return Math.floor(startOfDay(localDay(at)) + hour * HOUR + random.next() * HOUR);
}

const methods = [
  ["cash", 58],
  ["mobile", 32],
  ["bank", 10],
] as const;

/** Returns when the service ends by then. */
function buy(
  tx: Tx,
  { id, price, billing, renews, sellerId }: Customer,
  { random, deeds, at }: Renewal,
): Seconds {
  const by = random.pick([
    [clerk, 70],
    [manager, 18],
    [admin, 12],
  ]);
  const method = random.pick(methods);
  const reference = method === "cash" ? null : `T-${id}-${localDay(at)}`;
  const paying = { subscriberId: id, method, reference };
  if (billing === "postpaid") {
    const { packageId } = readPackage(tx, id);
    const { expiresAt } = activate(tx, clerk, { subscriberId: id, packageId }, { now: at });
    if (random.next() < 0.8)
      deeds.add(atCounter(at + random.between(2, 24) * DAY, random), (later) => {
        takePayment(tx, by, { ...paying, amount: price }, { now: later });
      });
    return expiresAt;
  }
  // who renews without being asked has paid the next month too
  const amount =
    renews === 1 && readWallet(tx, id) < price ? 2 * price : random.next() < 0.05 ? price + 500 : price;
  const reseller = random.next() < 0.6 ? resellers.get(sellerId) : undefined;
  if (reseller && readBalance(tx, { staffId: sellerId }) < amount)
    takePayment(
      tx,
      admin,
      { staffId: sellerId, amount: TOP_UP, method: "bank", reference: `TOP-${at}-${id}` },
      { now: at },
    );
  const { activation } = takePayment(tx, reseller ?? by, { ...paying, amount, activates: true }, { now: at });
  if (activation === null || activation instanceof Error) throw new Error(`${id} was not activated`);
  return activation.expiresAt;
}

function readPackage({ $client }: Tx, id: number): { packageId: number } {
  const row = $client
    .query<{ packageId: number }, [number]>("SELECT package_id AS packageId FROM subscribers WHERE id = ?")
    .get(id);
  if (!row) throw new Error(`there is no subscriber ${id}`);
  return row;
}

function readWallet({ $client }: Tx, id: number): number {
  const row = $client
    .query<{ balance: number }, [number]>("SELECT balance FROM wallets WHERE subscriber_id = ?")
    .get(id);
  return row?.balance ?? 0;
}

/** The clerk closes the till; the Admin confirms, all but the last one. */
function planEvening(tx: Tx, deeds: Deeds, day: Seconds, isLast: boolean): void {
  const evening = startOfDay(localDay(day)) + 21 * HOUR;
  deeds.add(evening, (at) => {
    for (const by of [clerk, manager]) {
      const { expected } = openTill(tx, by, {});
      const counted = localDay(at) % 11 === 0 ? expected - 200 : expected;
      const closingId = closeTill(tx, by, { counted: Math.max(0, counted) }, { now: at });
      if (!isLast) confirmClosing(tx, admin, { closingId }, { now: at + HOUR / 2 });
    }
  });
}
