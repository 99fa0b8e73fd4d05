import { selectColumns } from "../../../../db/columns.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { bulkJobs } from "../../../../db/schema.ts";
import { sqliteCode } from "../../../../db/sqlite-error.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { ENABLED } from "../../people/staff/accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { operator } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import { loadActor, staffById } from "../../people/staff/sign-in.ts";
import type { Clock, Seconds } from "../../core/time/time.ts";
import type { BulkJob } from "./jobs.ts";
import { bulkName, bulkOperation } from "./operations.ts";
import { permitBulk } from "./start.ts";
import { wholeRefusal } from "./try.ts";

const BATCH = 200;
const PAUSE = 20;

/**
 * Runs pending jobs, the oldest first, until done or aborted. Result and effect of a subscriber share a transaction, so a crash
 * repeats none. Permissions are checked in each batch. Returns unexpected failures.
 */
export async function runBulk(
  db: Db,
  by: Actor,
  { clock, signal }: { clock: Clock; signal?: AbortSignal },
): Promise<unknown[]> {
  permit(by, "runBulk");
  const failures: unknown[] = [];
  for (;;) {
    const now = clock();
    // without the lock, for there is rarely a job
    const isMore = findNextJob(db) !== null && write(db, (tx) => runBatch(tx, { now, failures }));
    if (!isMore || signal?.aborted) return failures;
    await Bun.sleep(PAUSE);
  }
}

interface Round {
  readonly now: Seconds;
  readonly failures: unknown[];
}

const nextJob = `SELECT ${selectColumns(bulkJobs, "j")} FROM bulk_jobs j WHERE j.finished_at IS NULL ORDER BY j.id LIMIT 1`;

const findNextJob = ({ $client }: Db) => $client.query<BulkJob, []>(nextJob).get();

/** false: none. */
function runBatch(tx: Tx, turn: Round): boolean {
  const { $client } = tx;
  const job = findNextJob(tx);
  if (!job) return false;
  const rows = $client
    .query<{ position: number; subscriberId: number }, [number]>(
      `SELECT position, subscriber_id AS subscriberId FROM bulk_rows
       WHERE job_id = ? AND message IS NULL ORDER BY position LIMIT ${BATCH}`,
    )
    .all(job.id);
  const doOne = planWork(tx, job, turn);
  const written = $client.query("UPDATE bulk_rows SET message = ? WHERE job_id = ? AND position = ?");
  let done = 0;
  for (const { position, subscriberId } of rows) {
    const message = doOne(subscriberId, position - 1);
    if (message === "") done++;
    written.run(message, job.id, position);
  }
  $client
    .query("UPDATE bulk_jobs SET done = done + ?, refused = refused + ?, finished_at = ? WHERE id = ?")
    .run(done, rows.length - done, rows.length < BATCH ? turn.now : null, job.id);
  return true;
}

function planWork(
  tx: Tx,
  job: BulkJob,
  { now, failures }: Round,
): (subscriberId: number, nth: number) => string {
  const name = bulkName.read(job.operation);
  if (!name) return () => `this version of gatehouse does not know the operation ${job.operation}`;
  const input: Record<string, unknown> = JSON.parse(job.input);
  let by: Actor;
  try {
    by = loadJobActor(tx, job);
    permitBulk(by, name);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const refusal = wholeRefusal(error).toString();
    return () => refusal;
  }
  const startedAt = job.createdAt;
  return (subscriberId, nth) => {
    try {
      write(tx, (inner) => bulkOperation(name).run(inner, by, subscriberId, input, { now, startedAt, nth }));
      return "";
    } catch (error) {
      if (error instanceof DomainError) return wholeRefusal(error).toString();
      if (isStoreTrouble(error)) throw error;
      failures.push(error);
      return "internal error; its cause is in the log";
    }
  };
}

function loadJobActor(tx: Tx, { staffId, actor: name, source }: BulkJob): Actor {
  if (staffId === null) return { ...operator(name, "cli"), source };
  const by = loadActor(tx, staffId, source);
  if (!by || staffById(tx, staffId)?.status !== ENABLED)
    throw new DomainError("forbidden", phrase`the account ${name}, which started this, is disabled`, {
      code: "account_disabled",
    });
  return by;
}

/** The batch is rolled back and retried. */
function isStoreTrouble(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== "" && !code.startsWith("SQLITE_CONSTRAINT");
}
