import type { Client } from "./clients.ts";
import type { DropReason } from "./gate.ts";

/** How many datagrams of a source were dropped for a reason since its last line. */
export interface DropLine {
  reason: DropReason;
  address: string;
  nas: string | null;
  nasId: number | null;
  count: number;
}

/** Seconds between two lines about the same source and reason. */
const PAUSE = 60;
const MAX_SOURCES = 1000;

/** Ends of silence (uptime in seconds) and lines not logged yet, by reason and source. */
type Silences = Map<string, { until: number; count: number }>;

/** Turns drops into at most one log line a minute per source and reason, with the count of the rest. */
export class DropJournal {
  // separate, so that a flood from spoofed sources does not mute lines about routers
  readonly #strangers: Silences = new Map();
  readonly #routers: Silences = new Map();

  /** `uptime` in seconds. Returns the line to log now, if any. */
  note(
    reason: DropReason,
    address: string,
    client: Client | undefined,
    uptime: number,
  ): DropLine | undefined {
    const key = `${reason} ${address}`;
    const silences = client ? this.#routers : this.#strangers;
    const known = silences.get(key);
    if (known && uptime < known.until) {
      known.count++;
      return undefined;
    }
    silences.delete(key);
    // a flood from ever new sources must fill neither memory nor log
    if (silences.size >= MAX_SOURCES && !evict(silences, uptime)) return undefined;
    silences.set(key, { until: uptime + PAUSE, count: 0 });
    return {
      reason,
      address,
      nas: client?.name ?? null,
      nasId: client?.id ?? null,
      count: 1 + (known?.count ?? 0),
    };
  }
}

function evict(silences: Silences, uptime: number): boolean {
  const [oldest] = silences;
  if (!oldest || uptime < oldest[1].until) return false;
  silences.delete(oldest[0]);
  return true;
}

/** A failure, and how many requests were left unanswered since the last line. */
export interface FailureLine {
  message: string;
  records: number;
}

const FAILURE_PAUSE = 10;

/** Turns failures into one log line in ten seconds: a broken disk causes one per packet. */
export class FailureJournal {
  #silentUntil = Number.NEGATIVE_INFINITY;
  #records = 0;

  /** Returns the line to log now, if any; `uptime` in seconds. */
  note(message: string, records: number, uptime: number): FailureLine | undefined {
    this.#records += records;
    if (uptime < this.#silentUntil) return undefined;
    const line = { message, records: this.#records };
    this.#silentUntil = uptime + FAILURE_PAUSE;
    this.#records = 0;
    return line;
  }
}
