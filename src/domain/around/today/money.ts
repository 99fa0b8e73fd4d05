import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { ledgerSums, nextMonth } from "../../money/sums/ledger-sums.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, ownIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { dayBefore, localDay, type Seconds } from "../../core/time/time.ts";
import { whose } from "../../goods/subscribers/whose.ts";

/** Money that was taken, less what of it was reversed or handed back. Minor units. */
interface Received {
  readonly taken: number;
  readonly payments: number;
}

interface ReceivedNow extends Received {
  readonly currency: string;
  readonly own: Received;
  readonly back: number;
  /** By Resellers, or for one by the ISP. */
  readonly elsewhere: number;
  readonly methods: readonly (Received & { readonly method: string })[];
}

const kinds = ["payment", "reversal", "refund"] as const;

/** Whose money counts: what reached the ISP; of a Reseller what it took and keeps. */
function countedMoney({ scope }: Actor) {
  const reached = scope.salespersonId === null ? 1 : 0;
  return {
    entries: reached === 1 ? { subscriber: kinds, staff: kinds } : { subscriber: kinds },
    measures: {
      taken: `sum(iif(reached = ${reached}, amount, 0))`,
      payments: `sum(iif(reached = ${reached} AND kind = 'payment', entries, 0))`,
      back: `-sum(iif(reached = ${reached} AND kind <> 'payment', amount, 0))`,
      elsewhere: `sum(iif(reached <> ${reached} AND account = 'subscriber', amount, 0))`,
    },
  };
}

/** Throws `invalid` for several ISPs. */
export function takenToday(db: Db, by: Actor, { now }: { now: Seconds }): ReceivedNow {
  permit(by, "takenToday");
  const ispId = requireOneIsp(db, by);
  const day = localDay(now);
  const days = { first: day, last: day };
  const rows = ledgerSums(db, { ...by.scope, ispId }, { days, by: ["method", "staff"], ...countedMoney(by) });
  const methods = [...Map.groupBy(rows, ({ method }) => method ?? "")]
    .map(([method, sums]) => Object.assign(sumReceived(sums), { method }))
    .filter(({ taken }) => taken !== 0)
    .sort((a, b) => b.taken - a.taken);
  const own = rows.filter(({ staffId }) => staffId !== null && staffId === by.staffId);
  const [back, elsewhere] = [sumColumn(rows, "back"), sumColumn(rows, "elsewhere")];
  const currency = setting(db, "currency", ispId);
  return { currency, ...sumReceived(rows), own: sumReceived(own), back, elsewhere, methods };
}

function sumColumn<K extends string>(rows: readonly Readonly<Record<K, number>>[], name: K): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

function sumReceived(sums: readonly Received[]): Received {
  return {
    taken: sums.reduce((sum, { taken }) => sum + taken, 0),
    payments: sums.reduce((sum, { payments }) => sum + payments, 0),
  };
}

interface ReceivedDay {
  readonly day: number;
  readonly taken: number;
  readonly dayBefore: number;
  readonly before: number;
}

/** What was taken by day, beside the month before. Throws as above. */
export function takenByDay(
  db: Db,
  by: Actor,
  { days }: { days: number },
  { now }: { now: Seconds },
): ReceivedDay[] {
  permit(by, "takenByDay");
  const scope = { ...by.scope, ispId: requireOneIsp(db, by) };
  const needed = daysUntil(localDay(now), days);
  const earlier = needed.map(monthEarlier);
  const read = (all: readonly number[]) => {
    const range = { first: Math.min(...all), last: Math.max(...all) };
    const rows = ledgerSums(db, scope, { days: range, by: ["day"], ...countedMoney(by) });
    return new Map(rows.map(({ day, taken }) => [day, taken]));
  };
  const [current, before] = [read(needed), read(earlier)];
  return needed.map((day, index) => {
    const dayBefore = earlier[index] ?? day;
    return { day, taken: current.get(day) ?? 0, dayBefore, before: before.get(dayBefore) ?? 0 };
  });
}

export const monthEarlier = (day: number): number => monthsEarlier(day, 1);

export function monthsEarlier(day: number, months: number): number {
  const date = Temporal.PlainDate.from({
    year: Math.floor(day / 10_000),
    month: Math.floor(day / 100) % 100,
    day: day % 100,
  }).subtract({ months });
  return date.year * 10_000 + date.month * 100 + date.day;
}

function daysUntil(last: number, count: number): number[] {
  const days = [last];
  while (days.length < count) days.unshift(dayBefore(days[0] ?? last));
  return days;
}

/** Negative balances are outstanding charges. */
export function owedNow(db: Db, by: Actor): { currency: string; owed: number; subscribers: number } {
  permit(by, "owedNow");
  const ispId = requireOneIsp(db, by);
  const { text, values } = whose("w.subscriber_id", { ...by.scope, ispId, archived: true });
  const row = db.$client
    .query<{ owed: number | null; subscribers: number }, Value[]>(
      `SELECT -sum(balance) AS owed, count(*) AS subscribers FROM wallets w WHERE balance < 0 AND ${text}`,
    )
    .get(...values);
  return {
    currency: setting(db, "currency", ispId),
    owed: row?.owed ?? 0,
    subscribers: row?.subscribers ?? 0,
  };
}

function requireOneIsp(db: Db, by: Actor): number {
  const ispId = ownIsp(db, by.scope);
  if (ispId !== null) return ispId;
  throw new DomainError(
    "invalid",
    phrase`there are several ISPs, whose money differs; sign in as staff of one`,
    {
      code: "isp_required",
    },
  );
}

interface OwnWallet {
  readonly currency: string;
  readonly balance: number;
  readonly creditLimit: number;
  readonly commission: number;
}

export function ownWallet(db: Db, by: Actor, { now }: { now: Seconds }): OwnWallet | undefined {
  permit(by, "ownWallet");
  const { salespersonId } = by.scope;
  if (salespersonId === null) return undefined;
  const account = db.$client
    .query<{ creditLimit: number; ispId: number }, [number]>(
      "SELECT credit_limit AS creditLimit, isp_id AS ispId FROM staff WHERE id = ?",
    )
    .get(salespersonId);
  if (!account) return undefined;
  const month = Math.floor(localDay(now) / 100);
  const [earned] = ledgerSums(db, by.scope, {
    days: { first: month * 100 + 1, last: dayBefore(nextMonth(month) * 100 + 1) },
    entries: { staff: ["commission"] },
    by: [],
    measures: { commission: "sum(amount)" },
  });
  return {
    currency: setting(db, "currency", account.ispId),
    balance: readBalance(db, { staffId: salespersonId }),
    creditLimit: account.creditLimit,
    commission: earned?.commission ?? 0,
  };
}
