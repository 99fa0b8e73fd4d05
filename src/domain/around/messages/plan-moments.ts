import { type Db, type Tx, write } from "../../../../db/open.ts";
import { messageRules } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Seconds } from "../../core/time/time.ts";
import { listRecipients } from "./people.ts";
import { planMessage } from "./planned.ts";
import { type Rule, selectRules } from "./rules.ts";

const STEP = 200;
/** Seconds between two stored positions without news, to spare the disk. */
const KEPT_EVERY = 60;

/** A service or invoice, and its time. */
interface Due {
  readonly id: number;
  readonly subscriberId: number;
  readonly due: Seconds;
}

/** Moments after a (due, id) until a time, in order. */
const selects = {
  expiry: `SELECT v.subscriber_id AS id, v.subscriber_id AS subscriberId, v.expires_at AS due
    FROM services v JOIN subscribers s ON s.id = v.subscriber_id
    WHERE s.isp_id = ?1 AND (v.expires_at, v.subscriber_id) > (?2, ?3) AND v.expires_at <= ?4
      AND v.frozen_at IS NULL AND s.archived_at IS NULL
    ORDER BY v.expires_at, v.subscriber_id LIMIT ${STEP}`,
  due: `SELECT i.id, i.subscriber_id AS subscriberId, i.period_end AS due
    FROM invoices i JOIN subscribers s ON s.id = i.subscriber_id
    WHERE i.isp_id = ?1 AND (i.period_end, i.id) > (?2, ?3) AND i.period_end <= ?4 AND i.voided_at IS NULL AND i.paid_at IS NULL
      AND s.archived_at IS NULL
    ORDER BY i.period_end, i.id LIMIT ${STEP}`,
} as const;

const periodKeys = {
  expiry: ({ due }: Pick<Due, "due">) => `expiry ${due}`,
  due: ({ id, due }: Pick<Due, "id" | "due">) => `invoice ${id} ${due}`,
} as const;

/** Plans missed moments of a rule; none for a clock set back. Returns the number. */
export async function planMoments(
  db: Db,
  rule: Rule,
  { now, signal }: { now: Seconds; signal: AbortSignal | undefined },
): Promise<number> {
  const { on, ispId, offset, plannedTo } = rule;
  if (on === "event" || plannedTo >= now) return 0;
  const next = db.$client.query<Due, [number, Seconds, number, Seconds]>(selects[on]);
  let after = { due: plannedTo - offset, id: Number.MAX_SAFE_INTEGER };
  let reached = plannedTo;
  let planned = 0;
  for (;;) {
    const found = next.all(ispId, after.due, after.id, now - offset);
    const last = found.at(-1);
    if (!last && now - reached < KEPT_EVERY) return planned;
    const isWhole = !last || found.length < STEP;
    // the last second may be incomplete; periods exclude known ones
    const until = isWhole ? now : Math.max(reached, last.due + offset - 1);
    const written = write(db, (tx) => planStep(tx, rule, { found, reached, until }, now));
    if (written === undefined) return planned;
    planned += written;
    if (isWhole || signal?.aborted) return planned;
    reached = until;
    after = last;
    await Bun.sleep(0);
  }
}

/** undefined: the rule changed. */
function planStep(
  tx: Tx,
  { id, on }: Rule,
  { found, reached, until }: { found: readonly Due[]; reached: Seconds; until: Seconds },
  now: Seconds,
): number | undefined {
  const rule = tx.$client.query<Rule, [number]>(`${selectRules} WHERE r.id = ? AND r.is_enabled = 1`).get(id);
  if (!rule || on === "event" || rule.on !== on || rule.plannedTo !== reached) return undefined;
  let written = 0;
  for (const one of found) {
    const occasion = { eventId: null, period: periodKeys[on](one), dueAt: one.due + rule.offset };
    for (const who of listRecipients(tx, rule, one.subscriberId))
      if (planMessage(tx, rule, occasion, who, now)) written++;
  }
  update(tx, messageRules, { plannedTo: until }, { id });
  return written;
}
