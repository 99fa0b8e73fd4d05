/** Units are seconds, and records per commit. */
export type Measure = "access_seconds" | "accounting_seconds" | "commit_seconds" | "commit_records";

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const RECORDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const measureBounds = (measure: Measure) => (measure === "commit_records" ? RECORDS : SECONDS);

/** Counts per bucket: at most its bound and above the previous one; the last bucket is above all bounds. */
export interface Distribution {
  readonly measure: Measure;
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Histograms that cost the packet path next to nothing and add up across threads. */
export class Timings {
  readonly #distributions = new Map<Measure, { counts: number[]; sum: number }>();

  observe(measure: Measure, value: number): void {
    const bounds = measureBounds(measure);
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
    const distribution = this.#of(measure);
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  /** Adds another thread's measurements. */
  add(drained: readonly Distribution[]): void {
    for (const { measure, counts, sum } of drained) {
      const distribution = this.#of(measure);
      for (const [bucket, count] of counts.entries())
        distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + count;
      distribution.sum += sum;
    }
  }

  all(): readonly Distribution[] {
    return [...this.#distributions].map(([measure, { counts, sum }]) => ({
      measure,
      bounds: measureBounds(measure),
      counts,
      sum,
    }));
  }

  /** Returns the measurements and resets them. */
  take(): readonly Distribution[] {
    const drained = this.all();
    this.#distributions.clear();
    return drained;
  }

  #of(measure: Measure): { counts: number[]; sum: number } {
    let distribution = this.#distributions.get(measure);
    if (!distribution) {
      distribution = { counts: Array.from({ length: measureBounds(measure).length + 1 }, () => 0), sum: 0 };
      this.#distributions.set(measure, distribution);
    }
    return distribution;
  }
}
