import type { Seconds } from "../../core/time/time.ts";

/** Bit/s of a session since its previous report. */
export interface Reported {
  readonly sessionId: number;
  readonly subscriberId: number | null;
  readonly cardId: number | null;
  readonly nasId: number | null;
  readonly at: Seconds;
  /** Upstream and downstream; null: first report. */
  readonly input: number | null;
  readonly output: number | null;
  readonly isOver: boolean;
}

/** Most reports kept until the next take, each second; more are only counted. */
const MOST = 4096;
const FIELDS = 8;
/** Stands for null; no id or rate is negative. */
const NONE = -1;

/** Collects reports for main as numbers: these are copied at once, objects property by property. */
export class ReportTally {
  #numbers = new Float64Array(64 * FIELDS);
  #count = 0;

  add({ sessionId, subscriberId, cardId, nasId, at, input, output, isOver }: Reported): void {
    if (this.#count === MOST) return;
    const begin = this.#count * FIELDS;
    this.#makeRoom(begin + FIELDS);
    const numbers = this.#numbers;
    // pushed one by one: an array per report costs more than all the rest
    numbers[begin] = sessionId;
    numbers[begin + 1] = subscriberId ?? NONE;
    numbers[begin + 2] = cardId ?? NONE;
    numbers[begin + 3] = nasId ?? NONE;
    numbers[begin + 4] = at;
    numbers[begin + 5] = input ?? NONE;
    numbers[begin + 6] = output ?? NONE;
    numbers[begin + 7] = isOver ? 1 : 0;
    this.#count++;
  }

  addPacked(packed: Float64Array): void {
    const length = Math.min(packed.length, (MOST - this.#count) * FIELDS);
    this.#makeRoom(this.#count * FIELDS + length);
    this.#numbers.set(packed.subarray(0, length), this.#count * FIELDS);
    this.#count += length / FIELDS;
  }

  #makeRoom(length: number): void {
    if (length <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(length, this.#numbers.length * 2));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  /** Returns the reports and resets them. */
  take(): Float64Array {
    const samples = this.#numbers.slice(0, this.#count * FIELDS);
    this.#count = 0;
    return samples;
  }
}

export function* unpackReports(packed: Float64Array): Generator<Reported> {
  for (let begin = 0; begin < packed.length; begin += FIELDS)
    yield {
      sessionId: packed[begin] ?? 0,
      subscriberId: known(packed[begin + 1]),
      cardId: known(packed[begin + 2]),
      nasId: known(packed[begin + 3]),
      at: packed[begin + 4] ?? 0,
      input: known(packed[begin + 5]),
      output: known(packed[begin + 6]),
      isOver: packed[begin + 7] === 1,
    };
}

const known = (value = NONE) => (value === NONE ? null : value);
