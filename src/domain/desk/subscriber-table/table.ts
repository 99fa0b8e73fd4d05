import type { Condition, Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, may, widest } from "../../core/actor/actor.ts";
import { permit, permissions } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { endAsThawed } from "../../goods/subscribers/frozen.ts";
import { type LineState, lineStates } from "./line-state.ts";
import { sortedIds } from "../../goods/subscribers/list-order.ts";
import { countMatching } from "../../goods/subscribers/list.ts";
import { type ProfileStatus, profileStatus } from "../../goods/subscribers/record.ts";
import { isNarrowed, seesEverybody, type TableFilters, tableMatching } from "./table-filters.ts";
import { type ViewCounts, countViews } from "./table-views.ts";

export const TABLE_ROWS = 25;

export interface TableRow {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly mobile: string | null;
  readonly status: ProfileStatus;
  readonly isFrozen: boolean;
  readonly package: string;
  readonly expiresAt: Seconds | null;
  readonly balance: number;
  readonly line: LineState;
  readonly router: string | null;
  readonly area: string | null;
  readonly salesperson: string | null;
  readonly box: string | null;
  readonly createdAt: Seconds;
}

export interface Table {
  readonly rows: readonly TableRow[];
  readonly total: number;
  readonly everybody: number;
  readonly views: ViewCounts;
  readonly page: number;
  readonly sums: Sums | null;
}

export interface Sums {
  readonly balances: number;
  readonly owed: number;
}

/** A page of the table, by name unless `sort` says otherwise. */
export function subscriberTable(db: Db, by: Actor, filters: TableFilters, { now }: { now: Seconds }): Table {
  permit(by, "subscriberTable");
  const matches = tableMatching(widest(db, by.scope), filters, now);
  const read = db.$client.transaction((): Table => {
    const isWhole = seesEverybody(db, by.scope);
    const isAll = isWhole && !isNarrowed(filters);
    const everybody = countMatching(db, tableMatching(by.scope, {}, now));
    const found = isAll ? null : fewBy(db, matches);
    const few = found && among(found);
    const total = isAll ? everybody : (found?.length ?? countMatching(db, matches));
    const page = Math.min(filters.page ?? 1, Math.max(1, Math.ceil(total / TABLE_ROWS)));
    const offset = (page - 1) * TABLE_ROWS;
    const order = { sort: filters.sort ?? "name", total, limit: TABLE_ROWS, offset, ids: few?.ids };
    const ids = sortedIds(db, few?.matching ?? matches, order);
    const sums = may(by, permissions.walletEntries) ? sumRows(db, { isAll, ids: few?.ids }) : null;
    const views = countViews(db, by.scope, { everybody, isWhole }, now);
    return { rows: listRows(db, ids, now), total, everybody, views, page, sums };
  });
  return read();
}

export function tableIds(
  db: Db,
  by: Actor,
  filters: TableFilters,
  { now }: { now: Seconds },
): readonly number[] {
  permit(by, "tableIds");
  const matches = tableMatching(by.scope, filters, now);
  const total = countMatching(db, matches);
  return sortedIds(db, matches, { sort: filters.sort ?? "name", total, limit: total, offset: 0 });
}

const AT_ONCE = 500;

/** Rows of the table in pages, with ids fixed at the beginning. */
export function everyTableRow(
  db: Db,
  by: Actor,
  filters: TableFilters,
  { now }: { now: Seconds },
): Generator<TableRow[], void> {
  permit(by, "everyTableRow");
  return someAtATime(db, tableIds(db, by, filters, { now }), now);
}

function* someAtATime(db: Db, ids: readonly number[], now: Seconds) {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    yield listRows(db, ids.slice(from, from + AT_ONCE), now);
}

type Row = Omit<TableRow, "status" | "isFrozen" | "line"> & {
  readonly profile: number;
  readonly frozenAt: Seconds | null;
};

const select = `
  SELECT s.id, s.name, s.username, s.mobile_number AS mobile, s.status AS profile, p.name AS package, v.expires_at AS expiresAt,
    v.frozen_at AS frozenAt, coalesce(w.balance, 0) AS balance, n.name AS router, a.name AS area, t.name AS salesperson,
    s.box_number AS box, s.created_at AS createdAt
  FROM json_each(?) j JOIN subscribers s ON s.id = j.value JOIN packages p ON p.id = s.package_id
    LEFT JOIN services v ON v.subscriber_id = s.id LEFT JOIN wallets w ON w.subscriber_id = s.id
    LEFT JOIN nas n ON n.id = s.nas_id LEFT JOIN areas a ON a.id = s.area_id LEFT JOIN staff t ON t.id = s.salesperson_id
  ORDER BY j.key`;

export function listRows(db: Db, ids: readonly number[], now: Seconds): TableRow[] {
  const lines = lineStates(db, ids, now);
  return db.$client
    .query<Row, [string]>(select)
    .all(JSON.stringify(ids))
    .map((row) => toTableRow(row, lines.get(row.id), now));
}

function toTableRow({ profile, frozenAt, ...row }: Row, line: LineState | undefined, now: Seconds): TableRow {
  return {
    ...row,
    status: profileStatus(profile, row.expiresAt, now, frozenAt),
    isFrozen: profile === 1 && frozenAt !== null,
    expiresAt: row.expiresAt === null ? null : endAsThawed(row.expiresAt, frozenAt, now),
    line: line ?? { kind: "never" },
  };
}

/** Matches sorted by id. */
const FEW = 8000;

/** Ids of a condition that few rows meet; null: too many do. */
function fewBy({ $client }: Db, { text, values }: Condition): number[] | null {
  const sql = `SELECT s.id FROM subscribers s WHERE ${text} LIMIT ? + 0`;
  const found = $client.query<never, Value[]>(sql).values(...values, FEW + 1);
  return found.length > FEW ? null : found.map(([id]) => Number(id));
}

function among(found: readonly number[]): { ids: string; matching: Condition } {
  const ids = JSON.stringify(found);
  return { ids, matching: { text: "s.id IN (SELECT value FROM json_each(?))", values: [ids] } };
}

const added = "SELECT coalesce(sum(w.balance), 0) AS balances, coalesce(-sum(min(w.balance, 0)), 0) AS owed";

function sumRows({ $client }: Db, { isAll, ids }: { isAll: boolean; ids: string | undefined }): Sums | null {
  if (ids !== undefined)
    return $client
      .query<Sums, [string]>(`${added} FROM json_each(?) j CROSS JOIN wallets w ON w.subscriber_id = j.value`)
      .get(ids);
  if (!isAll) return null;
  const everybody = $client.query<Sums, []>(`${added} FROM wallets w`).get();
  const archived = $client
    .query<Sums, []>(
      `${added} FROM subscribers s CROSS JOIN wallets w ON w.subscriber_id = s.id WHERE s.archived_at IS NOT NULL`,
    )
    .get();
  if (!everybody || !archived) throw new Error("a sum has no row");
  return { balances: everybody.balances - archived.balances, owed: everybody.owed - archived.owed };
}
