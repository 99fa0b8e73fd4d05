import { type Db, write } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

const DAY = 86_400;
/** Rows that one transaction deletes: a few milliseconds of the write lock. */
const STEP = 500;
/** Milliseconds between two transactions, for everybody else who writes. */
const PAUSE = 20;

export interface Forgotten {
  readonly sessions: number;
  readonly usageDays: number;
  readonly auditEntries: number;
  readonly tokens: number;
  /** Minutes and hours of routers, their logins by day, the usage of months. */
  readonly sums: number;
  /** What came of each subscriber of a bulk operation, and the operation. */
  readonly bulkRows: number;
  /** Their lines go with them. */
  readonly outages: number;
  /** What was told of them goes with them. */
  readonly events: number;
  /** What providers sent of payments; the payments stay. */
  readonly sentOfPayments: number;
  /** To people; one that waits too, for a channel that has been off for as long. */
  readonly messages: number;
}

/** Days that the minutes of a router are kept, which its hours sum, and those and other sums that are many. */
const MINUTES_KEPT = 8;
const SUMS_KEPT = 3 * 366;
/** Days that events are kept. */
const EVENTS_KEPT = 30;
/** Days that it is known what people were told. */
const MESSAGES_KEPT = 180;

/**
 * Forgets what is older than the settings session_days, usage_days and audit_days, and tokens that ended, in small steps, so
 * that logins and accounting never wait for it. Open sessions, money and invoices are kept for ever. Stops at `signal`.
 */
export async function forgetOldRows(
  db: Db,
  by: Actor,
  { now, signal }: { now: Seconds; signal?: AbortSignal },
): Promise<Forgotten> {
  permit(by, "forgetOldRows");
  const before = (key: "session_days" | "usage_days" | "audit_days") => now - setting(db, key) * DAY;
  const steps = (sql: string, bound: number) => inSteps(db, sql, bound, signal);
  return {
    sessions: await steps(
      `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE stopped_at < ? ORDER BY stopped_at LIMIT ${STEP})`,
      before("session_days"),
    ),
    usageDays: await steps(
      `DELETE FROM usage_days WHERE (subscriber_id, day) IN
         (SELECT subscriber_id, day FROM usage_days WHERE day < ? ORDER BY day LIMIT ${STEP})`,
      localDay(before("usage_days")),
    ),
    auditEntries: await steps(
      `DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE at < ? ORDER BY at LIMIT ${STEP})`,
      before("audit_days"),
    ),
    tokens:
      (await steps(
        `DELETE FROM subscriber_tokens WHERE id IN (SELECT id FROM subscriber_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ${STEP})`,
        now,
      )) +
      (await steps(
        `DELETE FROM staff_tokens WHERE id IN (SELECT id FROM staff_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ${STEP})`,
        now,
      )) +
      (await steps(
        `DELETE FROM staff_sessions WHERE id IN (SELECT id FROM staff_sessions WHERE expires_at < ? ORDER BY expires_at LIMIT ${STEP})`,
        now,
      )),
    outages: await steps(
      `DELETE FROM outages WHERE id IN (SELECT id FROM outages WHERE began_at < ? AND ended_at IS NOT NULL ORDER BY began_at LIMIT ${STEP})`,
      before("session_days"),
    ),
    events: await steps(
      `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE written_at < ? ORDER BY written_at LIMIT ${STEP})`,
      now - EVENTS_KEPT * DAY,
    ),
    sentOfPayments: await steps(
      `UPDATE incoming_payments SET raw_sealed = NULL, raw_until = NULL WHERE id IN
         (SELECT id FROM incoming_payments WHERE raw_sealed IS NOT NULL AND raw_until < ? ORDER BY raw_until LIMIT ${STEP})`,
      now,
    ),
    messages: await steps(
      // the oldest have the lowest ids: those that stay are not read each time
      `DELETE FROM messages WHERE created_at < ? AND state <> 'sending'
         AND id IN (SELECT id FROM messages ORDER BY id LIMIT ${STEP})`,
      now - MESSAGES_KEPT * DAY,
    ),
    sums: await forgetSums(steps, now),
    bulkRows:
      (await steps(
        `DELETE FROM bulk_rows WHERE (job_id, position) IN
           (SELECT r.job_id, r.position FROM bulk_jobs j CROSS JOIN bulk_rows r ON r.job_id = j.id WHERE j.finished_at < ? LIMIT ${STEP})`,
        before("audit_days"),
      )) +
      (await steps(
        `DELETE FROM bulk_jobs WHERE id IN
           (SELECT id FROM bulk_jobs WHERE finished_at < ? AND id NOT IN (SELECT job_id FROM bulk_rows) LIMIT ${STEP})`,
        before("audit_days"),
      )),
  };
}

async function forgetSums(
  steps: (sql: string, bound: number) => Promise<number>,
  now: Seconds,
): Promise<number> {
  const long = now - SUMS_KEPT * DAY;
  const samples = (table: "nas_minutes" | "nas_hours", bound: Seconds) =>
    steps(
      `DELETE FROM ${table} WHERE (nas_id, at) IN (SELECT nas_id, at FROM ${table} WHERE at < ? ORDER BY at LIMIT ${STEP})`,
      bound,
    );
  return (
    (await samples("nas_minutes", now - MINUTES_KEPT * DAY)) +
    (await samples("nas_hours", long)) +
    (await steps(
      `DELETE FROM login_days WHERE (day, nas_id, accepted, reason) IN
         (SELECT day, nas_id, accepted, reason FROM login_days WHERE day < ? ORDER BY day LIMIT ${STEP})`,
      localDay(long),
    )) +
    (await steps(
      `DELETE FROM usage_months WHERE (month, subscriber_id) IN
         (SELECT month, subscriber_id FROM usage_months WHERE month < ? ORDER BY month LIMIT ${STEP})`,
      Math.floor(localDay(long) / 100),
    ))
  );
}

/** Small transactions with a pause between them, until nothing is left or somebody has enough. */
async function inSteps(db: Db, sql: string, bound: number, signal?: AbortSignal): Promise<number> {
  const statement = db.$client.query<unknown, [number]>(sql);
  let forgotten = 0;
  for (;;) {
    const { changes } = write(db, () => statement.run(bound));
    forgotten += changes;
    if (changes < STEP || signal?.aborted) return forgotten;
    await Bun.sleep(PAUSE);
  }
}
