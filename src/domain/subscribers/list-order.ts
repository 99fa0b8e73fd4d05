import type { Condition, Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";

/** What a list of subscribers may be in the order of; `-` before it is backwards. */
export const sorts = ["id", "name", "username", "expires", "balance", "created_at"] as const;
type Sort = (typeof sorts)[number];

/** Matches that are sorted rather than picked out of everybody in the order of an index. */
const FEW = 4000;

/** The column of an order, and the table that has it where that is not the subscribers' own: a row for each, `o`. */
const columns: Readonly<Record<Sort, { readonly key: string; readonly table?: string }>> = {
  id: { key: "s.id" },
  name: { key: "s.name COLLATE NOCASE" },
  username: { key: "s.username_key" },
  expires: { table: "services", key: "o.expires_at" },
  balance: { table: "wallets", key: "o.balance" },
  created_at: { key: "s.created_at" },
};

interface Wanted {
  readonly sort: string | null | undefined;
  /** How many match. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * The ids of those who match, as `s`, in an order, equal ones by their ids. By expiration, who has none stands at the end,
 * whichever way it goes.
 */
export function sortedIds({ $client }: Db, matches: Condition, wanted: Wanted): number[] {
  const { total, limit, offset } = wanted;
  const { text, values } = matches;
  const read = (sql: string, count: number, skipped: number) =>
    $client
      .query<{ id: number }, Value[]>(sql)
      .all(...values, count, skipped)
      .map(({ id }) => id);
  const [name, way] = orderOf(wanted.sort);
  const ids = read(statementOf(text, name, way, total), limit, offset);
  const missing = Math.min(limit, total - offset) - ids.length;
  if (name !== "expires" || missing <= 0) return ids;
  const behind = `FROM subscribers s WHERE ${text} AND NOT EXISTS (SELECT 1 FROM services v WHERE v.subscriber_id = s.id)`;
  const count = $client
    .query<{ count: number }, Value[]>(`SELECT count(*) AS count ${behind}`)
    .get(...values);
  const skipped = Math.max(0, offset - (total - (count?.count ?? 0)));
  return [...ids, ...read(`SELECT s.id ${behind} ORDER BY s.id LIMIT ? + 0 OFFSET ?`, missing, skipped)];
}

function orderOf(sort: string | null | undefined): [name: Sort, way: "ASC" | "DESC"] {
  const name = sorts.find((one) => one === sort?.replace("-", "")) ?? "id";
  return [name, sort?.startsWith("-") ? "DESC" : "ASC"];
}

function statementOf(condition: string, name: Sort, way: "ASC" | "DESC", total: number): string {
  const { table, key } = columns[name];
  const own = table === undefined ? "" : `${table} o`;
  const last = `ORDER BY ${key} ${way}, s.id ${way} LIMIT ? + 0 OFFSET ?`;
  if (total > FEW) {
    const everybody = own && `${own} CROSS JOIN subscribers s ON s.id = o.subscriber_id`;
    return `SELECT s.id FROM ${everybody || "subscribers s"} WHERE ${condition} ${last}`;
  }
  // who they are is found first, by whatever index has them
  return `WITH few AS MATERIALIZED (SELECT s.id FROM subscribers s WHERE ${condition})
    SELECT s.id FROM few CROSS JOIN subscribers s ON s.id = few.id
    ${own && `CROSS JOIN ${own} ON o.subscriber_id = s.id`} ${last}`;
}
