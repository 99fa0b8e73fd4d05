import { Histogram, type Registry } from "prom-client";

/** Seconds between two measurements. */
export const LAG_EVERY = 0.5;

/** How late a timer of the main event loop fires: what HTTP requests wait before anything is done for them. */
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

  /** For a timer to call, LAG_EVERY seconds after the last call; the first call begins. */
  measure(): void {
    const now = performance.now();
    if (this.#expected < Infinity) this.#lag.observe(Math.max(0, now - this.#expected) / 1000);
    this.#expected = now + LAG_EVERY * 1000;
  }
}
