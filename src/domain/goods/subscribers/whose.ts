import { all, type Condition } from "../../../../db/condition.ts";
import type { Scope } from "../../core/actor/actor.ts";

/** The condition of a scope; a large part of the box excludes the rest. Lists are covered by indexes: a tenth of the time for 20,000. */
export function whose(column: string, { ispId, branchId, salespersonId, archived }: Scope): Condition {
  const among = (by: string, id: number | null) =>
    id === null
      ? undefined
      : { text: `${column} IN (SELECT id FROM subscribers WHERE ${by} = ?)`, values: [id] };
  return all(
    ispId === null
      ? undefined
      : {
          text: `${column} NOT IN (SELECT id FROM subscribers WHERE isp_id < ? UNION ALL SELECT id FROM subscribers WHERE isp_id > ?)`,
          values: [ispId, ispId],
        },
    among("branch_id", branchId),
    among("salesperson_id", salespersonId),
    archived ? undefined : except(column, "archived_at IS NOT NULL"),
  );
}

export function whoseService(column: string, scope: Scope): Condition {
  return all(whose(column, scope), except(column, "status = 0"), {
    text: `${column} NOT IN (SELECT subscriber_id FROM services WHERE frozen_at IS NOT NULL)`,
    values: [],
  });
}

function except(column: string, which: string): Condition {
  return { text: `${column} NOT IN (SELECT id FROM subscribers WHERE ${which})`, values: [] };
}
