import type { Condition, Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";

/** `-` reverses. */
export const sorts = ["id", "name", "username", "expires", "balance", "created_at"] as const;
type Sort = (typeof sorts)[number];

/** Matches up to which they are sorted. */
const FEW = 4000;
/** Rows before a page that are scanned; beyond, all matches are found first. */
const NEAR = 1000;

/** Table and id column of each order. */
const sources: Readonly<Record<Sort, { readonly table: string; readonly id: string; readonly key: string }>> =
  {
    id: { table: "subscribers", id: "id", key: "id" },
    name: { table: "subscribers", id: "id", key: "name COLLATE NOCASE" },
    username: { table: "subscribers", id: "id", key: "username_key" },
    expires: { table: "services", id: "subscriber_id", key: "expires_at" },
    balance: { table: "wallets", id: "subscriber_id", key: "balance" },
    created_at: { table: "subscribers", id: "id", key: "created_at" },
  };

interface SortOptions {
  readonly sort: string | null | undefined;
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** JSON. */
  readonly ids?: string | undefined;
}

/** Ordered ids, ties by id. Without expiration last, in both directions. */
export function sortedIds(db: Db, matches: Condition, order: SortOptions): number[] {
  const { sort, total, limit, offset, ids } = order;
  const name = sorts.find((one) => one === sort?.replace("-", "")) ?? "id";
  const isBackwards = sort?.startsWith("-") ?? false;
  if (name === "expires") return byExpiration(db, matches, order, isBackwards);
  const after = total - offset - limit;
  if (after >= offset) return page(db, matches, { ...order, name, isBackwards });
  // from the nearer end
  const rest = {
    ids,
    total,
    limit: Math.max(0, Math.min(limit, total - offset)),
    offset: Math.max(0, after),
  };
  return page(db, matches, { ...rest, name, isBackwards: !isBackwards }).reverse();
}

function byExpiration(db: Db, matches: Condition, order: SortOptions, isBackwards: boolean): number[] {
  const { total, limit, offset } = order;
  const ids = page(db, matches, { ...order, name: "expires", isBackwards });
  const missing = Math.min(limit, total - offset) - ids.length;
  if (missing <= 0) return ids;
  // the + makes one index scan of it
  const without = `${matches.text} AND s.id NOT IN (SELECT +subscriber_id FROM services)`;
  const behind = listIds(db, `SELECT s.id FROM subscribers s WHERE ${without} ORDER BY s.id`, matches.values);
  const skipped = Math.max(0, offset - (total - behind.length));
  return [...ids, ...behind.slice(skipped, skipped + missing)];
}

type Part = Omit<SortOptions, "sort"> & { readonly name: Sort; readonly isBackwards: boolean };

function page(
  db: Db,
  { text, values }: Condition,
  { name, isBackwards, total, limit, offset, ids }: Part,
): number[] {
  const { table, id, key } = sources[name];
  const way = isBackwards ? "DESC" : "ASC";
  const last = `ORDER BY o.${key} ${way}, o.${id} ${way} LIMIT ? + 0 OFFSET ?`;
  if (ids !== undefined) {
    const known = `SELECT o.${id} AS id FROM json_each(?) j CROSS JOIN ${table} o ON o.${id} = j.value ${last}`;
    return listIds(db, known, [ids, limit, offset]);
  }
  // a + scans the order's index instead of sorting
  const among = `o.${id} IN (SELECT s.id FROM subscribers s WHERE ${text})`;
  const isNear = total > FEW && offset < NEAR && limit < NEAR;
  const sql = isNear
    ? `SELECT o.${id} AS id FROM ${table} o CROSS JOIN subscribers s ON s.id = +o.${id} WHERE ${text} ${last}`
    : `SELECT o.${id} AS id FROM ${table} o WHERE ${total > FEW ? "+" : ""}${among} ${last}`;
  return listIds(db, sql, [...values, limit, offset]);
}

function listIds({ $client }: Db, sql: string, values: readonly Value[]): number[] {
  return $client
    .query<{ id: number }, Value[]>(sql)
    .all(...values)
    .map(({ id }) => id);
}
