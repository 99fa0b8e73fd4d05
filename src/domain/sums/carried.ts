/** Bytes from and to the subscribers of a router. */
export interface Carried {
  readonly nasId: number;
  readonly input: number;
  readonly output: number;
}

type Sum = { -readonly [K in keyof Carried]: Carried[K] };

/** Sums bytes by router until they are taken; an addition costs the packet path next to nothing. */
export class CarriedTally {
  readonly #sums = new Map<number, Sum>();

  add({ nasId, input, output }: Carried): void {
    const sum = this.#sums.get(nasId);
    if (sum) {
      sum.input += input;
      sum.output += output;
    } else if (input + output > 0) this.#sums.set(nasId, { nasId, input, output });
  }

  /** Every sum, which then begins again. */
  take(): Carried[] {
    const taken = [...this.#sums.values()];
    this.#sums.clear();
    return taken;
  }
}
