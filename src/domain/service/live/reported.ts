/** Whose session a router reported. */
export interface Reported {
  readonly subscriberId: number | null;
  readonly cardId: number | null;
  readonly nasId: number | null;
}

/** Most reports kept until the next take, each second; more are dropped, because fewer already make every page ask again. */
const MOST = 4096;
const FIELDS = 3;
/** Stands for null; no id is negative. */
const NONE = -1;

/** Collects reports for main as numbers: these are copied at once, objects property by property. */
export class ReportTally {
  #numbers = new Float64Array(64 * FIELDS);
  #count = 0;

  add({ subscriberId, cardId, nasId }: Reported): void {
    if (this.#count === MOST) return;
    const begin = this.#count * FIELDS;
    this.#makeRoom(begin + FIELDS);
    const numbers = this.#numbers;
    // pushed one by one: an array per report costs more than all the rest
    numbers[begin] = subscriberId ?? NONE;
    numbers[begin + 1] = cardId ?? NONE;
    numbers[begin + 2] = nasId ?? NONE;
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
    const reports = this.#numbers.slice(0, this.#count * FIELDS);
    this.#count = 0;
    return reports;
  }
}

export function* unpackReports(packed: Float64Array): Generator<Reported> {
  for (let begin = 0; begin < packed.length; begin += FIELDS)
    yield {
      subscriberId: known(packed[begin]),
      cardId: known(packed[begin + 1]),
      nasId: known(packed[begin + 2]),
    };
}

const known = (value = NONE) => (value === NONE ? null : value);
