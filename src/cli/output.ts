import { errorCode } from "../listen-error.ts";
import type { Io } from "./io.ts";

/** The exit code that a shell gives a program that SIGPIPE ended; Bun ignores the signal. */
const UNREAD = 141;
const FAILED = 1;

export class Output {
  readonly #io: Io;
  readonly #broken = Promise.withResolvers<void>();
  #fault: unknown;

  constructor(io: Io) {
    this.#io = io;
    io.stdout.on?.("error", (error) => {
      this.#fault ??= error;
      this.#broken.resolve();
    });
    io.stderr.on?.("error", () => {}); // there is nowhere to report it
  }

  /** The command's own code, unless its output did not arrive. */
  async finalCode(code: number): Promise<number> {
    await this.#written();
    if (this.#fault === undefined) return code;
    if (errorCode(this.#fault) === "EPIPE") return code || UNREAD;
    const { explainFile } = await import("./explain.ts");
    const reason = explainFile(this.#fault, "standard output") ?? String(this.#fault);
    this.#io.stderr.write(`gatehouse: what was printed did not arrive whole: ${reason}\n`);
    return code || FAILED;
  }

  /**
   * A pipe takes what fits and the rest as it is read; only then it is known whether it broke. Bun never reports the end of a
   * broken stream whose text was not ASCII.
   */
  async #written(): Promise<void> {
    const { stdout } = this.#io;
    if (!stdout.end || this.#fault !== undefined) return;
    const ended = Promise.withResolvers<void>();
    stdout.end(ended.resolve);
    await Promise.race([ended.promise, this.#broken.promise]);
  }
}
