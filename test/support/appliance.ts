import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withoutProgress } from "./progress.ts";
import { diskFolder } from "./disk.ts";
import { makeStoreOf } from "./isp.ts";

export const program = join(import.meta.dir, "../../dist/gatehouse");

/** Compiling for long lives takes a quarter of the start, and a test's program lives for seconds; trials and benches run the program as it is. */
export const shortLived: Record<string, string> =
  process.env["NODE_ENV"] === "test" ? { BUN_JSC_useDFGJIT: "0" } : {};

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Addresses {
  http: string;
  public: string | null;
  radius_auth: string;
  radius_acct: string;
  walled?: string;
}

export function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(":") + 1));
}

export function radiusAt({ radius_auth, radius_acct }: Addresses) {
  const host = radius_auth.slice(0, radius_auth.lastIndexOf(":"));
  return { host, port: portOf(radius_auth), acctPort: portOf(radius_acct) };
}

/** The real executable in a folder of its own, with a clean environment. */
export class Appliance implements AsyncDisposable {
  readonly folder = mkdtempSync(join(diskFolder(), "gatehouse-e2e-"));
  command: readonly string[] = [program];
  readonly #env: Record<string, string>;
  #server: ReturnType<Appliance["spawn"]> | undefined;
  #log = "";

  constructor(env: Record<string, string> = {}) {
    this.#env = {
      PATH: process.env["PATH"] ?? "",
      TZ: "UTC",
      ...shortLived,
      GATEHOUSE_HTTP_LISTEN: "127.0.0.1:0",
      GATEHOUSE_RADIUS_AUTH_LISTEN: "127.0.0.1:0",
      GATEHOUSE_RADIUS_ACCT_LISTEN: "127.0.0.1:0",
      ...env,
    };
  }

  get log(): string {
    return this.#log;
  }

  get environment(): Record<string, string> {
    return this.#env;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** A connection beside the server's, which waits for the write lock. */
  otherWriter(): Database {
    const store = new Database(join(this.folder, "data/gatehouse.db"), { readwrite: true });
    store.run("PRAGMA busy_timeout = 20000");
    return store;
  }

  /** Begins with a copied store: importing by the executable takes twenty times as long. `now` is for one whose clock stands elsewhere. */
  async load(dataSet: object, now?: number): Promise<void> {
    await makeStoreOf(dataSet, this.#env["GATEHOUSE_DATA_DIR"] ?? join(this.folder, "data"), now);
  }

  async run(args: string[], stdin = ""): Promise<Outcome> {
    const child = this.spawn(args, stdin);
    const [code, stdout, stderr] = await Promise.all([
      child.exited,
      child.stdout.text(),
      child.stderr.text().then(withoutProgress),
    ]);
    return { code, stdout, stderr };
  }

  /** Starts `serve` and waits for its ready line; one that ends instead throws with its output. `env` stays for later starts. */
  async serve(env: Record<string, string> = {}): Promise<Addresses> {
    Object.assign(this.#env, env);
    this.#log = "";
    const server = this.spawn(["serve"], "");
    this.#server = server;
    const errors = server.stderr.text();
    const { promise, resolve, reject } = Promise.withResolvers<Addresses>();
    const follow = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of server.stdout) {
        this.#log += decoder.decode(chunk, { stream: true });
        const printed = this.#log.split("\n");
        const ready = printed.find((line) => line.startsWith('{"event":"ready"') && line.endsWith("}"));
        if (ready) resolve(JSON.parse(ready));
      }
      this.#log += await errors;
      reject(new Error(`the server ended: ${this.#log}`));
    };
    follow().catch(reject);
    return promise;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.#server?.kill(signal);
    const code = (await this.#server?.exited) ?? 0;
    this.#server = undefined;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  spawn(args: string[], stdin: string) {
    return Bun.spawn([...this.command, ...args], {
      cwd: this.folder,
      env: this.#env,
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
  }
}
