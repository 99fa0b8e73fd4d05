import type { Seconds } from "../../core/time/time.ts";

/** The last moment that can be written with a year of four digits in every zone. */
const LAST = Math.floor(Date.UTC(9999, 11, 30) / 1000);

/** A moment of a source as one that can be written; undefined: it is none. What lies beyond is the nearest that can. */
export function moment(at: Seconds): Seconds | undefined {
  return Number.isNaN(at) ? undefined : Math.trunc(Math.min(Math.max(at, 0), LAST));
}

/** What a counter of a source stood at, as far as it can be counted. */
export function counted(amount: number): number {
  return amount > 0 ? Math.trunc(Math.min(amount, Number.MAX_SAFE_INTEGER)) : 0;
}
