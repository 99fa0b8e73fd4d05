import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real nats-server with JetStream in a folder of its own, on a loopback port. */
export class NatsServer implements AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  #process: Bun.Subprocess | undefined;
  /** Its configuration instead of none; what it listens at and where it stores is said beside it. */
  config: string | undefined;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.folder = folder;
  }

  static async start(): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), mkdtempSync(join(tmpdir(), "gatehouse-nats-")));
    await server.up();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Starts it, again after `kill`, on the same port. */
  async up(): Promise<void> {
    const command = ["nats-server", "-a", "127.0.0.1", "-p", String(this.port), "-js", "-sd", this.folder];
    if (this.config !== undefined) command.push("-c", this.config);
    const started = Bun.spawn(command, { stderr: "pipe", stdout: "ignore" });
    this.#process = started;
    let said = "";
    for await (const chunk of started.stderr) {
      said += new TextDecoder().decode(chunk);
      if (said.includes("Server is ready")) return;
    }
    throw new Error(`nats-server did not start: ${said}`);
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
  }

  /** What it has stored is lost. */
  loseStore(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.loseStore();
  }
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    server.close(() => resolve(port));
  });
  return promise;
}
