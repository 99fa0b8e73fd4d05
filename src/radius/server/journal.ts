import type { Client } from "./clients.ts";
import type { DropReason } from "./gate.ts";

/** How many datagrams of a source were refused for a reason since the last line about it. */
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

/** By reason and source: until when it has no line, in seconds of uptime, and how many are not logged yet. */
type Silences = Map<string, { until: number; count: number }>;

/** Turns refusals into at most one log line a minute per source and reason, and counts the rest. */
export class DropJournal {
  // apart, so that a flood of invented sources does not silence what is wrong with a router
  readonly #strangers: Silences = new Map();
  readonly #routers: Silences = new Map();

  /** `uptime` in seconds. The line to log now, if any. */
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
    // a flood from ever new sources must not fill the memory, nor the log
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

/** A failure, and how many requests were left unanswered for failures since the last line. */
export interface FailureLine {
  message: string;
  records: number;
}

/** Seconds between two lines about failures. */
const FAILURE_PAUSE = 10;

/** Turns failures, of which a broken disk has one a packet, into one log line in ten seconds. */
export class FailureJournal {
  #silentUntil = Number.NEGATIVE_INFINITY;
  #records = 0;

  /** The line to log now, if any; `uptime` in seconds. */
  note(message: string, records: number, uptime: number): FailureLine | undefined {
    this.#records += records;
    if (uptime < this.#silentUntil) return undefined;
    const line = { message, records: this.#records };
    this.#silentUntil = uptime + FAILURE_PAUSE;
    this.#records = 0;
    return line;
  }
}
