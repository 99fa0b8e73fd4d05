import { Histogram, type Registry } from "prom-client";

export const LAG_EVERY = 0.5;

/** How late a timer of the main event loop fires: the time an HTTP request waits before anything is done for it. */
export class EventLoopLag {
  readonly #lag: Histogram;
  #expected = Infinity;

  constructor(registry: Registry) {
    this.#lag = new Histogram({
      name: "gatehouse_event_loop_lag_seconds",
      help: "How late a timer of the main event loop fires",
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
      registers: [registry],
    });
  }

  /** Called by a timer every LAG_EVERY seconds; the first call only starts the measurement. */
  measure(): void {
    const now = performance.now();
    if (this.#expected < Infinity) this.#lag.observe(Math.max(0, now - this.#expected) / 1000);
    this.#expected = now + LAG_EVERY * 1000;
  }
}
