import type { Io } from "./io.ts";

/** Milliseconds between two looks at how far it is. */
const LOOK_EVERY = 200;
/** Milliseconds between two lines where nobody watches. */
const LINE_EVERY = 10_000;
/** Milliseconds that a command may take without a word where nobody watches. */
const QUIET = 2000;

export class Progress implements Disposable {
  readonly #io: Io;
  readonly #quiet: number;
  readonly #begun = performance.now();
  #step = "";
  #timer: Timer | undefined;
  #nextLine: number;

  constructor(io: Io, { quiet = QUIET }: { quiet?: number } = {}) {
    this.#io = io;
    this.#quiet = quiet;
    this.#nextLine = this.#begun + (this.#isWatched ? 0 : quiet);
  }

  /** `done` returns the share done, from 0 to 1. */
  step(name: string, done?: () => number): void {
    clearInterval(this.#timer);
    this.#step = name;
    if (this.#isWatched || performance.now() - this.#begun >= this.#quiet) this.#show(name);
    if (done) this.#timer = setInterval(() => this.report(done()), LOOK_EVERY);
  }

  /** From 0 to 1; cheap enough to call at every row. */
  report(done: number): void {
    if (performance.now() < this.#nextLine) return;
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
    const now = performance.now();
    const seconds = Math.floor((now - this.#begun) / 1000);
    this.#nextLine = now + (this.#isWatched ? LOOK_EVERY / 2 : LINE_EVERY);
    this.#io.stderr.write(this.#isWatched ? `\r\x1b[K${text}, ${seconds} s` : `${text}, ${seconds} s\n`);
  }
}
