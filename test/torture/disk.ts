import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { compile } from "../../scripts/bench.d/compile.ts";
import { diskFolder } from "../support/disk.ts";

const State = Type.Union([
  Type.Object({ ready: Type.Literal(true) }),
  Type.Object({ cut: Type.Literal(false), calls: Type.Number() }),
  Type.Object({
    cut: Type.Literal(true),
    /** Calls that changed a file or a name, or synced one. */
    calls: Type.Number(),
    /** Writes that were not synced, sectors of them that were lost, and names that were. */
    writes: Type.Number(),
    sectors_lost: Type.Number(),
    names_lost: Type.Number(),
  }),
]);
type State = typeof State.static;
export type Loss = Extract<State, { cut: true }>;

export type DiskFault = "full" | "read-only" | "write" | "sync";

/** Compiles the disk that forgets into a folder; its source says what it does. */
export async function compileDisk(folder: string): Promise<string> {
  const program = join(folder, "disk");
  const source = join(import.meta.dir, "disk");
  const files = ["main.c", "calls.c", "memory.c", "client.c"].map((name) => join(source, name));
  await compile(program, files);
  return program;
}

/** A disk under a folder, from now until the power is cut. Whatever runs behind `command` works on it. */
export class Disk implements AsyncDisposable {
  /** Resolves when the power has failed and everything that was not synced is in some state. */
  readonly gone: Promise<Loss>;
  readonly #folder = mkdtempSync(join(diskFolder(), "gatehouse-disk-"));
  readonly #program: string;
  readonly #root: string;
  readonly #process;
  readonly #answers: ((state: State) => void)[] = [];

  constructor(program: string, root: string, seed: number) {
    this.#program = program;
    this.#root = root;
    const graveyard = join(this.#folder, "graveyard");
    mkdirSync(graveyard);
    this.#process = Bun.spawn([program, "serve", this.#socket, root, graveyard, String(seed)], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    this.gone = this.#follow();
    this.gone.catch(() => {});
  }

  /** Runs a program on this disk. */
  command(program: string): string[] {
    return [this.#program, "run", this.#socket, program];
  }

  /** The power fails now. Of what was not synced, `keep` of 100 sectors stay. */
  async cut(keep: number): Promise<Loss> {
    this.#log(`cut ${keep}`);
    return this.gone;
  }

  /** The power fails before the call after `calls` more. */
  async arm(calls: number, keep: number): Promise<void> {
    await this.#order(`arm ${calls} ${keep}`);
  }

  async fail(fault: DiskFault): Promise<void> {
    await this.#order(`fail ${fault}`);
  }

  /** Every sync takes so long from now on. */
  async slow(milliseconds: number): Promise<void> {
    await this.#order(`slow ${milliseconds}`);
  }

  async heal(): Promise<void> {
    await this.#order("heal");
  }

  async calls(): Promise<number> {
    const state = await this.#order("count");
    return "calls" in state ? state.calls : 0;
  }

  /** Waits until it can be worked on. */
  async ready(): Promise<this> {
    await this.#answer();
    return this;
  }

  /** Kills whatever still runs on it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stdin.end();
    await this.#process.exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #socket(): string {
    return join(this.#folder, "socket");
  }

  #log(order: string): void {
    try {
      this.#process.stdin.write(`${order}\n`);
      this.#process.stdin.flush();
    } catch {
      // an armed cut has come first, which `gone` tells
    }
  }

  async #order(order: string): Promise<State> {
    this.#log(order);
    return this.#answer();
  }

  #answer(): Promise<State> {
    const { promise, resolve } = Promise.withResolvers<State>();
    this.#answers.push(resolve);
    return promise;
  }

  /**
   * The disk itself leaves out SQLite's -shm. That is made after the log, and names are lost in the order in which they
   * changed: where the log's was, so was its.
   */
  #forgetIndexes(): void {
    for (const name of readdirSync(this.#root, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith("-shm")) continue;
      const index = join(this.#root, name);
      if (!existsSync(index.replace(/-shm$/, "-wal"))) rmSync(index);
    }
  }

  async #follow(): Promise<Loss> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.#process.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        const state = Value.Parse(State, JSON.parse(line));
        this.#answers.shift()?.(state);
        if (!("cut" in state && state.cut)) continue;
        this.#forgetIndexes();
        return state;
      }
    }
    throw new Error("the disk has ended without being cut");
  }
}
