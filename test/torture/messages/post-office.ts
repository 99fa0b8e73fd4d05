import { join } from "node:path";
import type { Mood, PostMessage, Received } from "./post.ts";

const POST = join(import.meta.dir, "post.ts");

/** The mail server and the gateway in a process of their own, which outlives every server, and what they have taken. */
export class PostOffice implements AsyncDisposable {
  readonly taken: Received[] = [];
  ports = { mail: 0, web: 0 };
  readonly #process;
  readonly #answers: (() => void)[] = [];
  #next: (() => void)[] = [];

  private constructor(seed: number) {
    this.#process = Bun.spawn([process.execPath, POST, String(seed)], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    void this.#follow();
  }

  static async open(seed: number): Promise<PostOffice> {
    const office = new PostOffice(seed);
    await office.#answer();
    return office;
  }

  /** Resolves when it is so. */
  async order(mood: Mood): Promise<void> {
    const done = this.#answer();
    this.#process.stdin.write(`${JSON.stringify({ mood })}\n`);
    await this.#process.stdin.flush();
    await done;
  }

  /** Resolves when the next message was taken. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#next.push(resolve));
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

  #take(message: PostMessage): void {
    if ("id" in message) {
      this.taken.push(message);
      for (const resolve of this.#next.splice(0)) resolve();
      return;
    }
    if ("ports" in message) this.ports = message.ports;
    this.#answers.shift()?.();
  }
}
