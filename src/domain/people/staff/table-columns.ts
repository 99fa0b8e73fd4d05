import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";

export const columnNames = [
  "username",
  "mobile",
  "status",
  "package",
  "expires",
  "balance",
  "line",
  "router",
  "area",
  "salesperson",
  "box",
  "created",
] as const;
export type ColumnName = (typeof columnNames)[number];

const usual: readonly ColumnName[] = [
  "username",
  "status",
  "package",
  "expires",
  "balance",
  "line",
  "router",
  "area",
];

const KEY = "subscriber_columns";

export function tableColumns({ $client }: Db, by: Actor): readonly ColumnName[] {
  permit(by, "tableColumns");
  const row = $client
    .query<{ value: string }, [number | null, string]>(
      "SELECT value FROM staff_preferences WHERE staff_id = ? AND key = ?",
    )
    .get(by.staffId, KEY);
  if (!row) return usual;
  const chosen: unknown = JSON.parse(row.value);
  return columnNames.filter((name) => Array.isArray(chosen) && chosen.includes(name));
}

/** Sets which columns an account sees, which is not audited. Throws `invalid`. */
export function setTableColumns(
  { $client }: Db,
  by: Actor,
  { columns }: { columns: readonly string[] },
): void {
  permit(by, "setTableColumns");
  if (by.staffId === null)
    throw new DomainError("invalid", phrase`this is for accounts of staff; sign in as one`);
  const unknown = columns.filter((name) => !columnNames.some((known) => known === name));
  if (unknown.length > 0) {
    const message = phrase`must be some of ${columnNames.join(", ")}`;
    throw new DomainError("invalid", phrase`columns ${message}`, { fields: { columns: [message] } });
  }
  $client
    .query("INSERT OR REPLACE INTO staff_preferences (staff_id, key, value) VALUES (?, ?, ?)")
    .run(by.staffId, KEY, JSON.stringify(columns));
}
