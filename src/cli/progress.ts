import type { Io } from "./io.ts";

/** Milliseconds between two looks at how far it is. */
const LOOK_EVERY = 200;
/** Milliseconds between two lines where nobody watches. */
const LINE_EVERY = 10_000;

/** Says on standard error how a long command goes: one line that changes on a terminal, few plain lines in a log. */
export class Progress implements Disposable {
  readonly #io: Io;
  readonly #begun = performance.now();
  #step = "";
  #timer: Timer | undefined;
  #lastLine = 0;

  constructor(io: Io) {
    this.#io = io;
  }

  /** The next step begins; `done` tells how much of it is, from 0 to 1. */
  step(name: string, done?: () => number): void {
    clearInterval(this.#timer);
    this.#step = name;
    this.#lastLine = performance.now();
    this.#show(name);
    if (done) this.#timer = setInterval(() => this.report(done()), LOOK_EVERY);
  }

  /** How much of the step is done, from 0 to 1; may be called as often as one likes. */
  report(done: number): void {
    const now = performance.now();
    if (now - this.#lastLine < (this.#isWatched ? LOOK_EVERY / 2 : LINE_EVERY)) return;
    this.#lastLine = now;
    this.#show(`${this.#step} ${Math.floor(Math.min(done, 1) * 100)} %`);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#isWatched) this.#io.stderr.write("\r\x1b[K");
  }

  get #isWatched(): boolean {
    return this.#io.stderr.isTTY === true;
  }

  #show(text: string): void {
    const seconds = Math.floor((performance.now() - this.#begun) / 1000);
    if (this.#isWatched) this.#io.stderr.write(`\r\x1b[K${text}, ${seconds} s`);
    else this.#io.stderr.write(`${text}, ${seconds} s\n`);
  }
}
