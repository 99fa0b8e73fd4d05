import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { nas } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { NasKind } from "./kinds.ts";
import { type Scope, seesIsp } from "../../core/actor/actor.ts";

export type Nas = typeof nas.$inferSelect;

const select = `SELECT ${selectColumns(nas, "n")} FROM nas n`;

/** A router of an id, whoever acts. */
export function findNas(db: Db, id: number | null, ispId: number | null = null): Nas | undefined {
  if (id === null) return undefined;
  const [found] = nasWhere(db, all(equal("n.id", id), equal("n.isp_id", ispId)));
  return found;
}

/** `more`: values after the condition. */
export function nasWhere(
  { $client }: Db,
  { text, values }: Condition,
  order = "",
  more: readonly number[] = [],
): Nas[] {
  const rows = $client.query<Nas, Value[]>(`${select} WHERE ${text} ${order}`).all(...values, ...more);
  for (const row of rows) {
    row.secretSealed = Buffer.from(row.secretSealed);
    row.routerosPasswordSealed &&= Buffer.from(row.routerosPasswordSealed);
  }
  return rows;
}

/** Throws `not_found`. */
export function nasById(db: Db, { ispId }: Scope, id: number): Nas {
  const found = findNas(db, id, ispId);
  if (!found) throw missing(id);
  return found;
}

const missing = (id: number) => new DomainError("not_found", phrase`there is no NAS ${id}`);

/** `which`: an id, or a row that was read already. Throws `not_found` outside the scope. */
export function nasIn(db: Db, scope: Scope, which: number | Nas): Nas {
  if (typeof which === "number") return nasById(db, scope, which);
  if (seesIsp(scope, which)) return which;
  throw missing(which.id);
}

/** Kinds in use, the most frequent first; RouterOS without routers. null: all ISPs. */
export function kindsInUse({ $client }: Db, ispId: number | null): readonly [NasKind, ...NasKind[]] {
  const [first = "mikrotik", ...others] = $client
    .query<{ kind: NasKind }, [number | null]>(
      "SELECT kind FROM nas WHERE isp_id = ifnull(?1, isp_id) GROUP BY kind ORDER BY count(*) DESC, kind <> 'mikrotik', kind",
    )
    .all(ispId)
    .map(({ kind }) => kind);
  return [first, ...others];
}

export function countHolders({ $client }: Db, nasId: number): number {
  const counted = $client
    .query<{ holders: number }, [number]>("SELECT count(*) AS holders FROM subscribers WHERE nas_id = ?")
    .get(nasId);
  return counted?.holders ?? 0;
}

/** All ISPs, for the operator. */
export function listIsps({ $client }: Db): { readonly id: number; readonly name: string }[] {
  return $client.query<{ id: number; name: string }, []>("SELECT id, name FROM isps ORDER BY name, id").all();
}
