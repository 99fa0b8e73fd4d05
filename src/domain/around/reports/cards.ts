import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds, startOfDay } from "../../core/time/time.ts";
import { Isps } from "../../money/sums/isps.ts";
import { ispsInScope, type Range, requireDays } from "./range.ts";

export const cardDivisions = ["day", "package", "seller"] as const;
type Division = (typeof cardDivisions)[number];

export interface CardsFilter extends Range {
  readonly by: Division;
}

interface Figures {
  made: number;
  sold: number;
  used: number;
  amount: number;
  ofIsp: number;
  void: number;
  returned: number;
}

/** Figures by day, package or seller. */
export interface CardRow extends Figures {
  ispId: number;
  isp: string | null;
  currency: string;
  id: number;
  name: string | null;
}

const MOST = 3 * 366;

/**
 * Cards made, sold, first used and voided by day, and their prices. A first use counts as a sale by the holder. Past days do
 * not change. Throws `invalid` for more than three years.
 */
export function reportCards(
  db: Db,
  by: Actor,
  { from, to, by: division }: CardsFilter,
  isps = new Isps(db),
): { rows: CardRow[] } {
  permit(by, "reportCards");
  const days = requireDays({ from, to }, MOST);
  const sums = new Sums();
  const range = { from: startOfDay(days.first), to: endOfDay(days.last) };
  for (const { ispId, id, at, made } of madeBetween(db, batchesInScope(by.scope), range, division))
    sums.add(ispId, division === "day" ? localDay(at) : id, { made });
  for (const { ispId, id, ...figures } of movedOn(db, by.scope, days, division)) sums.add(ispId, id, figures);
  return { rows: isps.withCurrency(named(db, sums.rows, division, isps)) };
}

/** A local day may have 25 hours. */
function endOfDay(day: number): Seconds {
  return startOfDay(localDay(startOfDay(day) + 36 * 3600)) - 1;
}

export function batchesInScope({ ispId, branchId, salespersonId }: Scope): Condition {
  if (salespersonId !== null) return all(equal("b.isp_id", ispId), equal("b.reseller_id", salespersonId));
  return all(equal("b.isp_id", ispId), equal("b.branch_id", branchId));
}

const ids: Readonly<Record<Division, readonly [batch: string, day: string]>> = {
  day: ["0", "d.day"],
  package: ["coalesce(b.package_id, 0)", "d.package_id"],
  seller: ["coalesce(b.reseller_id, 0)", "d.seller_id"],
};

interface Made {
  ispId: number;
  id: number;
  at: Seconds;
  made: number;
}

function madeBetween(
  { $client }: Db,
  { text, values }: Condition,
  { from, to }: Range,
  division: Division,
): Made[] {
  return $client
    .query<Made, Value[]>(
      `SELECT b.isp_id AS ispId, ${ids[division][0]} AS id, b.created_at AS at, b.quantity AS made
       FROM card_batches b WHERE b.created_at BETWEEN ? AND ? AND ${text}`,
    )
    .all(from, to, ...values);
}

type Moved = Omit<Figures, "made"> & Pick<CardRow, "ispId" | "id">;

function movedOn(
  { $client }: Db,
  scope: Scope,
  { first, last }: { first: number; last: number },
  division: Division,
): Moved[] {
  const { branchId, salespersonId } = scope;
  const { text, values } = all(
    ispsInScope(scope),
    salespersonId === null ? equal("d.branch_id", branchId) : equal("d.reseller_id", salespersonId),
  );
  return $client
    .query<Moved, Value[]>(
      `SELECT d.isp_id AS ispId, ${ids[division][1]} AS id, sum(d.sold) AS sold, sum(d.used) AS used, sum(d.sold * d.price) AS amount,
         sum(d.sold * d.part) AS ofIsp, sum(d.void) AS void, sum(d.returned * d.price) AS returned
       FROM card_days d WHERE ${text} AND d.day BETWEEN ? AND ? GROUP BY d.isp_id, ${ids[division][1]}
       HAVING sum(d.sold) <> 0 OR sum(d.used) <> 0 OR sum(d.void) <> 0`,
    )
    .all(...values, first, last);
}

const figureNames = ["made", "sold", "used", "amount", "ofIsp", "void", "returned"] as const;

class Sums {
  readonly #rows = new Map<string, Figures & { ispId: number; id: number }>();

  add(ispId: number, id: number, figures: Partial<Figures>): void {
    const row = this.#rows.getOrInsertComputed(`${ispId} ${id}`, () => ({
      ispId,
      id,
      made: 0,
      sold: 0,
      used: 0,
      amount: 0,
      ofIsp: 0,
      void: 0,
      returned: 0,
    }));
    for (const name of figureNames) row[name] += figures[name] ?? 0;
  }

  get rows() {
    return [...this.#rows.values()];
  }
}

/** Rows with names, by ISP and day or name. */
function named(
  { $client }: Db,
  rows: Sums["rows"],
  division: Division,
  isps: Isps,
): Omit<CardRow, "currency">[] {
  const table = division === "seller" ? "staff" : "packages";
  const names = $client.query<{ name: string }, [number]>(`SELECT name FROM ${table} WHERE id = ?`);
  return rows
    .map((row) =>
      Object.assign(row, {
        isp: isps.in(row)[0]?.name ?? null,
        name: division === "day" ? null : (names.get(row.id)?.name ?? null),
      }),
    )
    .toSorted((a, b) => a.ispId - b.ispId || (a.name ?? "").localeCompare(b.name ?? "") || a.id - b.id);
}
