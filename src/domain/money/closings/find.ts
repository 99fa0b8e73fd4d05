import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { closings } from "../../../../db/schema.ts";
import { known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, may, type Scope } from "../../core/actor/actor.ts";
import { permissions, permit } from "../../core/actor/permissions.ts";
import { staffCondition } from "../../core/actor/reach.ts";

export type Closing = typeof closings.$inferSelect & {
  readonly name: string;
  readonly confirmedName: string | null;
};

const select = `
  SELECT ${selectColumns(closings, "c")}, a.name, m.name AS confirmedName
  FROM closings c JOIN staff a ON a.id = c.staff_id LEFT JOIN staff m ON m.id = c.confirmed_by`;

export interface ClosingFilters {
  readonly staffId?: number | null | undefined;
  readonly isConfirmed?: boolean | undefined;
}

export function listClosings(
  db: Db,
  by: Actor,
  { staffId, isConfirmed }: ClosingFilters,
  { before, limit }: { before: number; limit: number },
): Closing[] {
  permit(by, "listClosings");
  const { text, values } = all(
    { text: "c.id < ?", values: [before] },
    inScope(by.scope),
    may(by, permissions.confirmClosing) ? undefined : { text: "c.staff_id IS ?", values: [by.staffId] },
    equal("c.staff_id", staffId),
    isConfirmed === undefined
      ? undefined
      : { text: `c.confirmed_at IS ${isConfirmed ? "NOT NULL" : "NULL"}`, values: [] },
  );
  return db.$client
    .query<Closing, Value[]>(`${select} WHERE ${text} ORDER BY c.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

/** Throws `not_found`. */
export function findClosing({ $client }: Db, scope: Scope, id: number): Closing {
  const { text, values } = all({ text: "c.id = ?", values: [id] }, inScope(scope));
  return known(
    $client.query<Closing, Value[]>(`${select} WHERE ${text}`).get(...values),
    phrase`there is no day's close ${id}`,
  );
}

/** An ISP sees closes of the operator for it. */
function inScope({ ispId, ...scope }: Scope): Condition {
  return all(equal("c.isp_id", ispId), staffCondition({ ...scope, ispId: null }));
}
