import { NOT_LAST_CHANGED } from "../../../../db/record-changes.ts";
import { type Db, write } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

const DAY = 86_400;
/** Rows deleted in a transaction, a few milliseconds of the lock. */
const STEP = 500;
const PAUSE = 20;

export interface Forgotten {
  readonly sessions: number;
  readonly usageDays: number;
  readonly auditEntries: number;
  readonly tokens: number;
  readonly sums: number;
  readonly bulkRows: number;
  readonly outages: number;
  readonly events: number;
  /** Providers' raw messages; payments stay. */
  readonly sentOfPayments: number;
  readonly messages: number;
  readonly keyCalls: number;
}

const MINUTES_KEPT = 8;
const SUMS_KEPT = 3 * 366;
const EVENTS_KEPT = 30;
const MESSAGES_KEPT = 180;
const KEY_CALLS_KEPT = 7;

/**
 * Deletes what is older than session_days, usage_days and audit_days, and expired tokens, in small steps so that logins and
 * accounting never wait. Open sessions, money and invoices stay for ever. Stops at `signal`.
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
      `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE stopped_at < ? AND ${NOT_LAST_CHANGED} ORDER BY stopped_at LIMIT ${STEP})`,
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
      // by id, so that remaining rows are not scanned
      `DELETE FROM messages WHERE created_at < ? AND state <> 'sending'
         AND id IN (SELECT id FROM messages ORDER BY id LIMIT ${STEP})`,
      now - MESSAGES_KEPT * DAY,
    ),
    keyCalls: await steps(
      `DELETE FROM api_key_calls WHERE id IN (SELECT id FROM api_key_calls WHERE at < ? ORDER BY at LIMIT ${STEP})`,
      now - KEY_CALLS_KEPT * DAY,
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

/** Small transactions with pauses, until done or aborted. */
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
