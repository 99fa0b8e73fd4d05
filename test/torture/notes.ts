import type { Figure, Outcome } from "./trial.ts";

/** What a trial has found so far. */
export class Notes {
  readonly figures: Figure[] = [];
  readonly #faults = new Map<string, number>();

  /** A row of the table in README.md. */
  figure(what: string, figure: string): void {
    this.figures.push({ what, figure });
  }

  /** A promise that was not kept; said once, with how often, however often it was broken. */
  fault(sentence: string): void {
    this.#faults.set(sentence, (this.#faults.get(sentence) ?? 0) + 1);
  }

  expect(isKept: boolean, sentence: string): void {
    if (!isKept) this.fault(sentence);
  }

  get outcome(): Outcome {
    const faults = [...this.#faults].map(([sentence, count]) =>
      count === 1 ? sentence : `${sentence} (${count} times)`,
    );
    return { figures: this.figures, faults };
  }
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** 0 of none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** "1,234". */
export function format(count: number): string {
  return count.toLocaleString("en-US");
}
