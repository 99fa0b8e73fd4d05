import type { TestStep } from "../../../../domain/goods/nas/test.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";

/** The last test of a router. */
export interface RouterTest {
  /** Since the program began. */
  readonly times: number;
  readonly at: Seconds;
  /** null: no answer yet. */
  readonly steps: readonly TestStep[] | null;
  readonly refusal: string | null;
  /** Skipped. */
  readonly isLeft: boolean;
}

const MOST = 1000;

/** Results of tests, in memory until the program ends. */
export class RouterTests {
  readonly #tests = new Map<number, RouterTest>();

  of(nasId: number): RouterTest | undefined {
    return this.#tests.get(nasId);
  }

  begin(nasId: number, at: Seconds): void {
    const times = (this.of(nasId)?.times ?? 0) + 1;
    this.#keep(nasId, { times, at, steps: null, refusal: null, isLeft: false });
  }

  end(nasId: number, at: Seconds, answer: Partial<Pick<RouterTest, "steps" | "refusal">>): void {
    const times = this.of(nasId)?.times ?? 1;
    this.#keep(nasId, { times, at, steps: [], refusal: null, isLeft: false, ...answer });
  }

  /** Skips the test. */
  leave(nasId: number, at: Seconds): void {
    const known = this.of(nasId) ?? { times: 0, at, steps: [], refusal: null };
    this.#keep(nasId, { ...known, isLeft: true });
  }

  forget(nasId: number): void {
    this.#tests.delete(nasId);
  }

  #keep(nasId: number, test: RouterTest): void {
    this.#tests.delete(nasId);
    this.#tests.set(nasId, test);
    const [oldest] = this.#tests.keys();
    if (this.#tests.size > MOST && oldest !== undefined) this.#tests.delete(oldest);
  }
}
