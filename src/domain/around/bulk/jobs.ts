import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { bulkJobs } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, scopeCondition, seesWholeIsp, seesIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { BulkName } from "./operations.ts";

export type BulkJob = typeof bulkJobs.$inferSelect;

const selectJob = `SELECT ${selectColumns(bulkJobs, "j")} FROM bulk_jobs j`;

export const bulkResults = ["waiting", "done", "refused"] as const;
export type BulkResult = (typeof bulkResults)[number];

export interface BulkRow {
  readonly position: number;
  readonly subscriberId: number;
  readonly username: string | null;
  readonly name: string | null;
  readonly result: BulkResult;
  /** The refusal. */
  readonly message: string | null;
}

export function listBulkJobs(
  { $client }: Db,
  by: Actor,
  { operation, before, limit }: { operation: BulkName | null; before: number; limit: number },
): BulkJob[] {
  permit(by, "listBulkJobs");
  const older: Condition = { text: "j.id < ?", values: [before] };
  const { text, values } = all(inScope(by), equal("j.operation", operation), older);
  return $client
    .query<BulkJob, Value[]>(`${selectJob} WHERE ${text} ORDER BY j.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

export function bulkJob(db: Db, by: Actor, id: number): BulkJob {
  permit(by, "bulkJob");
  return findJob(db, by, id);
}

/** Rows of a job in the order in which they are done, with their total. Throws not_found. */
export function listBulkRows(
  db: Db,
  by: Actor,
  which: number | BulkJob,
  choice: { result: BulkResult | null; descending: boolean; limit: number; offset: number },
): { rows: BulkRow[]; total: number } {
  permit(by, "listBulkRows");
  const { id } = jobIn(db, by, which);
  const { result, descending, limit, offset } = choice;
  const { text, values } = all(equal("r.job_id", id), result === null ? undefined : hasResult[result]);
  const scope = scopeCondition({ ...by.scope, archived: true });
  const rows = db.$client
    .query<BulkRow, Value[]>(
      `SELECT r.position, r.subscriber_id AS subscriberId, s.username, s.name, nullif(r.message, '') AS message,
         CASE r.message WHEN '' THEN 'done' ELSE iif(r.message IS NULL, 'waiting', 'refused') END AS result
       FROM bulk_rows r LEFT JOIN subscribers s ON s.id = r.subscriber_id AND ${scope.text}
       WHERE ${text} ORDER BY r.position ${descending ? "DESC" : "ASC"} LIMIT ? + 0 OFFSET ?`,
    )
    .all(...scope.values, ...values, limit, offset);
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM bulk_rows r WHERE ${text}`)
    .get(...values);
  return { rows, total: counted?.total ?? 0 };
}

const hasResult: Readonly<Record<BulkResult, Condition>> = {
  waiting: { text: "r.message IS NULL", values: [] },
  done: { text: "r.message = ''", values: [] },
  refused: { text: "r.message <> ''", values: [] },
};

/** `which`: an id, or a row that was read already. Throws not_found outside the scope. */
function jobIn(db: Db, by: Actor, which: number | BulkJob): BulkJob {
  if (typeof which === "number") return findJob(db, by, which);
  const { scope, staffId } = by;
  if (seesIsp(scope, which) && (seesWholeIsp(scope) || which.staffId === staffId)) return which;
  throw missing(which.id);
}

function findJob({ $client }: Db, by: Actor, id: number): BulkJob {
  const { text, values } = all(equal("j.id", id), inScope(by));
  const job = $client.query<BulkJob, Value[]>(`${selectJob} WHERE ${text}`).get(...values);
  if (!job) throw missing(id);
  return job;
}

const missing = (id: number) => new DomainError("not_found", phrase`there is no bulk operation ${id}`);

function inScope({ scope, staffId }: Actor): Condition {
  return all(equal("j.isp_id", scope.ispId), seesWholeIsp(scope) ? undefined : equal("j.staff_id", staffId));
}
