import { join } from "node:path";
import type { Call, Order } from "./receiver.ts";

const RECEIVER = join(import.meta.dir, "receiver.ts");

/** The receiver in a process of its own, which outlives every server, and what it has heard. */
export class Listener implements AsyncDisposable {
  readonly calls: Call[] = [];
  url = "";
  readonly #process;
  readonly #answers: (() => void)[] = [];

  private constructor(seed: number) {
    this.#process = Bun.spawn([process.execPath, RECEIVER, "0", String(seed)], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    void this.#follow();
  }

  static async open(seed: number): Promise<Listener> {
    const listener = new Listener(seed);
    await listener.#answer();
    return listener;
  }

  /** Resolves when it is so. */
  async order(order: Order): Promise<void> {
    const done = this.#answer();
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
    await this.#process.stdin.flush();
    await done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stdin.end();
    await this.#process.exited;
  }

  #answer(): Promise<void> {
    return new Promise((resolve) => this.#answers.push(resolve));
  }

  async #follow(): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.#process.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) this.#take(JSON.parse(line));
    }
  }

  #take(message: Call | { port: number } | { did: string }): void {
    if ("id" in message) {
      this.calls.push(message);
      return;
    }
    if ("port" in message) this.url = `http://127.0.0.1:${message.port}/hook`;
    this.#answers.shift()?.();
  }
}
