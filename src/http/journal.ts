import type { Logger } from "pino";

/** Milliseconds between two lines that say the same. */
const PAUSE = 10_000;
/** More than a program has places that fail; what comes beyond shares a line. */
const MAX_KNOWN = 100;
const OTHERS = "others";

/** The request that is logged. */
interface Place {
  readonly method: string;
  readonly path: string;
}

interface Told {
  until: number;
  /** How often it happened since, unsaid. */
  count: number;
  readonly id: string;
}

/** Logs what requests of anybody can cause: a flood of them must not be a flood of lines. */
export class Journal {
  readonly #log: Logger;
  readonly #told = new Map<string, Told>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** What there is too much of. Messages come from the program, so there are few. */
  busy(place: Place, message: string): void {
    this.#tell(message, ({ count }) => this.#log.warn({ ...place, count }, message));
  }

  /** A bug. The id stands in the log; failures at one place share a line, and its id, for ten seconds. */
  failed(place: Place | undefined, error: unknown): string {
    return this.#tell(stackOf(error), ({ count, id }) =>
      this.#log.error({ id, ...place, count, err: error }, "request failed"),
    );
  }

  #tell(what: string, write: (told: { count: number; id: string }) => void): string {
    const now = performance.now();
    const known = this.#told.get(what);
    if (known && now < known.until) {
      known.count++;
      return known.id;
    }
    if (!known && what !== OTHERS && !this.#hasRoom(now)) return this.#tell(OTHERS, write);
    const id = crypto.randomUUID();
    write({ count: 1 + (known?.count ?? 0), id });
    this.#told.set(what, { until: now + PAUSE, count: 0, id });
    return id;
  }

  #hasRoom(now: number): boolean {
    if (this.#told.size < MAX_KNOWN) return true;
    for (const [what, { until }] of this.#told) if (until <= now) this.#told.delete(what);
    return this.#told.size < MAX_KNOWN;
  }
}

/** Where an error comes from, without its message, which may quote the request. */
function stackOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.length === 0 ? typeof error : frames.join("\n");
}
