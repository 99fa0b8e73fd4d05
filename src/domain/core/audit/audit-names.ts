import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Scope } from "../actor/actor.ts";

/** Nouns with names: table, column and ISP. */
const kinds = {
  subscriber: ["subscribers", "id", "name", "isp_id"],
  package: ["packages", "id", "name", "isp_id"],
  nas: ["nas", "id", "name", "isp_id"],
  address_pool: ["address_pools", "id", "name", "isp_id"],
  staff: ["staff", "id", "name", "isp_id"],
  api_key: ["staff", "id", "name", "isp_id"],
  role: ["roles", "code", "name", "isp_id"],
  isp: ["isps", "id", "name", "id"],
  branch: ["branches", "id", "name", "isp_id"],
  city: ["cities", "id", "name", "isp_id"],
  area: ["areas", "id", "name", "isp_id"],
  subarea: ["subareas", "id", "name", "isp_id"],
  invoice: ["invoices", "id", "number", "isp_id"],
  payment: ["payments", "id", "number", "isp_id"],
  card_batch: ["card_batches", "id", "printf('%04d', id)", "isp_id"],
  card: [
    "(SELECT c.id, printf('C-%06d', c.id) AS number, b.isp_id FROM cards c JOIN card_batches b ON b.id = c.batch_id)",
    "id",
    "number",
    "isp_id",
  ],
} as const;

export type NamedKind = keyof typeof kinds;

export interface Named {
  readonly kind: NamedKind;
  readonly id: number;
}

export function isNamedKind(kind: string): kind is NamedKind {
  return Object.hasOwn(kinds, kind);
}

/** Names by `nameKey`, within a scope; one query for each kind. */
export function auditNames({ $client }: Db, scope: Scope, named: Iterable<Named>): Map<string, string> {
  const ids = new Map<NamedKind, Set<number>>();
  for (const { kind, id } of named) ids.getOrInsertComputed(kind, () => new Set()).add(id);
  const names = new Map<string, string>();
  for (const [kind, some] of ids) {
    const [table, column, name, ofIsp] = kinds[kind];
    // by id: the ISP's index would read all its rows
    const { text, values } = all(equal(`+${ofIsp}`, scope.ispId));
    const rows = $client
      .query<{ id: number; name: string | null }, Value[]>(
        `SELECT ${column} AS id, ${name} AS name FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?)) AND ${text}`,
      )
      .all(JSON.stringify([...some]), ...values);
    for (const row of rows) if (row.name !== null) names.set(nameKey({ kind, id: row.id }), row.name);
  }
  return names;
}

export function nameKey({ kind, id }: Named): string {
  return `${kind} ${id}`;
}
