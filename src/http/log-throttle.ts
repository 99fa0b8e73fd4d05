import type { Logger } from "pino";

/** Milliseconds between two equal lines. */
const PAUSE = 10_000;
/** Places of failure; more share a line. */
const MAX_KNOWN = 100;
const OTHERS = "others";

interface Place {
  readonly method: string;
  readonly path: string;
}

interface LoggedLine {
  until: number;
  count: number;
  readonly id: string;
}

/** Limits log lines that any request can cause. */
export class LogThrottle {
  readonly #log: Logger;
  readonly #logged = new Map<string, LoggedLine>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Overload. Messages are constants, so there are few. */
  busy(place: Place, message: string): void {
    this.#logOnce(message, ({ count }) => this.#log.warn({ ...place, count }, message));
  }

  /** A bug. Returns the log's id; failures at one place share line and id for ten seconds. */
  failed(place: Place | undefined, error: unknown): string {
    return this.#logOnce(readStack(error), ({ count, id }) =>
      this.#log.error({ id, ...place, count, err: error }, "request failed"),
    );
  }

  #logOnce(what: string, write: (line: { count: number; id: string }) => void): string {
    const now = performance.now();
    const known = this.#logged.get(what);
    if (known && now < known.until) {
      known.count++;
      return known.id;
    }
    if (!known && what !== OTHERS && !this.#hasRoom(now)) return this.#logOnce(OTHERS, write);
    const id = crypto.randomUUID();
    write({ count: 1 + (known?.count ?? 0), id });
    this.#logged.set(what, { until: now + PAUSE, count: 0, id });
    return id;
  }

  #hasRoom(now: number): boolean {
    if (this.#logged.size < MAX_KNOWN) return true;
    for (const [what, { until }] of this.#logged) if (until <= now) this.#logged.delete(what);
    return this.#logged.size < MAX_KNOWN;
  }
}

/** The stack without the message, which may quote the request. */
function readStack(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.length === 0 ? typeof error : frames.join("\n");
}
