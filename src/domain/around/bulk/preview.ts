import { NO_FILTER } from "../../core/errors/codes.ts";
import { all, among, type Condition, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { findUnknownNames, type Input, readFields, type Values, without } from "../../core/fields/fields.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { listFilters, matching } from "../../goods/subscribers/list.ts";
import type { Seconds } from "../../core/time/time.ts";
import { MAX_ROWS, subscriberIds } from "./input.ts";

const SAMPLE = 10;

/** Filters or ids; all must match. */
export const selectionFields = {
  ...without(listFilters, ["archived", "sort", "limit", "offset"]),
  ids: subscriberIds,
};

type Selection = Values<typeof selectionFields>;

export interface Preview {
  readonly ids: readonly number[];
  readonly sample: readonly { id: number; username: string; name: string }[];
}

/** Reads a selection, in which empty counts as absent. Throws `invalid` for a bad value or name. */
export function readSelection(input: Input): Selection {
  const faults: Faults = {};
  const selection = readFields(selectionFields, input, faults);
  findUnknownNames(selectionFields, input, faults, { message: NO_FILTER });
  rejectFaults(faults);
  return selection;
}

/** What a bulk operation would do within the actor's scope. Throws `refused` for too many. */
export function previewBulk(
  db: Db,
  by: Actor,
  { ids: chosenIds, ...filters }: Selection,
  { now }: { now: Seconds },
): Preview {
  permit(by, "previewBulk");
  const named: Condition | undefined = chosenIds ? among("s.id", chosenIds) : undefined;
  const { text, values } = all(matching(by.scope, filters, now), named);
  const ids = db.$client
    .query<{ id: number }, Value[]>(
      `SELECT s.id FROM subscribers s WHERE ${text} ORDER BY s.id LIMIT ${MAX_ROWS + 1}`,
    )
    .all(...values)
    .map(({ id }) => id);
  if (ids.length > MAX_ROWS)
    throw new DomainError(
      "refused",
      phrase`more than ${MAX_ROWS} subscribers match; narrow the filters, as by branch_id or package_id`,
      { code: "too_many" },
    );
  const sample = db.$client
    .query<Preview["sample"][number], [string]>(
      `SELECT id, username, name FROM subscribers WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    )
    .all(JSON.stringify(ids.slice(0, SAMPLE)));
  return { ids, sample };
}
