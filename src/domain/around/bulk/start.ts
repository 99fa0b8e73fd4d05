import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import type { Value } from "../../../../db/condition.ts";
import { bulkJobs } from "../../../../db/schema.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { findUnknownNames, type Input, readFields } from "../../core/fields/fields.ts";
import { type Actor, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type BulkName, bulkOperation } from "./operations.ts";

export interface Started {
  readonly operation: BulkName;
  readonly ids: readonly number[];
  readonly values: Input;
}

/** Throws `forbidden` without both permissions. */
export function permitBulk(by: Actor, operation: BulkName): void {
  permit(by, "startBulk");
  permit(by, bulkOperation(operation).single);
}

/**
 * Starts a background job (`runBulk`) over the ids in order. Returns its id. Throws `invalid`, and `not_found` where none is
 * visible; single ones are refused in the result.
 */
export function startBulk(
  db: Db,
  by: Actor,
  { operation, ids, values: input }: Started,
  { now }: { now: Seconds },
): number {
  permitBulk(by, operation);
  requireInput(operation, input, { now });
  return write(db, (tx) => {
    const seen = countSeen(tx, by, ids);
    if (seen === 0)
      throw new DomainError("not_found", phrase`there are no such subscribers; take the ids of a preview`);
    const jobId = insert(tx, bulkJobs, {
      ispId: by.scope.ispId,
      staffId: by.staffId,
      actor: by.name,
      source: by.source,
      operation,
      input: JSON.stringify(input),
      total: ids.length,
      refused: ids.length - seen,
      createdAt: now,
    });
    addRows(tx, by, { jobId, ids });
    audit(tx, by, now, {
      action: "bulk.start",
      entity: "bulk",
      entityId: jobId,
      ispId: by.scope.ispId,
      after: { operation, ...input, subscribers: ids.length },
    });
    return jobId;
  });
}

export function requireInput(operation: BulkName, input: Input, world: { now: Seconds }): void {
  const { fields, required, check } = bulkOperation(operation);
  const faults: Faults = {};
  readFields(fields, input, faults, { required });
  findUnknownNames(fields, input, faults, { message: phrase`is not a field of the operation ${operation}` });
  rejectFaults(faults);
  check?.(input, world);
}

function countSeen({ $client }: Tx, by: Actor, ids: readonly number[]): number {
  const { text, values } = scopeCondition(by.scope);
  const counted = $client
    .query<{ count: number }, Value[]>(
      `SELECT count(*) AS count FROM subscribers s WHERE s.id IN (SELECT value FROM json_each(?)) AND ${text}`,
    )
    .get(JSON.stringify(ids), ...values);
  return counted?.count ?? 0;
}

function addRows(
  { $client }: Tx,
  by: Actor,
  { jobId, ids }: { jobId: number; ids: readonly number[] },
): void {
  const { text, values } = scopeCondition(by.scope);
  $client
    .query<unknown, Value[]>(
      `INSERT INTO bulk_rows (job_id, position, subscriber_id, message)
       SELECT ?, j.key + 1, j.value, iif(s.id IS NULL, 'there is no subscriber ' || j.value, NULL)
       FROM json_each(?) j LEFT JOIN subscribers s ON s.id = j.value AND ${text}`,
    )
    .run(jobId, JSON.stringify(ids), ...values);
}
