import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, type Scope, scopeEver } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { whose } from "../../goods/subscribers/whose.ts";
import { Isps } from "../../money/sums/isps.ts";

/** Minor units by age. */
interface Ages {
  owed: number;
  days0To30: number;
  days31To60: number;
  days61To90: number;
  over90: number;
}

export interface OwedRow extends Ages {
  ispId: number;
  isp: string;
  currency: string;
  id: number | null;
  name: string | null;
  subscribers: number;
}

export const owedDivisions = ["branch", "area", "package", "salesperson"] as const;
export interface OwedFilter {
  readonly by?: (typeof owedDivisions)[number] | null | undefined;
}

const divisions = {
  branch: ["s.branch_id", "branches"],
  area: ["s.area_id", "areas"],
  package: ["s.package_id", "packages"],
  salesperson: ["s.salesperson_id", "staff"],
} as const;

const open = `
  SELECT subscriber_id, open, created_at AS at FROM invoices INDEXED BY invoices_unpaid WHERE paid_at IS NULL AND open > 0
  UNION ALL SELECT o.subscriber_id, o.open, coalesce(e.created_at, 0)
  FROM open_charges o LEFT JOIN ledger_entries e ON e.id = o.entry_id`;

const DAY = 86_400;
const ages = `sum(c.open) AS owed, sum(iif(c.at > ?, c.open, 0)) AS days0To30, sum(iif(c.at <= ? AND c.at > ?, c.open, 0)) AS days31To60,
  sum(iif(c.at <= ? AND c.at > ?, c.open, 0)) AS days61To90, sum(iif(c.at <= ?, c.open, 0)) AS over90`;

function boundsAt(now: Seconds): number[] {
  const [first, second, third] = [now - 31 * DAY, now - 61 * DAY, now - 91 * DAY];
  return [first, first, second, second, third, third];
}

/** Most first. */
export function reportOwed(
  db: Db,
  by: Actor,
  { by: division }: OwedFilter,
  { now }: { now: Seconds },
): { rows: OwedRow[] } {
  permit(by, "reportOwed");
  const isps = new Isps(db);
  const rows = division
    ? dividedBy(db, by.scope, division, now)
    : isps.in(by.scope).flatMap(({ id, name }) => {
        const { text, values } = whose("c.subscriber_id", { ...by.scope, ispId: id, archived: true });
        const sums = db.$client
          .query<Ages & { subscribers: number }, Value[]>(
            `SELECT count(DISTINCT c.subscriber_id) AS subscribers, ${ages} FROM (${open}) c WHERE ${text}`,
          )
          .get(...boundsAt(now), ...values);
        return sums && sums.subscribers > 0 ? [{ ispId: id, isp: name, id: null, name: null, ...sums }] : [];
      });
  return { rows: isps.withCurrency(rows) };
}

function dividedBy({ $client }: Db, scope: Scope, division: keyof typeof divisions, now: Seconds) {
  const { text, values } = scopeEver(scope);
  const [column, table] = divisions[division];
  return $client
    .query<Omit<OwedRow, "currency">, Value[]>(
      `SELECT x.*, isps.name AS isp, names.name AS name FROM (
         SELECT s.isp_id AS ispId, coalesce(${column}, 0) AS id, count(DISTINCT s.id) AS subscribers, ${ages}
         FROM (${open}) c CROSS JOIN subscribers s ON s.id = c.subscriber_id WHERE ${text} GROUP BY 1, 2
       ) x JOIN isps ON isps.id = x.ispId LEFT JOIN ${table} names ON names.id = x.id ORDER BY x.ispId, x.owed DESC, x.id`,
    )
    .all(...boundsAt(now), ...values);
}

export interface DebtorRow extends Ages {
  ispId: number;
  isp: string;
  currency: string;
  subscriberId: number;
  username: string;
  name: string;
  mobile: string | null;
  /** null: present. */
  archivedAt: Seconds | null;
  /** null: no charge. */
  since: Seconds | null;
}

/** Debtors by their debt. */
export function reportDebtors(
  db: Db,
  by: Actor,
  { limit, offset = 0 }: { limit: number; offset?: number },
  { now }: { now: Seconds },
): { rows: DebtorRow[] } {
  permit(by, "reportDebtors");
  const { text, values } = whose("c.subscriber_id", { ...by.scope, archived: true });
  const rows = db.$client
    .query<Omit<DebtorRow, "currency">, Value[]>(
      `SELECT x.*, s.isp_id AS ispId, isps.name AS isp, s.username, s.name, s.mobile_number AS mobile, s.archived_at AS archivedAt FROM (
         SELECT c.subscriber_id AS subscriberId, nullif(min(c.at), 0) AS since, ${ages} FROM (${open}) c WHERE ${text}
         GROUP BY c.subscriber_id ORDER BY owed DESC, c.subscriber_id LIMIT ? + 0 OFFSET ? + 0
       ) x JOIN subscribers s ON s.id = x.subscriberId JOIN isps ON isps.id = s.isp_id ORDER BY x.owed DESC, s.id`,
    )
    .all(...boundsAt(now), ...values, limit, offset);
  return { rows: new Isps(db).withCurrency(rows) };
}
