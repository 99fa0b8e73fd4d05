import type { Seconds } from "../../core/time/time.ts";

/** The last time with a four-digit year in every zone. */
const LAST = Math.floor(Date.UTC(9999, 11, 30) / 1000);

/** A time that can be stored; undefined: it is none. Later ones become the last that can be written. */
export function moment(at: Seconds): Seconds | undefined {
  return Number.isNaN(at) ? undefined : Math.trunc(Math.min(Math.max(at, 0), LAST));
}

/** A counter, bounded to a safe integer. */
export function counted(amount: number): number {
  return amount > 0 ? Math.trunc(Math.min(amount, Number.MAX_SAFE_INTEGER)) : 0;
}
