import type { Seconds } from "../../core/time/time.ts";

/** What a report told of a session: how fast its line has been since the report before, in bits a second. */
export interface Reported {
  readonly sessionId: number;
  /** null: of a name that is no subscriber's. */
  readonly subscriberId: number | null;
  /** null: of no card. */
  readonly cardId: number | null;
  readonly nasId: number | null;
  readonly at: Seconds;
  /** From the subscriber and to it; null: its first report. */
  readonly input: number | null;
  readonly output: number | null;
  readonly isOver: boolean;
}

/** Reports that are kept until they are taken, which happens each second; of a flood the rest is counted only. */
const MOST = 4096;
const FIELDS = 8;
/** For null, which no id and no rate is. */
const NONE = -1;

/** Gathers reports for main, as numbers: the engine copies them at once, and objects one property after the other. */
export class ReportTally {
  #numbers = new Float64Array(64 * FIELDS);
  #count = 0;

  add({ sessionId, subscriberId, cardId, nasId, at, input, output, isOver }: Reported): void {
    if (this.#count === MOST) return;
    const begin = this.#count * FIELDS;
    this.#makeRoom(begin + FIELDS);
    const numbers = this.#numbers;
    // one by one: an array of them for each report costs the packet path more than the rest of this
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

  /** Adds what another one took. */
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

  /** All of them, which are gone then. */
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
