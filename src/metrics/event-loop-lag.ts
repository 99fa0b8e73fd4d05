import { Histogram, type Registry } from "prom-client";

const LOOK_EVERY = 500;

/** How late a timer of the main event loop fires: what HTTP requests wait before anything is done for them. */
export class EventLoopLag implements Disposable {
  readonly #timer: Timer;

  constructor(registry: Registry) {
    const lag = new Histogram({
      name: "gatehouse_event_loop_lag_seconds",
      help: "How late a timer of the main event loop fires",
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
      registers: [registry],
    });
    let expected = performance.now() + LOOK_EVERY;
    this.#timer = setInterval(() => {
      const now = performance.now();
      lag.observe(Math.max(0, now - expected) / 1000);
      expected = now + LOOK_EVERY;
    }, LOOK_EVERY);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
