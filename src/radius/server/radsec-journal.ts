import type { RadsecRefusal } from "./radsec-server.ts";

/** Seconds between two lines about the same address and reason. */
const PAUSE = 60;
const MAX_KEPT = 1000;

/** A refusal, and how many like it were muted since the last line. */
export interface RadsecLine extends RadsecRefusal {
  readonly count: number;
}

/** Turns refusals into at most one line a minute per address and reason. */
export class RadsecJournal {
  readonly #kept = new Map<string, { until: number; count: number }>();

  /** Returns the line to log now, if any; `uptime` in seconds. */
  note(refusal: RadsecRefusal, uptime: number): RadsecLine | undefined {
    const key = `${refusal.address} ${refusal.reason}`;
    const known = this.#kept.get(key);
    if (known && uptime < known.until) {
      known.count++;
      return undefined;
    }
    this.#kept.delete(key);
    const [oldest] = this.#kept;
    if (oldest && this.#kept.size >= MAX_KEPT) {
      if (uptime < oldest[1].until) return undefined; // a flood from ever new addresses
      this.#kept.delete(oldest[0]);
    }
    this.#kept.set(key, { until: uptime + PAUSE, count: 0 });
    return { ...refusal, count: 1 + (known?.count ?? 0) };
  }
}
