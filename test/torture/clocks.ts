import { join } from "node:path";
import { compile } from "../../scripts/bench.d/compile.ts";

const NANOSECONDS = 1_000_000_000n;

/** The clocks of programs that run with `env`: the wall clock stands where it is put, and time passes as it is told. */
export class Clocks {
  readonly env: Record<string, string>;
  readonly #numbers: BigInt64Array;

  private constructor(env: Record<string, string>, numbers: BigInt64Array) {
    this.env = env;
    this.#numbers = numbers;
  }

  /** Compiles the shim into a folder; the wall clock says `now`, in UTC seconds. */
  static async open(folder: string, now: number): Promise<Clocks> {
    const library = join(folder, "clock.so");
    const source = join(import.meta.dir, "clock.c");
    await compile(library, [source], ["-shared", "-fPIC", "-ldl"]);
    const file = join(folder, "clocks");
    await Bun.write(file, new BigInt64Array([BigInt(now) * NANOSECONDS, 0n]));
    const bytes = Bun.mmap(file, { shared: true });
    const numbers = new BigInt64Array(bytes.buffer, bytes.byteOffset, 2);
    return new Clocks({ LD_PRELOAD: library, CLOCK_FILE: file }, numbers);
  }

  /** What the wall clock says, in UTC seconds. */
  get now(): number {
    return Number((this.#numbers[0] ?? 0n) / NANOSECONDS);
  }

  /** Time passes: every clock goes forward. Timers that are due run as soon as their thread has something to do. */
  pass(seconds: number): void {
    // forward first: a wall clock that is behind for a moment is followed, one that is ahead might be a leap
    this.tick(seconds);
    this.leap(seconds);
  }

  /** Timers become due as if so much time had passed, while the wall clock stands. */
  tick(seconds: number): void {
    this.#numbers[1] = (this.#numbers[1] ?? 0n) + BigInt(seconds) * NANOSECONDS;
  }

  /** The wall clock leaps; no time passes. */
  leap(seconds: number): void {
    this.#numbers[0] = (this.#numbers[0] ?? 0n) + BigInt(seconds) * NANOSECONDS;
  }
}
