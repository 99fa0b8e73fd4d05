import { MOST_OCTETS } from "../../../../db/sum.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface Carried {
  readonly nasId: number;
  readonly input: number;
  readonly output: number;
}

/** What was counted in the minute that begins at `at`. */
export interface Sample {
  readonly at: Seconds;
  readonly open: readonly { readonly nasId: number; readonly sessions: number }[];
  readonly carried: readonly Carried[];
}

type Sum = { -readonly [K in keyof Carried]: Carried[K] };

/** Sums of bytes by router until they are taken; adding to them costs the packet path next to nothing. */
export class CarriedTally {
  readonly #sums = new Map<number, Sum>();
  /** Written together. */
  readonly unwritten: Sample[] = [];

  add({ nasId, input, output }: Carried): void {
    const sum = this.#sums.get(nasId);
    if (sum) {
      sum.input = Math.min(sum.input + input, MOST_OCTETS);
      sum.output = Math.min(sum.output + output, MOST_OCTETS);
    } else if (input + output > 0) this.#sums.set(nasId, { nasId, input, output });
  }

  take(): Carried[] {
    const taken = [...this.#sums.values()];
    this.#sums.clear();
    return taken;
  }
}
