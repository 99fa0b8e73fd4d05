import { codeOf } from "../listen-error.ts";
import type { Io } from "./io.ts";

/** What a shell says of a program that SIGPIPE ended; the signal itself never reaches us, Bun ignores it. */
const UNREAD = 141;
const FAILED = 1;

/** Whether what a program prints arrives. Who left before the end (`gatehouse subscriber list | head`) has read enough. */
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

  /** The exit code of a command that is done: its own, unless what it printed did not arrive. */
  async codeOf(code: number): Promise<number> {
    await this.#written();
    if (this.#fault === undefined) return code;
    if (codeOf(this.#fault) === "EPIPE") return code || UNREAD;
    const { explainFile } = await import("./explain.ts");
    const reason = explainFile(this.#fault, "standard output") ?? String(this.#fault);
    this.#io.stderr.write(`gatehouse: what was printed did not arrive whole: ${reason}\n`);
    return code || FAILED;
  }

  /**
   * A pipe takes what fits into it, and the rest as it is read; whether it broke is known after that. Bun never says of a
   * stream that broke that it has ended, where the text was not ASCII.
   */
  async #written(): Promise<void> {
    const { stdout } = this.#io;
    if (!stdout.end || this.#fault !== undefined) return;
    const ended = Promise.withResolvers<void>();
    stdout.end(ended.resolve);
    await Promise.race([ended.promise, this.#broken.promise]);
  }
}
