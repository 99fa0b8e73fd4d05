import type { Db } from "../../../../db/open.ts";
import type { services } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";
import { splitOctets } from "./split.ts";
import { carriedOver } from "./terms.ts";
import { parseTiers } from "../../goods/windows/tiers.ts";

export type Counters = Pick<
  typeof services.$inferSelect,
  | "subscriberId"
  | "activatedAt"
  | "fairWindow"
  | "hours"
  | "tiers"
  | "quotaTotal"
  | "quotaUsed"
  | "quotaCrossedAt"
  | "windowStart"
  | "extraBytes"
  | "rollingBytes"
  | "freeBytes"
>;

/** Counters in a window that begins now: usage is reset, rollover stays. */
export function begun(counters: Counters, windowStart: Seconds): Counters {
  const { quotaTotal, extraBytes } = counters;
  const left = carriedOver(counters);
  return {
    ...counters,
    windowStart,
    quotaUsed: 0,
    freeBytes: 0,
    quotaCrossedAt: null,
    quotaTotal: quotaTotal === 0 ? 0 : quotaTotal - extraBytes + left,
    extraBytes: left,
    rollingBytes: left,
  };
}

/** Octets of a report between two moments. */
export interface Carried {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly octets: number;
}

/** Counters after a report; earlier windows no longer count. */
export function counted(before: Counters, carried: Carried): Counters {
  // usage before an activation is not part of the new period
  if (before.activatedAt !== null && before.activatedAt > carried.to) return before;
  let after = before;
  for (const { windowStart, counts, octets } of splitOctets(before, carried)) {
    if (windowStart !== null && after.windowStart !== null && windowStart < after.windowStart) continue;
    if (windowStart !== null && windowStart !== after.windowStart)
      after = after.windowStart === null ? { ...after, windowStart } : begun(after, windowStart);
    after = counts
      ? { ...after, quotaUsed: after.quotaUsed + octets }
      : { ...after, freeBytes: after.freeBytes + octets };
  }
  return after;
}

/** How many tiers are reached. */
export function countTiers({
  tiers,
  quotaUsed,
  extraBytes,
}: Pick<Counters, "tiers" | "quotaUsed" | "extraBytes">): number {
  return parseTiers(tiers).filter(({ after }) => quotaUsed >= after + extraBytes).length;
}

export class CounterRows {
  readonly #read;
  readonly #write;

  constructor({ $client }: Db) {
    this.#read = $client.query<Counters, [number]>(
      `SELECT subscriber_id AS subscriberId, activated_at AS activatedAt, fair_window AS fairWindow, hours, tiers,
         quota_total AS quotaTotal, quota_used AS quotaUsed, quota_crossed_at AS quotaCrossedAt, window_start AS windowStart,
         extra_bytes AS extraBytes, rolling_bytes AS rollingBytes, free_bytes AS freeBytes
       FROM services WHERE subscriber_id = ?`,
    );
    this.#write = $client.query<unknown, (number | null)[]>(
      `UPDATE services SET quota_total = ?, quota_used = ?, quota_crossed_at = ?, window_start = ?, extra_bytes = ?,
         rolling_bytes = ?, free_bytes = ? WHERE subscriber_id = ?`,
    );
    // updating a column fires its triggers, and most reports only add usage
    this.#use = $client.query<unknown, [number, number, number]>(
      "UPDATE services SET quota_used = ?, free_bytes = ? WHERE subscriber_id = ?",
    );
    this.#addPlain = $client.query<unknown, [number, number, Seconds]>(
      `UPDATE services SET quota_used = quota_used + ? WHERE subscriber_id = ? AND quota_total = 0 AND tiers IS NULL
         AND hours IS NULL AND fair_window = 'period' AND ifnull(activated_at <= ?, TRUE)`,
    );
  }

  readonly #use;
  readonly #addPlain;

  /** Adds to a plain service without quota, tiers, hours or window, as most are. Returns whether it was one, and active at `at`. */
  addPlain(subscriberId: number, octets: number, at: Seconds): boolean {
    return this.#addPlain.run(octets, subscriberId, at).changes > 0;
  }

  read(subscriberId: number): Counters | undefined {
    return this.#read.get(subscriberId) ?? undefined;
  }

  write(before: Counters, after: Counters): void {
    const { quotaTotal, quotaUsed, quotaCrossedAt, windowStart, extraBytes, rollingBytes, freeBytes } = after;
    if (before.windowStart === windowStart && before.quotaCrossedAt === quotaCrossedAt) {
      this.#use.run(quotaUsed, freeBytes, before.subscriberId);
      return;
    }
    this.#write.run(
      ...[quotaTotal, quotaUsed, quotaCrossedAt, windowStart],
      ...[extraBytes, rollingBytes, freeBytes, before.subscriberId],
    );
  }
}
