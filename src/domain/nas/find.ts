import { columnsOf } from "../../../db/columns.ts";
import { all, equal, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { nas } from "../../../db/schema.ts";
import { DomainError } from "../errors.ts";
import type { Scope } from "../staff/actor.ts";

export type Nas = typeof nas.$inferSelect;

const select = `SELECT ${columnsOf(nas, "n")} FROM nas n`;

/** The NAS of an id, whoever acts; undefined where there is none, or no id. */
export function findNas(db: Db, id: number | null, ispId: number | null = null): Nas | undefined {
  if (id === null) return undefined;
  const { text, values } = all(equal("n.id", id), equal("n.isp_id", ispId));
  const row = db.$client.query<Nas, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!row) return undefined;
  row.secretSealed = Buffer.from(row.secretSealed);
  row.routerosPasswordSealed &&= Buffer.from(row.routerosPasswordSealed);
  return row;
}

/** The NAS of an id in a scope. Throws `not_found`. */
export function nasById(db: Db, { ispId }: Scope, id: number): Nas {
  const found = findNas(db, id, ispId);
  if (!found) throw new DomainError("not_found", `there is no NAS ${id}`);
  return found;
}
