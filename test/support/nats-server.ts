import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real nats-server with JetStream in a folder of its own, on a loopback port. */
export class NatsServer implements AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  /** Of `gatehouse box server`: who may do what. */
  configuration: string | undefined;
  #process: Bun.Subprocess | undefined;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.folder = folder;
  }

  static async start(configuration?: string): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), mkdtempSync(join(tmpdir(), "gatehouse-nats-")));
    server.configuration = configuration;
    await server.up();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Starts it, again after `kill`, on the same port. */
  async up(): Promise<void> {
    const command = ["nats-server", ...this.#options()];
    const started = Bun.spawn(command, { stderr: "pipe", stdout: "ignore" });
    this.#process = started;
    let said = "";
    for await (const chunk of started.stderr) {
      said += new TextDecoder().decode(chunk);
      if (said.includes("Server is ready")) return;
    }
    throw new Error(`nats-server did not start: ${said}`);
  }

  /** That configuration on our port and in our folder, in clear text: its certificate is the operator's. */
  #options(): string[] {
    if (this.configuration === undefined)
      return ["-a", "127.0.0.1", "-p", String(this.port), "-js", "-sd", this.folder];
    const file = `${this.folder}.conf`;
    const text = this.configuration
      .replace(/^listen: .*$/m, `listen: "127.0.0.1:${this.port}"`)
      .replace(/store_dir: .*$/m, `store_dir: "${this.folder}"`)
      .replace(/^tls \{[^}]*\}\n/m, "");
    writeFileSync(file, text);
    return ["-c", file];
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
    rmSync(`${this.folder}.conf`, { force: true });
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
