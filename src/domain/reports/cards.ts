import { all, type Condition, equal, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import type { Actor, Scope } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { localDay, type Seconds, startOfDay } from "../time.ts";
import { withCurrency } from "./ledger-sums.ts";
import { daysOf, type Range } from "./range.ts";

export const cardDivisions = ["day", "package", "seller"] as const;
type Division = (typeof cardDivisions)[number];

export interface CardsWanted extends Range {
  readonly by: Division;
}

interface Figures {
  made: number;
  sold: number;
  used: number;
  /** Of those sold, in minor units: their price, and what of it is the ISP's where a reseller sold them. */
  amount: number;
  ofIsp: number;
}

/** What became of cards on a day, of a package, or by a seller. */
export interface CardRow extends Figures {
  ispId: number;
  isp: string | null;
  currency: string;
  /** The local day, the package or the seller; 0: a refill has no package, and what no reseller holds is nobody's until it is sold. */
  id: number;
  name: string | null;
}

/** Days that are read at once: cards are counted, for no sums of them are kept. */
const MOST = 92;

/**
 * Cards that were made, sold and first used between two days, and what those sold cost. The first use of a card that nobody sold is
 * its sale, by whoever holds its batch; a sold card that became void unused is none. Throws `invalid` for more than 92 days.
 */
export function reportCards(db: Db, by: Actor, { from, to, by: division }: CardsWanted): { rows: CardRow[] } {
  permit(by, "reportCards");
  daysOf({ from, to }, MOST);
  const sums = new Sums();
  const scope = batchesInScope(by.scope);
  for (const { ispId, id, at, made } of madeBetween(db, scope, { from, to }, division))
    sums.add(ispId, division === "day" ? localDay(at) : id, { made });
  const segments = division === "day" ? daysBetween({ from, to }) : [{ day: 0, from, to }];
  for (const { day, ...range } of segments)
    for (const { ispId, id, ...figures } of movedBetween(db, scope, range, division))
      sums.add(ispId, division === "day" ? day : id, figures);
  return { rows: withCurrency(db, named(db, sums.rows, division)) };
}

/** The batches `b` that a scope sees: a reseller those that it holds. */
export function batchesInScope({ ispId, branchId, salespersonId }: Scope): Condition {
  if (salespersonId !== null) return all(equal("b.isp_id", ispId), equal("b.reseller_id", salespersonId));
  return all(equal("b.isp_id", ispId), equal("b.branch_id", branchId));
}

const ids: Readonly<Record<Division, { batch: string; card: string }>> = {
  day: { batch: "0", card: "0" },
  package: { batch: "coalesce(b.package_id, 0)", card: "coalesce(b.package_id, 0)" },
  seller: { batch: "coalesce(b.reseller_id, 0)", card: "coalesce(c.sold_by, b.reseller_id, 0)" },
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
      `SELECT b.isp_id AS ispId, ${ids[division].batch} AS id, b.created_at AS at, b.quantity AS made
       FROM card_batches b WHERE b.created_at BETWEEN ? AND ? AND ${text}`,
    )
    .all(from, to, ...values);
}

type Moved = Omit<Figures, "made"> & Pick<CardRow, "ispId" | "id">;

/** Sales, which come first, and first uses, by the index of each. */
function movedBetween(
  { $client }: Db,
  { text, values }: Condition,
  { from, to }: Range,
  division: Division,
): Moved[] {
  return $client
    .query<Moved, Value[]>(
      `SELECT ispId, id, sum(isSold) AS sold, sum(isUsed) AS used, sum(isSold * price) AS amount, sum(isSold * part) AS ofIsp FROM (
         SELECT b.isp_id AS ispId, ${ids[division].card} AS id, 1 AS isSold, 0 AS isUsed, b.price, coalesce(b.reseller_price, b.price) AS part
         FROM cards c JOIN card_batches b ON b.id = c.batch_id
         WHERE c.sold_at BETWEEN ? AND ? AND NOT (c.state = 'void' AND c.first_used_at IS NULL) AND ${text}
         UNION ALL
         SELECT b.isp_id, ${ids[division].card}, c.sold_at IS NULL, 1, b.price, coalesce(b.reseller_price, b.price)
         FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.first_used_at BETWEEN ? AND ? AND ${text}
       ) GROUP BY ispId, id`,
    )
    .all(from, to, ...values, from, to, ...values);
}

/** The local days of a range, with their first and last seconds in it. */
function daysBetween({ from, to }: Range): (Range & { day: number })[] {
  const days = [];
  for (let start = from; start <= to;) {
    const day = localDay(start);
    const next = startOfDay(localDay(startOfDay(day) + 36 * 3600)); // a day has at most 25 hours
    days.push({ day, from: start, to: Math.min(next - 1, to) });
    start = next;
  }
  return days;
}

class Sums {
  readonly #rows = new Map<string, Figures & { ispId: number; id: number }>();

  add(ispId: number, id: number, figures: Partial<Figures>): void {
    const row = this.#rows.getOrInsertComputed(`${ispId} ${id}`, () => ({
      ...{ ispId, id, made: 0, sold: 0, used: 0, amount: 0, ofIsp: 0 },
    }));
    for (const name of ["made", "sold", "used", "amount", "ofIsp"] as const) row[name] += figures[name] ?? 0;
  }

  get rows() {
    return [...this.#rows.values()];
  }
}

/** By ISP and day, or by ISP and name. */
function named({ $client }: Db, rows: Sums["rows"], division: Division): Omit<CardRow, "currency">[] {
  const isps = $client.query<{ name: string }, [number]>("SELECT name FROM isps WHERE id = ?");
  const table = division === "seller" ? "staff" : "packages";
  const names = $client.query<{ name: string }, [number]>(`SELECT name FROM ${table} WHERE id = ?`);
  return rows
    .map((row) =>
      Object.assign(row, {
        isp: isps.get(row.ispId)?.name ?? null,
        name: division === "day" ? null : (names.get(row.id)?.name ?? null),
      }),
    )
    .toSorted((a, b) => a.ispId - b.ispId || (a.name ?? "").localeCompare(b.name ?? "") || a.id - b.id);
}
