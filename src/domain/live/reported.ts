import type { Seconds } from "../time.ts";

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
    if (begin === this.#numbers.length) {
      const larger = new Float64Array(begin * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    const fields = [
      ...[sessionId, subscriberId ?? NONE, cardId ?? NONE, nasId ?? NONE, at],
      ...[input ?? NONE, output ?? NONE, isOver ? 1 : 0],
    ];
    this.#numbers.set(fields, begin);
    this.#count++;
  }

  /** Adds what another one took. */
  addPacked(packed: Float64Array): void {
    for (const report of unpackReports(packed)) this.add(report);
  }

  /** All of them, which are gone then. */
  take(): Float64Array {
    const taken = this.#numbers.slice(0, this.#count * FIELDS);
    this.#count = 0;
    return taken;
  }
}

export function* unpackReports(packed: Float64Array): Generator<Reported> {
  const known = (value = NONE) => (value === NONE ? null : value);
  for (let begin = 0; begin < packed.length; begin += FIELDS) {
    const [sessionId = 0, subscriberId, cardId, nasId, at = 0, input, output, isOver] = packed.subarray(
      begin,
      begin + FIELDS,
    );
    yield {
      sessionId,
      subscriberId: known(subscriberId),
      cardId: known(cardId),
      nasId: known(nasId),
      at,
      input: known(input),
      output: known(output),
      isOver: isOver === 1,
    };
  }
}
